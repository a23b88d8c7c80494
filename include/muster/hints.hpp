// What a user may ask for. The default of a hint is its field's initialiser, and nowhere else; the table in
// src/core/hints.cpp gives each its name, unit and meaning, and serves MPI_Info, environment, command line and docs.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "muster/extent.hpp"
#include "muster/status.hpp"

namespace muster {

enum class Toggle { automatic, on, off };
enum class Layout { automatic, striped, contiguous };
enum class Placement { automatic, spread, round_robin, list, locality, topology, memory };
enum class RankOrder { automatic, plain, round_robin, list };
enum class Kernel { automatic, ascending, ascending_sync, spread_out, balanced, pairwise, alltoallw };

struct Hints {
    Toggle collective_write{Toggle::automatic};  // off: every rank stores its own pieces
    Toggle collective_read{Toggle::automatic};

    int aggregators{0};           // 0: chosen by the plan (one per node, or the stripe count)
    int aggregators_per_node{0};  // at most so many on a node; 0: chosen by the plan
    Placement placement{Placement::automatic};
    std::vector<Rank> aggregator_list;        // with placement "list"
    std::string machine;                      // what the machine is like beyond what is found: see docs/placement.md
    int fabric_seconds{10};                   // to walk an InfiniBand network; 0: not at all
    int ranks_per_node{0};                    // 0: nodes as MPI finds them; n: artificial nodes of n ranks
    Toggle numa_nodes{Toggle::automatic};     // on: every NUMA domain counts as a node
    Toggle shared_memory{Toggle::automatic};  // off: messages even between ranks of one node
    int local_aggregators{0};                 // per node, for the node step; 0: chosen by the plan
    Size node_memory{Size{256} << 20};        // shared memory in which a node's ranks hand over to local aggregators

    Layout layout{Layout::automatic};
    Size stripe_size{0};  // 0: as the file system says
    int stripe_count{0};
    Size window{0};  // bytes an aggregator stores at once; 0: chosen by the plan
    int windows{3};  // windows in flight per aggregator: one is exchanged while another is stored

    std::string
        tier;  // memory of the windows, by its name in `machine`; empty: plain, or what placement "memory" chooses
    std::string subfiles;  // one file as pieces: "node", "nodes:4", "aggregator", "16"; empty or "off": one file
    Size subfile_unit{Size{1} << 20};             // bytes that go to one piece before the next gets some
    std::string subfile_directory;                // of the pieces, for example of the node; empty: beside the file
    Toggle subfile_checksums{Toggle::automatic};  // off: closing does not read the pieces again

    Kernel metadata_kernel{Kernel::automatic};
    Kernel data_kernel{Kernel::automatic};
    RankOrder rank_order{RankOrder::automatic};  // in which the balanced kernel deals ranks to aggregators
    std::vector<Rank> rank_list;                 // with rank order "list"
    int throttle{32};                            // messages in flight per rank; 0: no bound
    int throttle_inside{0};                      // the same for peers on the own node, counted apart; 0: no difference
    Size metadata_memory{Size{64} << 20};        // bytes of coded extent lists an aggregator holds at once

    Size direct_write{Size{64} << 10};  // pieces of this size and more are stored without exchange; 0: hardly ever
    Size direct_read{Size{16} << 10};
    int hole_writes{512};          // a window with holes: up to so many separate writes, beyond: read-modify-write
    Toggle file_lock{Toggle::on};  // lock the file range during read-modify-write, share it during writes

    int watchdog{0};     // seconds a rank waits for others before it says so on standard error; 0: never
    std::string faults;  // for tests: "write:3:ENOSPC@2" fails the third write of rank 2

    bool operator==(Hints const&) const = default;
};

// One hint given by its name, as text.
using HintPair = std::pair<std::string, std::string>;

}  // namespace muster
