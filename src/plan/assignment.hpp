// The linear assignment problem, solved exactly.
#pragma once

#include <vector>

namespace muster {

// costs of `rows` things at `columns` places, row by row.
struct CostMatrix {
    int rows{0};
    int columns{0};
    std::vector<double> costs;

    CostMatrix(int row_count, int column_count)
        : rows{row_count},
          columns{column_count},
          costs(static_cast<std::size_t>(row_count) * static_cast<std::size_t>(column_count)) {}
    double& at(int row, int column) { return costs[index(row, column)]; }
    double at(int row, int column) const { return costs[index(row, column)]; }

private:
    std::size_t index(int row, int column) const {
        return static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) + static_cast<std::size_t>(column);
    }
};

// The column of each row, no column twice, so that the sum of the costs is least. By shortest augmenting paths (Jonker and
// Volgenant, 1987; for rectangular matrices as told by Crouse, 2016): rows^2 * columns steps at most. Of equal solutions
// always the same one. There must be as many columns as rows, or more; costs are finite.
std::vector<int> assign(CostMatrix const& matrix);

double cost_of(CostMatrix const& matrix, std::vector<int> const& columns);

}  // namespace muster
