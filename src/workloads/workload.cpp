#include "workloads/workload.hpp"

#include <numeric>

namespace muster {

namespace {

// The end of the variables from `first` on that lie alike and at equal distances.
std::size_t end_of_series(std::vector<Variable> const& variables, std::size_t first) {
    auto next = first + 1;
    while (next < variables.size() && alike(variables[first], variables[next]) &&
           variables[next].base - variables[next - 1].base == variables[first + 1].base - variables[first].base) {
        ++next;
    }
    return next;
}

}  // namespace

bool alike(Variable const& left, Variable const& right) {
    return left.pattern == right.pattern && left.copies == right.copies && left.copy_stride == right.copy_stride;
}

int Workload::pattern_count() const {
    int count = 0;
    for (auto const& variable : variables) count = std::max(count, variable.pattern + 1);
    return count;
}

Size Workload::bytes() const {
    return std::accumulate(variables.begin(), variables.end(), Size{0},
                           [](Size sum, Variable const& variable) { return sum + variable.bytes; });
}

Stream Workload::file_of(Rank rank, int variable) const {
    auto const& chosen = variables[static_cast<std::size_t>(variable)];
    return Stream::whole(chosen.place(pattern(rank, chosen.pattern)));
}

Stream Workload::file_of(Rank rank) const {
    return Stream::whole(interleaved ? all_variables(rank) : one_call(patterns_of(rank)));
}

std::vector<Shape> Workload::patterns_of(Rank rank) const {
    std::vector<Shape> shapes;
    for (int i = 0; i < pattern_count(); ++i) shapes.push_back(pattern(rank, i));
    return shapes;
}

Shape Workload::one_call(std::vector<Shape> const& by_pattern) const {
    std::vector<Shape> parts;
    for (std::size_t first = 0; first < variables.size();) {
        auto const end = end_of_series(variables, first);
        auto const distance = end - first > 1 ? variables[first + 1].base - variables[first].base : 0;
        auto const shape = variables[first].place(by_pattern[static_cast<std::size_t>(variables[first].pattern)]);
        parts.push_back(Shape::repeat(shape, static_cast<Size>(end - first), distance));
        first = end;
    }
    return Shape::chain(std::move(parts));
}

void lay_out(std::vector<Variable>& variables) {
    Offset next = 0;
    for (auto& variable : variables) {
        variable.base = next;
        next += variable.bytes;
    }
}

}  // namespace muster
