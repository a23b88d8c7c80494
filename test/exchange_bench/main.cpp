// Measures the kernels of the exchange against `ascending` on three patterns of messages, write and read.
//   muster-exchange-mpich [--bytes N] [--rounds N] [--runs N] [--aggregators N] [--throttle N] [--nodes N] [--json]
// 'muster bench exchange' starts it; with --json it tells its progress, too, one object per line.
// All kernels take turns in every run, so that whatever else the machine does hits all of them alike.
#include <mpi.h>
#include <sys/prctl.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <map>

#include "core/json.hpp"
#include "exchange/exchange_testing.hpp"
#include "plan/kernels.hpp"

namespace muster {
namespace {

using testing_exchange::Index;
using testing_exchange::Messages;
using testing_exchange::Part;

struct Options {
    Size bytes{16 << 10};  // of a message
    int rounds{20};        // exchanges in one run
    int runs{5};
    int aggregators{0};  // 0: a quarter of the ranks
    int throttle{32};
    int nodes{2};  // the machine that the order of ranks follows
    bool json{false};
};

constexpr Kernel kernels[] = {Kernel::ascending, Kernel::ascending_sync, Kernel::spread_out,
                              Kernel::balanced,  Kernel::pairwise,       Kernel::alltoallw};

struct Workload {
    std::string name;
    Messages messages;
};

std::vector<Rank> first_ranks(int count) {
    std::vector<Rank> ranks(static_cast<Index>(count));
    std::iota(ranks.begin(), ranks.end(), 0);
    return ranks;
}

template <class Present>
Messages make_messages(int ranks, int aggregators, Size bytes, Present&& present) {
    Messages messages{first_ranks(aggregators), {}};
    for (int i = 0; i < aggregators; ++i) {
        auto& row = messages.bytes.emplace_back();
        for (int rank = 0; rank < ranks; ++rank) row.push_back(present(i, rank) ? bytes : 0);
    }
    return messages;
}

std::vector<Workload> workloads_for(int ranks, Options const& options) {
    auto const few = options.aggregators > 0 ? std::min(options.aggregators, ranks) : (ranks + 3) / 4;
    auto const all = [](int, int) { return true; };
    auto const even = [](int, int rank) { return rank % 2 == 0; };
    auto const neighbours = [&](int aggregator, int rank) { return (rank + ranks - aggregator) % ranks <= 4; };
    return {{"all-to-many", make_messages(ranks, few, options.bytes, all)},
            {"many-to-many", make_messages(ranks, (ranks + 1) / 2, options.bytes, even)},
            {"sparse", make_messages(ranks, few, options.bytes, neighbours)}};
}

// The lanes of a part whose contents nobody looks at: only the messages are measured.
class Blank {
public:
    Blank(Lanes lanes, Size bytes)
        : lanes_{std::move(lanes)}, out_{memory_for(lanes_.outgoing, bytes)}, in_{memory_for(lanes_.incoming, bytes)} {
        blank(lanes_.outgoing, out_);
        blank(lanes_.incoming, in_);
    }
    Blank(Blank const&) = delete;
    Blank& operator=(Blank const&) = delete;
    Lanes const& lanes() const { return lanes_; }

private:
    using Memory = std::vector<std::vector<std::byte>>;
    static Memory memory_for(Lane const& lane, Size bytes) {
        return Memory(lane.peers.size(), std::vector<std::byte>(static_cast<Index>(bytes)));
    }
    static void blank(Lane& lane, Memory& memory) {
        lane.load = [&memory](Index i) { return std::span{memory[i]}; };
        lane.unload = [](Index) {};
    }

    Lanes lanes_;
    Memory out_;
    Memory in_;
};

struct Bench {
    Options options;
    Comm comm{Comm::of(MPI_COMM_WORLD)};
    Machine machine{block_machine(comm.size, std::max(1, (comm.size + options.nodes - 1) / options.nodes))};
    RankReport report{};
    Courier courier{comm, machine, report};

    Terms terms(Kernel kernel) const { return {kernel, options.throttle, 0, data_tag}; }

    // Collective. Whether everything arrived as it was sent.
    bool verify(Messages const& messages, Direction direction, Kernel kernel) {
        Part part{courier, messages, direction, kernel};
        exchange(courier, terms(kernel), part.lanes(), [] {});
        Size wrong = part.right && part.done == part.expected() ? 0 : 1;
        reduce_all(comm, {&wrong, 1}, MPI_MAX);
        return wrong == 0;
    }

    // Collective. Seconds of the slowest rank.
    double run(Messages const& messages, Direction direction, Kernel kernel) {
        Part part{courier, messages, direction, kernel};
        Blank const blank{part.lanes(), options.bytes};
        barrier(comm);
        auto const start = MPI_Wtime();
        for (int round = 0; round < options.rounds; ++round) exchange(courier, terms(kernel), blank.lanes(), [] {});
        auto seconds = MPI_Wtime() - start;
        reduce_all(comm, &seconds, MPI_DOUBLE, MPI_MAX);
        return seconds;
    }
};

struct Row {
    std::string workload;
    Direction direction{Direction::write};
    Kernel kernel{Kernel::ascending};
    std::vector<double> seconds;  // sorted

    double median() const { return seconds[seconds.size() / 2]; }
};

// Collective.
Result<std::vector<Row>> measure(Bench& bench, Workload const& workload, Direction direction) {
    std::vector<Row> rows;
    for (auto const kernel : kernels) {
        if (!bench.verify(workload.messages, direction, kernel)) {
            return Status{Code::internal, workload.name + ": " + kernel_name(kernel) + " delivered wrong bytes"};
        }
        rows.push_back({workload.name, direction, kernel, {}});
    }
    for (int run = 0; run < bench.options.runs; ++run) {
        for (auto& row : rows) row.seconds.push_back(bench.run(workload.messages, direction, row.kernel));
    }
    for (auto& row : rows) std::sort(row.seconds.begin(), row.seconds.end());
    return rows;
}

void print_table(std::vector<Row> const& rows) {
    std::printf("%-13s %-5s %-15s %10s %10s %10s %9s\n", "pattern", "", "kernel", "median ms", "least ms", "most ms",
                "ratio");
    double reference = 0;
    for (auto const& row : rows) {
        if (row.kernel == Kernel::ascending) reference = row.median();
        std::printf("%-13s %-5s %-15s %10.3f %10.3f %10.3f %9.2f\n", row.workload.c_str(), name_of(row.direction),
                    kernel_name(row.kernel), row.median() * 1e3, row.seconds.front() * 1e3, row.seconds.back() * 1e3,
                    row.median() / reference);
    }
    std::puts("ratio: median to that of ascending; below 1 is faster");
}

std::string json_of(Bench const& bench, std::vector<Row> const& rows) {
    JsonWriter json;
    json.begin_object()
        .member("type", "exchange")
        .member("ranks", bench.comm.size)
        .member("machine", bench.machine.text());
    json.member("bytes", bench.options.bytes).member("rounds", bench.options.rounds).member("runs", bench.options.runs);
    json.member("throttle", bench.options.throttle).key("results").begin_array();
    double reference = 0;
    for (auto const& row : rows) {
        if (row.kernel == Kernel::ascending) reference = row.median();
        json.begin_object().member("pattern", row.workload).member("direction", name_of(row.direction));
        json.member("kernel", kernel_name(row.kernel)).member("median_seconds", row.median());
        json.member("least_seconds", row.seconds.front()).member("most_seconds", row.seconds.back());
        json.member("ratio_to_ascending", row.median() / reference).member("verified", true).end_object();
    }
    return json.end_array().end_object().text();
}

Options parse(int count, char** words) {
    Options options;
    std::map<std::string, int*> const numbers{{"--rounds", &options.rounds},
                                              {"--runs", &options.runs},
                                              {"--aggregators", &options.aggregators},
                                              {"--throttle", &options.throttle},
                                              {"--nodes", &options.nodes}};
    for (int i = 1; i < count; ++i) {
        std::string const word = words[i];
        if (word == "--json") options.json = true;
        if (i + 1 == count) continue;
        if (word == "--bytes") options.bytes = std::max(1L, std::strtol(words[i + 1], nullptr, 10));
        if (auto const found = numbers.find(word); found != numbers.end()) *found->second = std::atoi(words[i + 1]);
    }
    options.runs = std::max(options.runs, 1);
    options.nodes = std::max(options.nodes, 1);
    return options;
}

void tell_progress(Bench const& bench, std::size_t done, std::string const& doing) {
    if (bench.comm.rank != 0 || !bench.options.json) return;
    JsonWriter json;
    json.begin_object().member("type", "progress").member("done", static_cast<Size>(done)).member("doing", doing);
    std::puts(json.end_object().text().c_str());
    std::fflush(stdout);
}

int run(Options const& options) {
    Bench bench{options};
    std::vector<Row> all;
    for (auto const& workload : workloads_for(bench.comm.size, options)) {
        for (auto const direction : {Direction::write, Direction::read}) {
            tell_progress(bench, all.size(), workload.name + " " + name_of(direction));
            auto rows = measure(bench, workload, direction);
            if (!rows) {
                std::fprintf(stderr, "exchange_bench: %s\n", rows.status().text().c_str());
                return 1;
            }
            all.insert(all.end(), rows->begin(), rows->end());
        }
    }
    if (bench.comm.rank != 0) return 0;
    if (options.json)
        std::puts(json_of(bench, all).c_str());
    else
        print_table(all);
    return 0;
}

}  // namespace
}  // namespace muster

int main(int count, char** words) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // no rank outlives its launcher
    MPI_Init(&count, &words);
    auto const result = muster::run(muster::parse(count, words));
    MPI_Finalize();
    return result;
}
