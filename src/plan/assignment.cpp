#include "plan/assignment.hpp"

#include <limits>

namespace muster {

namespace {

constexpr int nobody = -1;

std::size_t at(int index) { return static_cast<std::size_t>(index); }

class Solver {
public:
    explicit Solver(CostMatrix const& matrix)
        : matrix_{matrix},
          row_price_(at(matrix.rows)),
          column_price_(at(matrix.columns)),
          row_of_(at(matrix.columns), nobody),
          column_of_(at(matrix.rows), nobody),
          length_(at(matrix.columns)),
          before_(at(matrix.columns)),
          open_(at(matrix.columns)) {}

    std::vector<int> solve() {
        for (int row = 0; row < matrix_.rows; ++row) augment(row);
        return std::move(column_of_);
    }

private:
    // Gives `row` a column along the cheapest path of changes, by reduced costs.
    void augment(int row) {
        auto const free = search(row);
        update_prices(row);
        for (auto column = free;;) {
            auto const owner = before_[at(column)];
            row_of_[at(column)] = owner;
            std::swap(column_of_[at(owner)], column);
            if (owner == row) return;
        }
    }

    // Dijkstra's search from a row to the nearest column that nobody has.
    int search(int row) {
        std::fill(length_.begin(), length_.end(), std::numeric_limits<double>::infinity());
        for (int column = 0; column < matrix_.columns; ++column) open_[at(column)] = column;
        open_count_ = matrix_.columns;
        rows_seen_.assign(1, row);
        columns_seen_.clear();
        shortest_ = 0;
        for (auto from = row;;) {
            auto const column = nearest_from(from);
            if (row_of_[at(column)] == nobody) return column;
            columns_seen_.push_back(column);
            from = row_of_[at(column)];
            rows_seen_.push_back(from);
        }
    }

    // Looks at the ways from a row, then takes the nearest column out of the open ones; free ones first among equals.
    int nearest_from(int row) {
        auto const base = shortest_ - row_price_[at(row)];
        auto best = std::numeric_limits<double>::infinity();
        int best_index = 0;
        for (int i = 0; i < open_count_; ++i) {
            auto const column = open_[at(i)];
            auto& length = length_[at(column)];
            auto const reach = base + matrix_.at(row, column) - column_price_[at(column)];
            if (reach < length) {
                length = reach;
                before_[at(column)] = row;
            }
            if (length < best ||
                (length == best && row_of_[at(column)] == nobody && row_of_[at(open_[at(best_index)])] != nobody)) {
                best = length;
                best_index = i;
            }
        }
        shortest_ = best;
        auto const column = open_[at(best_index)];
        open_[at(best_index)] = open_[at(--open_count_)];
        return column;
    }

    void update_prices(int row) {
        row_price_[at(row)] += shortest_;
        for (std::size_t i = 1; i < rows_seen_.size(); ++i) {
            auto const seen = rows_seen_[i];
            row_price_[at(seen)] += shortest_ - length_[at(column_of_[at(seen)])];
        }
        for (auto const column : columns_seen_) column_price_[at(column)] -= shortest_ - length_[at(column)];
    }

    CostMatrix const& matrix_;
    std::vector<double> row_price_;
    std::vector<double> column_price_;
    std::vector<int> row_of_;
    std::vector<int> column_of_;
    // Of the search under way:
    std::vector<double> length_;  // of the shortest path to each column
    std::vector<int> before_;     // the row before it
    std::vector<int> open_;       // columns not yet reached for good
    int open_count_{0};
    std::vector<int> rows_seen_;
    std::vector<int> columns_seen_;
    double shortest_{0};
};

}  // namespace

std::vector<int> assign(CostMatrix const& matrix) { return Solver{matrix}.solve(); }

double cost_of(CostMatrix const& matrix, std::vector<int> const& columns) {
    double sum = 0;
    for (int row = 0; row < matrix.rows; ++row) sum += matrix.at(row, columns[at(row)]);
    return sum;
}

}  // namespace muster
