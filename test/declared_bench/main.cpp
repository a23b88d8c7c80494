// Declared I/O against the MPI's own collective calls, variable by variable:
//   mpirun -n 4 declared_bench [--directory /dev/shm] [--repeats 7] [--scale 1]
// Prints medians in milliseconds, after checking that both wrote the same file and read the same bytes.
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>

#include "muster/muster.hpp"
#include "workloads/registry.hpp"

namespace muster {
namespace {

using Bytes = std::vector<std::byte>;

struct Options {
    std::string directory{"/dev/shm"};
    int repeats{7};
    int scale{1};
};

struct Row {
    std::string name;
    std::string workload;
    std::vector<OptionPair> options;
};

std::vector<Row> rows(int scale) {
    auto const times = [&](int number) { return std::to_string(number * scale); };
    return {{"array1d uniform", "array1d", {{"distribution", "uniform"}, {"elements", times(25000)}}},
            {"array1d random", "array1d", {{"distribution", "random"}, {"elements", times(25000)}}},
            {"array1d normal", "array1d", {{"distribution", "normal"}, {"elements", times(25000)}}},
            {"S3D", "s3d", {{"grid", times(60)}}},
            {"HACC, arrays", "hacc", {{"particles", times(25000)}, {"arrangement", "arrays"}}},
            {"HACC, records", "hacc", {{"particles", times(25000)}, {"arrangement", "records"}}}};
}

int my_rank() {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

// What this rank has of each variable, and bytes for it.
struct Content {
    std::vector<Part> parts;
    std::vector<Bytes> data;
};

Content content_of(Workload const& workload) {
    Content content;
    for (int variable = 0; variable < static_cast<int>(workload.variables.size()); ++variable) {
        Part part;
        auto const stream = workload.file_of(my_rank(), variable);
        stream.for_each([&](Offset offset, Size length) { part.extents.push_back({offset, length}); });
        Bytes bytes(static_cast<std::size_t>(stream.size()));
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            bytes[i] = static_cast<std::byte>(static_cast<int>(i) * 7 + variable * 31 + my_rank() * 101);
        }
        content.parts.push_back(std::move(part));
        content.data.push_back(std::move(bytes));
    }
    return content;
}

// --- the MPI's own way: a view and a collective call for each variable ---

MPI_Datatype type_of(Part const& part) {
    std::vector<int> lengths;
    std::vector<MPI_Aint> places;
    for (auto const& extent : part.extents) {
        lengths.push_back(static_cast<int>(extent.length));
        places.push_back(extent.offset);
    }
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_create_hindexed(static_cast<int>(lengths.size()), lengths.data(), places.data(), MPI_BYTE, &type);
    MPI_Type_commit(&type);
    return type;
}

void access_natively(std::string const& path, Content& content, bool write) {
    MPI_File file = MPI_FILE_NULL;
    auto const mode = write ? MPI_MODE_CREATE | MPI_MODE_RDWR : MPI_MODE_RDONLY;
    MPI_File_open(MPI_COMM_WORLD, path.c_str(), mode, MPI_INFO_NULL, &file);
    for (std::size_t i = 0; i < content.parts.size(); ++i) {
        auto const empty = content.data[i].empty();
        auto type = empty ? MPI_BYTE : type_of(content.parts[i]);
        char native[] = "native";
        MPI_File_set_view(file, 0, MPI_BYTE, type, native, MPI_INFO_NULL);
        auto const count = static_cast<int>(content.data[i].size());
        write ? MPI_File_write_all(file, content.data[i].data(), count, MPI_BYTE, MPI_STATUS_IGNORE)
              : MPI_File_read_all(file, content.data[i].data(), count, MPI_BYTE, MPI_STATUS_IGNORE);
        if (!empty) MPI_Type_free(&type);
    }
    MPI_File_close(&file);
}

// --- declared ---

void require(Status const& status) {
    if (status.ok()) return;
    std::fprintf(stderr, "rank %d: %s\n", my_rank(), status.text().c_str());
    MPI_Abort(MPI_COMM_WORLD, 1);
}

void access_declared(std::string const& path, Content& content, bool write) {
    auto file = File::open(MPI_COMM_WORLD, path, write ? Mode::update : Mode::read);
    require(file.status());
    auto declared = write ? Declared::write(*file, content.parts) : Declared::read(*file, content.parts);
    require(declared.status());
    for (std::size_t i = 0; i < content.parts.size(); ++i) {
        auto* const data = content.data[i].data();
        require(write ? declared->put(i, data) : declared->get(i, data).status());
    }
    require(declared->finish().status());
    require(file->close());
}

// --- measuring ---

using Access = void (*)(std::string const&, Content&, bool);

double seconds_of(std::function<void()> const& work) {
    MPI_Barrier(MPI_COMM_WORLD);
    auto const start = MPI_Wtime();
    work();
    double taken = MPI_Wtime() - start;
    MPI_Allreduce(MPI_IN_PLACE, &taken, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return taken;
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

void remove_file(std::string const& path) {
    MPI_Barrier(MPI_COMM_WORLD);
    if (my_rank() == 0) unlink(path.c_str());
    MPI_Barrier(MPI_COMM_WORLD);
}

struct Times {
    double write{0};
    double read{0};
    double both{0};  // write, then read
};

Times measure(Access access, std::string const& path, Content& content, int repeats) {
    std::vector<double> writes, reads, both;
    for (int i = 0; i < repeats; ++i) {
        remove_file(path);
        writes.push_back(seconds_of([&] { access(path, content, true); }));
        reads.push_back(seconds_of([&] { access(path, content, false); }));
        both.push_back(writes.back() + reads.back());
    }
    return {median(writes), median(reads), median(both)};
}

std::string contents(std::string const& path) {
    std::ifstream file{path, std::ios::binary};
    return {std::istreambuf_iterator<char>{file}, {}};
}

// Both write the same file, and read back what was written.
bool check(std::string const& native, std::string const& ours, Content& content) {
    auto const original = content.data;
    access_natively(native, content, true);
    access_declared(ours, content, true);
    MPI_Barrier(MPI_COMM_WORLD);
    int same = my_rank() != 0 || contents(native) == contents(ours) ? 1 : 0;
    for (auto& bytes : content.data) std::fill(bytes.begin(), bytes.end(), std::byte{0});
    access_declared(ours, content, false);
    same = same == 1 && content.data == original ? 1 : 0;
    content.data = original;
    MPI_Allreduce(MPI_IN_PLACE, &same, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return same == 1;
}

void run_row(Row const& row, Options const& options) {
    int ranks = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    auto const workload = make_workload(row.workload, ranks, row.options);
    require(workload.status());
    auto content = content_of(*workload);
    auto const native = options.directory + "/muster-declared-native";
    auto const ours = options.directory + "/muster-declared-ours";
    remove_file(native);
    remove_file(ours);
    auto const right = check(native, ours, content);
    auto const theirs = measure(access_natively, native, content, options.repeats);
    auto const mine = measure(access_declared, ours, content, options.repeats);
    remove_file(native);
    remove_file(ours);
    if (my_rank() != 0) return;
    std::printf("%-16s %8.1f MB  write %8.2f / %7.2f ms %5.1fx  read %8.2f / %7.2f ms %5.1fx  both %5.1fx %s\n",
                row.name.c_str(), static_cast<double>(workload->bytes()) / 1e6, theirs.write * 1e3, mine.write * 1e3,
                theirs.write / mine.write, theirs.read * 1e3, mine.read * 1e3, theirs.read / mine.read,
                theirs.both / mine.both, right ? "" : "WRONG BYTES");
    std::fflush(stdout);
}

Options parse(int count, char** words) {
    Options options;
    for (int i = 1; i + 1 < count; i += 2) {
        std::string const word = words[i];
        if (word == "--directory") options.directory = words[i + 1];
        if (word == "--repeats") options.repeats = std::atoi(words[i + 1]);
        if (word == "--scale") options.scale = std::atoi(words[i + 1]);
    }
    return options;
}

}  // namespace
}  // namespace muster

// A test program: an exception may end it.
// NOLINTNEXTLINE(bugprone-exception-escape)
int main(int count, char** words) {
    MPI_Init(&count, &words);
    auto const options = muster::parse(count, words);
    for (auto const& row : muster::rows(options.scale)) muster::run_row(row, options);
    MPI_Finalize();
    return 0;
}
