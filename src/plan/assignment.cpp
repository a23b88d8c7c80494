#include "plan/assignment.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numeric>
#include <utility>

namespace muster {

namespace {

constexpr int nobody = -1;
constexpr double infinite = std::numeric_limits<double>::infinity();

std::size_t at(int index) { return static_cast<std::size_t>(index); }

// Columns are looked at in pairs: the compiler makes of these types what the processor has.
constexpr int lanes = 2;
using Doubles = double __attribute__((vector_size(lanes * sizeof(double))));
using Longs = std::int64_t __attribute__((vector_size(lanes * sizeof(std::int64_t))));

template <class Values, class Element>
Values load(Element const* from) {
    Values values;
    std::memcpy(&values, from, sizeof values);
    return values;
}
template <class Values, class Element>
void store(Element* to, Values const& values) {
    std::memcpy(to, &values, sizeof values);
}

Doubles least(Doubles const& left, Doubles const& right) { return left < right ? left : right; }

// Columns are padded to a multiple of a block; the ones too many are closed for ever.
class Solver {
public:
    explicit Solver(CostMatrix const& matrix)
        : rows_{matrix.rows},
          columns_{matrix.columns},
          width_{(matrix.columns + block - 1) / block * block},
          costs_(at(matrix.rows) * at(width_)),
          row_price_(at(matrix.rows)),
          column_price_(at(matrix.columns)),
          row_of_(at(matrix.columns), nobody),
          column_of_(at(matrix.rows), nobody),
          length_(at(matrix.columns)),
          open_length_(at(width_)),
          open_price_(at(width_)),
          before_(at(width_)),
          block_least_(at(width_ / block)) {
        for (int row = 0; row < rows_; ++row) {
            std::copy_n(matrix.costs.data() + at(row) * at(columns_), columns_, costs_of(row));
        }
    }

    std::vector<int> solve() {
        for (int row = 0; row < rows_; ++row) augment(row);
        return std::move(column_of_);
    }

private:
    static constexpr int block = 64;  // columns whose least length is remembered

    double* costs_of(int row) { return costs_.data() + at(row) * at(width_); }

    // Gives `row` a column along the cheapest path of changes, by reduced costs.
    void augment(int row) {
        auto const free = search(row);
        update_prices(row);
        for (auto column = free;;) {
            auto const owner = static_cast<int>(before_[at(column)]);
            row_of_[at(column)] = owner;
            std::swap(column_of_[at(owner)], column);
            if (owner == row) return;
        }
    }

    // Dijkstra's search from a row to the nearest column that nobody has.
    int search(int row) {
        std::fill(open_length_.begin(), open_length_.end(), infinite);
        std::fill(open_price_.begin(), open_price_.end(), -infinite);
        std::copy(column_price_.begin(), column_price_.end(), open_price_.begin());
        rows_seen_.assign(1, row);
        columns_seen_.clear();
        shortest_ = 0;
        for (auto from = row;;) {
            look_from(from);
            auto const column = nearest();
            if (row_of_[at(column)] == nobody) return column;
            close(column);
            columns_seen_.push_back(column);
            from = row_of_[at(column)];
            rows_seen_.push_back(from);
        }
    }

    // The ways from a row to the open columns. Closed ones have a price that makes them infinitely far.
    void look_from(int row) {
        auto const base = shortest_ - row_price_[at(row)];
        auto const* const costs = costs_of(row);
        Longs const own = Longs{} + row;
        shortest_ = infinite;
        for (int first = 0; first < width_; first += block) {
            auto left = Doubles{} + infinite;  // two, so that one need not wait for the other
            auto right = left;
            for (int i = first; i < first + block; i += 2 * lanes) {
                left = least(left, look(i, base + load<Doubles>(costs + i), own));
                right = least(right, look(i + lanes, base + load<Doubles>(costs + i + lanes), own));
            }
            auto const both = least(left, right);
            auto const nearest = std::min(both[0], both[1]);
            block_least_[at(first / block)] = nearest;
            shortest_ = std::min(shortest_, nearest);
        }
    }

    // From row `own` to the columns at `index`; how far they are now.
    Doubles look(int index, Doubles const& cost, Longs const& own) {
        auto const reach = cost - load<Doubles>(open_price_.data() + index);
        auto const length = load<Doubles>(open_length_.data() + index);
        auto const shorter = reach < length;
        auto const now = shorter ? reach : length;
        store(open_length_.data() + index, now);
        store(before_.data() + index, shorter ? own : load<Longs>(before_.data() + index));
        return now;
    }

    // An open column at the shortest length; a free one if there is one.
    int nearest() const {
        int found = nobody;
        for (int first = 0; first < width_; first += block) {
            if (block_least_[at(first / block)] != shortest_) continue;
            for (int column = first; column < std::min(first + block, columns_); ++column) {
                if (open_length_[at(column)] != shortest_) continue;
                if (row_of_[at(column)] == nobody) return column;
                if (found == nobody) found = column;
            }
        }
        return found;
    }

    void close(int column) {
        length_[at(column)] = shortest_;
        open_length_[at(column)] = infinite;
        open_price_[at(column)] = -infinite;
    }

    void update_prices(int row) {
        row_price_[at(row)] += shortest_;
        for (std::size_t i = 1; i < rows_seen_.size(); ++i) {
            auto const seen = rows_seen_[i];
            row_price_[at(seen)] += shortest_ - length_[at(column_of_[at(seen)])];
        }
        for (auto const column : columns_seen_) column_price_[at(column)] -= shortest_ - length_[at(column)];
    }

    int rows_;
    int columns_;
    int width_;
    std::vector<double> costs_;
    std::vector<double> row_price_;
    std::vector<double> column_price_;
    std::vector<int> row_of_;
    std::vector<int> column_of_;
    // Of the search under way:
    std::vector<double> length_;       // of the shortest path to each closed column
    std::vector<double> open_length_;  // to each open one; others are infinitely far
    std::vector<double> open_price_;
    std::vector<std::int64_t> before_;  // the row before each column
    std::vector<double> block_least_;
    std::vector<int> rows_seen_;
    std::vector<int> columns_seen_;
    double shortest_{0};
};

// Of more columns than rows, each row needs only as many as there are rows: others cannot all have taken its cheapest ones.
// Where all rows want the same columns, the worst case, few are left.
std::vector<int> needed_columns(CostMatrix const& matrix) {
    std::vector<bool> needed(at(matrix.columns), false);
    std::vector<int> order(at(matrix.columns));
    for (int row = 0; row < matrix.rows; ++row) {
        auto const* const costs = matrix.costs.data() + at(row) * at(matrix.columns);
        std::iota(order.begin(), order.end(), 0);
        std::nth_element(order.begin(), order.begin() + matrix.rows, order.end(), [&](int left, int right) {
            return std::pair{costs[left], left} < std::pair{costs[right], right};
        });
        for (int i = 0; i < matrix.rows; ++i) needed[at(order[at(i)])] = true;
    }
    std::vector<int> columns;
    for (int column = 0; column < matrix.columns; ++column) {
        if (needed[at(column)]) columns.push_back(column);
    }
    return columns;
}

CostMatrix with_columns(CostMatrix const& matrix, std::vector<int> const& columns) {
    CostMatrix fewer{matrix.rows, static_cast<int>(columns.size())};
    for (int row = 0; row < matrix.rows; ++row) {
        for (int i = 0; i < fewer.columns; ++i) fewer.at(row, i) = matrix.at(row, columns[at(i)]);
    }
    return fewer;
}

}  // namespace

std::vector<int> assign(CostMatrix const& matrix) {
    if (matrix.columns < matrix.rows + matrix.rows / 4 + 1 || matrix.rows == 0) return Solver{matrix}.solve();
    auto const columns = needed_columns(matrix);
    auto assigned = Solver{with_columns(matrix, columns)}.solve();
    for (auto& column : assigned) column = columns[at(column)];
    return assigned;
}

double cost_of(CostMatrix const& matrix, std::vector<int> const& columns) {
    double sum = 0;
    for (int row = 0; row < matrix.rows; ++row) sum += matrix.at(row, columns[at(row)]);
    return sum;
}

}  // namespace muster
