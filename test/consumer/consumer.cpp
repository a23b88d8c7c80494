// Uses the installed library from C++: the ranks share the columns of an array in a file.
#include <mpi.h>

#include <iostream>
#include <vector>

#include "muster/muster.hpp"

namespace {

constexpr muster::Size rows = 500;
constexpr muster::Size columns = 3;  // of each rank

std::vector<double> column_data(int rank) {
    std::vector<double> data(rows * columns);
    for (std::size_t i = 0; i < data.size(); ++i) data[i] = rank * 1e6 + static_cast<double>(i);
    return data;
}

muster::Subarray columns_of(int rank, int ranks) {
    return {{rows, columns * ranks}, {rows, columns}, {0, columns * rank}, sizeof(double)};
}

muster::Status write_and_read(muster::File& file, int rank, int ranks) {
    auto const neighbour = (rank + 1) % ranks;
    auto const mine = column_data(rank);
    if (auto written = file.write_all(columns_of(rank, ranks), mine.data()); !written) return written.status();
    std::vector<double> next(rows * columns);
    if (auto read = file.read_all(columns_of(neighbour, ranks), next.data()); !read) return read.status();
    if (next != column_data(neighbour)) return {muster::Code::internal, "read other data than written"};
    return {};
}

muster::Status run(std::string const& path, int rank, int ranks) {
    auto file = muster::File::open(MPI_COMM_WORLD, path, muster::Mode::create);
    if (!file) return file.status();
    auto status = write_and_read(*file, rank, ranks);
    auto const report = file->gather_report();
    if (rank == 0) std::cout << report.text() << "\n";
    return muster::first_failure(status, file->close());
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0, ranks = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    auto const status = run(std::string{argv[0]} + ".data", rank, ranks);
    if (!status.ok()) std::cerr << status.text() << "\n";
    MPI_Finalize();
    return status.ok() ? 0 : 1;
}
