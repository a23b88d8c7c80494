// Declared I/O against the MPI's own collective calls, one for each variable, as a program would make them:
//   mpirun -n 4 declared_bench [--directory /dev/shm] [--repeats 9] [--scale 1] [--local /tmp] [--budget 10]
// Each repeat (more than asked for where they are short) opens, writes and closes a new file, then opens, reads and closes it, both ways in turn; types and extents are
// made before. Prints medians in milliseconds and how many times faster declared I/O is, after checking that both wrote the
// same file and read the same bytes. Where the MPI's own calls have taken --budget seconds in a row, they are not repeated any
// more. With --local, declared I/O keeps its file in a directory of the node.
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <numeric>
#include <string>

#include "muster/muster.hpp"
#include "native.hpp"
#include "workloads/registry.hpp"

namespace muster {
namespace {

using Bytes = std::vector<std::byte>;

struct Options {
    std::string directory{"/dev/shm"};
    std::string local{};
    std::string only{};
    int repeats{9};
    int scale{1};
    double budget{10};  // seconds of the MPI's own calls in a row, after which only declared I/O is repeated
};

struct Row {
    std::string name;
    std::string workload;
    std::vector<OptionPair> options;
};

// Per rank: 100 KB of integers or less, 50^3 points on average, 25,000 particles.
std::vector<Row> rows(int ranks, int scale) {
    auto const times = [&](int number) { return std::to_string(number * scale); };
    int side = 50;
    while (side * side * side < 125000 * ranks * scale) ++side;
    return {{"array1d uniform", "array1d", {{"distribution", "uniform"}, {"elements", times(25000)}}},
            {"array1d random", "array1d", {{"distribution", "random"}, {"elements", times(25000)}}},
            {"array1d normal", "array1d", {{"distribution", "normal"}, {"elements", times(25000)}}},
            {"S3D", "s3d", {{"grid", std::to_string(side)}}},
            {"HACC arrays", "hacc", {{"particles", times(25000)}, {"arrangement", "arrays"}}},
            {"HACC records", "hacc", {{"particles", times(25000)}, {"arrangement", "records"}}}};
}

int my_rank() {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

int rank_count() {
    int ranks = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    return ranks;
}

// What this rank has of each variable, in both words, and bytes for it.
struct Content {
    std::vector<NativeVariable> variables;
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
        content.variables.emplace_back(stream.alone());
        content.parts.push_back(std::move(part));
        content.data.push_back(std::move(bytes));
    }
    return content;
}

// --- measuring ---

void require(Status const& status) {
    if (status.ok()) return;
    std::fprintf(stderr, "rank %d: %s\n", my_rank(), status.text().c_str());
    MPI_Abort(MPI_COMM_WORLD, 1);
}

// Seconds of the slowest rank: all, and without opening and closing the file.
struct Seconds {
    double all{0};
    double calls{0};
};

class Clock {
public:
    Clock() {
        MPI_Barrier(MPI_COMM_WORLD);
        start_ = MPI_Wtime();
    }
    void opened() { opened_ = MPI_Wtime(); }
    void called() { called_ = MPI_Wtime(); }
    Seconds closed() const {
        double seconds[2] = {MPI_Wtime() - start_, called_ - opened_};
        MPI_Allreduce(MPI_IN_PLACE, seconds, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        return {seconds[0], seconds[1]};
    }

private:
    double start_{0};
    double opened_{0};
    double called_{0};
};

// One of the two ways.
struct Way {
    std::string path;
    Hints hints{};
    bool declared{false};
};

Seconds access_natively(Way const& way, Content& content, bool write) {
    Clock clock;
    MPI_File file = MPI_FILE_NULL;
    auto const mode = write ? MPI_MODE_CREATE | MPI_MODE_RDWR : MPI_MODE_RDONLY;
    MPI_File_open(MPI_COMM_WORLD, way.path.c_str(), mode, MPI_INFO_NULL, &file);
    clock.opened();
    for (std::size_t i = 0; i < content.variables.size(); ++i) {
        write ? content.variables[i].write(file, content.data[i]) : content.variables[i].read(file, content.data[i]);
    }
    clock.called();
    MPI_File_close(&file);
    return clock.closed();
}

Seconds access_declared(Way const& way, Content& content, bool write) {
    Clock clock;
    auto file = File::open(MPI_COMM_WORLD, way.path, write ? Mode::update : Mode::read, way.hints);
    require(file.status());
    clock.opened();
    auto declared = write ? Declared::write(*file, content.parts) : Declared::read(*file, content.parts);
    require(declared.status());
    for (std::size_t i = 0; i < content.parts.size(); ++i) {
        auto* const data = content.data[i].data();
        require(write ? declared->put(i, data) : declared->get(i, data).status());
    }
    require(declared->finish().status());
    clock.called();
    require(file->close());
    return clock.closed();
}

Seconds access(Way const& way, Content& content, bool write) {
    return way.declared ? access_declared(way, content, write) : access_natively(way, content, write);
}

void remove_file(Way const& way) {
    MPI_Barrier(MPI_COMM_WORLD);
    if (!way.hints.subfiles.empty()) {  // an ordinary file in its place removes the pieces
        auto file = File::open(MPI_COMM_WORLD, way.path, Mode::create);
        require(file.status());
        require(file->close());
    }
    if (my_rank() == 0) unlink(way.path.c_str());
    MPI_Barrier(MPI_COMM_WORLD);
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

constexpr double enough = 0.5;  // seconds: short ones are repeated more often
constexpr int most_repeats = 101;

struct Times {
    std::vector<double> write, read, both;
    std::vector<double> write_calls, read_calls;

    double seconds() const { return std::accumulate(both.begin(), both.end(), 0.0); }
    void add(Seconds const& writing, Seconds const& reading) {
        write.push_back(writing.all);
        read.push_back(reading.all);
        both.push_back(writing.all + reading.all);
        write_calls.push_back(writing.calls);
        read_calls.push_back(reading.calls);
    }
};

void repeat_once(Way const& way, Content& content, Times& times) {
    remove_file(way);
    auto const writing = access(way, content, true);
    times.add(writing, access(way, content, false));
}

std::string contents(std::string const& path) {
    std::ifstream file{path, std::ios::binary};
    return {std::istreambuf_iterator<char>{file}, {}};
}

// Each reads back what it has written; files that are single ones are the same.
bool check(Way const& native, Way const& declared, Content& content) {
    auto const original = content.data;
    auto same = true;
    for (auto const* way : {&native, &declared}) {
        remove_file(*way);
        access(*way, content, true);
        for (auto& bytes : content.data) std::fill(bytes.begin(), bytes.end(), std::byte{0});
        access(*way, content, false);
        same = same && content.data == original;
        content.data = original;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (my_rank() == 0 && declared.hints.subfiles.empty())
        same = same && contents(native.path) == contents(declared.path);
    int verdict = same ? 1 : 0;
    MPI_Allreduce(MPI_IN_PLACE, &verdict, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return verdict == 1;
}

// A cell of the table: theirs, ours, and how many times faster.
void print_pair(std::vector<double> const& theirs, std::vector<double> const& ours) {
    std::printf(" %.2f / %.2f | **%.1f** |", median(theirs) * 1e3, median(ours) * 1e3, median(theirs) / median(ours));
}

void print_head() {
    std::printf(
        "| ms: the MPI's own / declared | MB | write | times | read | times | write, then read | times | calls alone: write | read |\n");
    std::printf("|---|---|---|---|---|---|---|---|---|---|\n");
}

void print(Row const& row, Size bytes, Times const& theirs, Times const& ours) {
    std::printf("| %s | %.1f |", row.name.c_str(), static_cast<double>(bytes) / 1e6);
    print_pair(theirs.write, ours.write);
    print_pair(theirs.read, ours.read);
    print_pair(theirs.both, ours.both);
    std::printf(" %.1f | %.1f |", median(theirs.write_calls) / median(ours.write_calls),
                median(theirs.read_calls) / median(ours.read_calls));
}

Way declared_way(Options const& options) {
    Way way{options.directory + "/muster-declared-ours", {}, true};
    if (options.local.empty()) return way;
    way.hints.subfiles = "node";
    way.hints.subfile_directory = options.local;
    way.hints.subfile_checksums = Toggle::off;  // the reader is in the same job
    return way;
}

bool run_row(Row const& row, Options const& options) {
    auto const workload = make_workload(row.workload, rank_count(), row.options);
    require(workload.status());
    auto content = content_of(*workload);
    Way const native{options.directory + "/muster-declared-native", {}, false};
    auto const declared = declared_way(options);
    auto const right = check(native, declared, content);
    Times theirs, ours;
    for (int i = 0; i < options.repeats || (theirs.seconds() + ours.seconds() < enough && i < most_repeats); ++i) {
        if (i % 2 == 1) repeat_once(declared, content, ours);
        if (theirs.seconds() < options.budget) repeat_once(native, content, theirs);
        if (i % 2 == 0) repeat_once(declared, content, ours);
    }
    remove_file(native);
    remove_file(declared);
    if (my_rank() == 0) {
        print(row, workload->bytes(), theirs, ours);
        std::printf("%s\n", right ? "" : " WRONG BYTES");
        std::fflush(stdout);
    }
    return right;
}

Options parse(int count, char** words) {
    Options options;
    for (int i = 1; i + 1 < count; i += 2) {
        std::string const word = words[i];
        if (word == "--directory") options.directory = words[i + 1];
        if (word == "--local") options.local = words[i + 1];
        if (word == "--only") options.only = words[i + 1];
        if (word == "--repeats") options.repeats = std::atoi(words[i + 1]);
        if (word == "--budget") options.budget = std::atof(words[i + 1]);
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
    auto right = true;
    if (muster::my_rank() == 0) muster::print_head();
    for (auto const& row : muster::rows(muster::rank_count(), options.scale)) {
        if (row.name.find(options.only) != std::string::npos) right = muster::run_row(row, options) && right;
    }
    MPI_Finalize();
    return right ? 0 : 1;
}
