#include "workloads/subject.hpp"

#include <algorithm>
#include <random>

#include "workloads/registry.hpp"

namespace muster::bench {

namespace {

unsigned long long natural(Size value) { return static_cast<unsigned long long>(value); }

// A pattern of a workload that comes `copies` times, as a matrix of so many rows.
Pattern pattern_of(Workload const& workload, Variable const& variable, Rank rank) {
    auto const columns = variable.bytes / variable.copies / variable.element_size;
    Pattern pattern{{variable.copies, columns}, {}, {}};
    workload.pattern(rank, variable.pattern).for_each([&](Offset offset, Size length) {
        pattern.starts.insert(pattern.starts.end(), {0, natural(offset / variable.element_size)});
        pattern.sizes.insert(pattern.sizes.end(), {natural(variable.copies), natural(length / variable.element_size)});
    });
    return pattern;
}

// The atmosphere of a climate model: hundreds of variables, three decompositions.
Result<Subject> make_climate(SubjectWish const& wish) {
    std::vector<OptionPair> const options{{"ne", std::to_string(8 * wish.scale)}};
    auto const workload = make_workload("e3sm-f", wish.ranks, options);
    if (!workload) return workload.status();
    Subject subject{wish.name, workload->variables.front().element_size, {}, {}};
    std::vector<std::pair<int, Size>> known;
    for (auto const& variable : workload->variables) {
        std::pair const kind{variable.pattern, variable.copies};
        auto const found = std::find(known.begin(), known.end(), kind);
        subject.variables.push_back(static_cast<std::size_t>(found - known.begin()));
        if (found != known.end()) continue;
        known.push_back(kind);
        subject.patterns.push_back(pattern_of(*workload, variable, wish.rank));
    }
    return subject;
}

// h5bench's non-contiguous pattern: arrays cut into cubes of 8, dealt to the ranks at random.
Result<Subject> make_cubes(SubjectWish const& wish) {
    constexpr Size side = 8;
    constexpr Size cubes = 8;  // along an edge
    constexpr unsigned deals = 4;
    Subject subject{wish.name, 8, {}, {}};
    for (unsigned deal = 0; deal < deals; ++deal) {
        std::vector<Size> order(cubes * cubes * cubes);
        for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<Size>(i);
        std::mt19937 random{deal};
        std::shuffle(order.begin(), order.end(), random);
        Pattern pattern{{cubes * side, cubes * side, cubes * side}, {}, {}};
        for (auto i = static_cast<std::size_t>(wish.rank); i < order.size();
             i += static_cast<std::size_t>(wish.ranks)) {
            auto const cube = order[i];
            pattern.starts.insert(pattern.starts.end(),
                                  {natural(cube / (cubes * cubes) * side), natural(cube / cubes % cubes * side),
                                   natural(cube % cubes * side)});
            pattern.sizes.insert(pattern.sizes.end(), {side, side, side});
        }
        subject.patterns.push_back(std::move(pattern));
    }
    for (Size i = 0; i < 50 * wish.scale; ++i) subject.variables.push_back(static_cast<std::size_t>(i) % deals);
    return subject;
}

// Variables in slabs, one per rank.
Subject make_slabs(SubjectWish const& wish, Size rows, Size variables) {
    Pattern pattern{{rows * wish.ranks, 1024}, {natural(rows * wish.rank), 0}, {natural(rows), 1024}};
    return {wish.name, 8, {pattern}, std::vector<std::size_t>(static_cast<std::size_t>(variables), 0)};
}

}  // namespace

Size Pattern::elements() const {
    Size all = 0;
    for_each_row([&](Offset, Size count) { all += count; });
    return all;
}

void Pattern::for_each_row(std::function<void(Offset, Size)> const& visit) const {
    auto const last = dimensions() - 1;
    for (std::size_t block = 0; block < blocks(); ++block) {
        auto const* const start = starts.data() + block * dimensions();
        auto const* const size = sizes.data() + block * dimensions();
        Size rows = 1;
        for (std::size_t d = 0; d < last; ++d) rows *= static_cast<Size>(size[d]);
        for (Size row = 0; row < rows; ++row) {
            auto rest = row;
            auto place = static_cast<Offset>(start[last]);
            auto stride = extent[last];
            for (auto d = last; d-- > 0; stride *= extent[d]) {
                place += (static_cast<Size>(start[d]) + rest % static_cast<Size>(size[d])) * stride;
                rest /= static_cast<Size>(size[d]);
            }
            visit(place, static_cast<Size>(size[last]));
        }
    }
}

Size Subject::bytes() const {
    Size all = 0;
    for (auto const variable : variables) {
        auto own = element;
        for (auto const size : patterns[variable].extent) own *= size;
        all += own;
    }
    return all;
}

std::vector<std::string> subject_names() { return {"climate", "cubes", "slabs", "small", "one"}; }

Result<Subject> make_subject(SubjectWish const& wish) {
    if (wish.name == "climate") return make_climate(wish);
    if (wish.name == "cubes") return make_cubes(wish);
    if (wish.name == "slabs") return make_slabs(wish, 256 * wish.scale, 16);  // large and contiguous
    if (wish.name == "small") return make_slabs(wish, 1, 200 * wish.scale);   // many of 8 KiB per rank
    if (wish.name == "one") return make_slabs(wish, 64 * wish.scale, 1);      // nothing to join
    return Status{Code::invalid_argument, "no such subject: " + wish.name};
}

}  // namespace muster::bench
