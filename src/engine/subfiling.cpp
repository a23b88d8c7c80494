#include "engine/subfiling.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <limits>

#include "mpi/agree.hpp"
#include "plan/aggregators.hpp"
#include "storage/moving.hpp"

namespace muster {

namespace {

bool parse_count(std::string_view text, int& count) {
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
    return error == std::errc{} && end == text.data() + text.size() && count >= 1;
}

Status not_understood(std::string const& hint) {
    return {Code::invalid_hint,
            "muster_subfiles cannot be '" + hint +
                "': allowed is off, node, nodes:K (one for every K nodes), aggregator, or a number"};
}

// How many pieces a new file gets; 0: it is an ordinary one.
Result<int> wanted_pieces(SubfilingInput const& input) {
    auto const& hint = input.hints.subfiles;
    auto const nodes = input.machine.node_count();
    int count = 0;
    if (hint.empty() || hint == "off") return 0;
    if (hint == "node") return nodes;
    if (hint == "aggregator") return static_cast<int>(choose_aggregators(input.machine, input.hints, {}).ranks.size());
    if (hint.starts_with("nodes:") && parse_count(std::string_view{hint}.substr(6), count))
        return (nodes + count - 1) / count;
    if (parse_count(hint, count) && count <= 1 << 20) return count;
    return not_understood(hint);
}

// A directory, or that of a tier: "tier" the fastest that keeps what is there, "tier:SSD" this one.
Result<std::string> wanted_directory(SubfilingInput const& input) {
    auto const& hint = input.hints.subfile_directory;
    if (hint != "tier" && !hint.starts_with("tier:")) return whole_path(hint);
    auto const name = hint == "tier" ? std::string{} : hint.substr(5);
    TierFacts const* best = nullptr;
    for (auto const& tier : input.machine.tiers) {
        if (!tier.persistent || tier.directory.empty() || (!name.empty() && tier.name != name)) continue;
        if (best == nullptr || tier.bandwidth > best->bandwidth) best = &tier;
    }
    if (best != nullptr) return whole_path(best->directory);
    return Status{Code::invalid_hint, "muster_subfile_directory is '" + hint +
                                          "', but no such tier of the machine is persistent and has a directory"};
}

// Rank 0: a new set under this name.
Result<FoundSubfiles> make_set(SubfilingInput const& input, int count, bool exists) {
    auto const& hints = input.hints;
    auto const directory = wanted_directory(input);
    if (!directory) return directory.status();
    SubfileIndex index{count, hints.subfile_unit, new_subfile_mark(), *directory, true, {}};
    auto replaced = exists ? read_subfile_index(input.path) : std::optional<SubfileIndex>{};
    auto status = write_subfile_index(input.path, index, input.open.exclusive || !exists);
    // Another job may have come in between.
    if (status.code() == Code::exists && !input.open.exclusive) status = write_subfile_index(input.path, index);
    if (!status.ok()) return status;
    return FoundSubfiles{std::move(index), replaced ? std::move(*replaced) : std::nullopt};
}

// The aggregators of a new set: one rank on each of the nodes that get pieces.
std::vector<Rank> first_ranks(Machine const& machine, int count) {
    auto const nodes = machine.ranks_by_node();
    std::vector<Rank> ranks;
    for (std::size_t turn = 0; static_cast<int>(ranks.size()) < count; ++turn) {
        auto const before = ranks.size();
        auto const step = std::max<std::size_t>(nodes.size() / static_cast<std::size_t>(count), 1);
        for (std::size_t node = 0; node < nodes.size() && static_cast<int>(ranks.size()) < count; node += step) {
            if (turn < nodes[node].size()) ranks.push_back(nodes[node][turn]);
        }
        if (ranks.size() == before) break;
    }
    return ranks;
}

// Collective. For each piece a rank that sees it with all its bytes: the one that would have made it, else the lowest; the
// number of ranks where nobody does.
std::vector<Rank> ranks_that_see(SubfilingInput const& input, SubfileIndex const& index) {
    auto const size = input.comm.size;
    auto const makers = first_ranks(input.machine, index.count);
    std::vector<Size> best(static_cast<std::size_t>(index.count), 2 * size);
    for (std::size_t piece = 0; piece < best.size(); ++piece) {
        if (!check_piece(input.path, index, static_cast<int>(piece), false).ok()) continue;
        auto const made = piece < makers.size() && makers[piece] == input.comm.rank;
        best[piece] = made ? input.comm.rank : size + input.comm.rank;
    }
    reduce_all(input.comm, best, MPI_MIN);
    std::vector<Rank> ranks;
    for (auto const found : best) ranks.push_back(static_cast<Rank>(found < 2 * size ? found % size : size));
    return ranks;
}

// Every piece as it was when the set was closed.
Status check_pieces(SubfilingInput const& input, SubfileIndex const& index) {
    for (int piece = 0; index.closed() && piece < index.count; ++piece) {
        if (auto status = check_piece(input.path, index, piece, false); !status.ok()) return status;
    }
    return {};
}

// Collective, all knowing that nobody sees this piece as it should be: what rank 0 says about it.
Status missing(SubfilingInput const& input, SubfileIndex const& index, std::size_t piece) {
    return agree(input.comm,
                 input.comm.rank == 0 ? check_piece(input.path, index, static_cast<int>(piece), false) : Status{});
}

// Collective. A rank of its own for each piece, on a node that sees it: others of the node see it as well.
Result<std::vector<Rank>> local_aggregators(SubfilingInput const& input, SubfileIndex const& index) {
    if (!index.closed()) return first_ranks(input.machine, index.count);
    auto const seen = ranks_that_see(input, index);
    auto const nobody = std::find(seen.begin(), seen.end(), input.comm.size);
    if (nobody != seen.end()) return missing(input, index, static_cast<std::size_t>(nobody - seen.begin()));
    auto const nodes = input.machine.ranks_by_node();
    std::vector<std::size_t> taken(nodes.size(), 0);
    std::vector<Rank> ranks;
    for (auto const rank : seen) {
        auto const node = static_cast<std::size_t>(input.machine.node_of[static_cast<std::size_t>(rank)]);
        if (taken[node] == nodes[node].size()) {
            return Status{Code::unsupported, "more pieces of " + input.path + " than ranks on the node that has them"};
        }
        ranks.push_back(nodes[node][taken[node]++]);
    }
    return ranks;
}

// --- closing: sizes of all pieces, then checksums, each told by the rank that examines it ---

using Numbers = std::vector<Size>;
constexpr auto not_mine = std::numeric_limits<Size>::min();

// Rank 0 alone where that takes no time; else a rank for each piece, which must see it.
Rank examiner_of(SubfilingInput const& input, SubfileIndex const& index, std::size_t piece) {
    auto const& listed = input.hints.aggregator_list;
    if (!input.all_see(index) && listed.size() == static_cast<std::size_t>(index.count)) return listed[piece];
    constexpr int few = 16;
    if (index.count == 1 || (!index.checksums && index.count <= few)) return 0;
    return static_cast<Rank>(piece % static_cast<std::size_t>(input.comm.size));
}

// A piece that had bytes when the set was opened, and is nowhere now, was lost.
Status still_there(SubfileIndex const& index, std::size_t piece, std::string const& path) {
    auto const had_bytes = piece < index.pieces.size() && index.pieces[piece].size > 0;
    if (!had_bytes || ::access(path.c_str(), F_OK) == 0) return {};
    return {Code::not_found, "piece " + std::to_string(piece) + " (" + path + ") is gone"};
}

Status examine_own(SubfilingInput const& input, SubfileIndex const& index, Numbers& numbers) {
    auto const count = static_cast<std::size_t>(index.count);
    Status mine;
    for (std::size_t piece = 0; piece < count; ++piece) {
        if (examiner_of(input, index, piece) != input.comm.rank) continue;
        auto const path = current_path(input.path, index, static_cast<int>(piece));
        auto const facts = examine_piece(path, index.checksums);
        mine = first_failure(mine, first_failure(facts.status(), still_there(index, piece, path)));
        if (!facts) continue;
        numbers[piece] = facts->size;
        numbers[count + piece] = static_cast<Size>(facts->checksum);
        numbers[2 * count + piece] = path == index.moved_path(input.path, static_cast<int>(piece)) ? 1 : 0;
    }
    return mine;
}

// Collective. Of each number the one that some rank has; not ok on all ranks where one failed.
Status collect(SubfilingInput const& input, Status const& mine, Numbers& numbers) {
    std::array<Size, Quorum::votes> ballots{};
    if (numbers.size() >= ballots.size()) {
        if (auto status = agree(input.comm, mine); !status.ok()) return status;
        reduce_all(input.comm, numbers, MPI_MAX);
        return {};
    }
    ballots[0] = mine.ok() ? 0 : input.comm.size - input.comm.rank;
    std::copy(numbers.begin(), numbers.end(), ballots.begin() + 1);
    input.quorum.vote(ballots, ballots.size());
    if (ballots[0] != 0) return share_failure(input.comm, mine, input.comm.size - static_cast<Rank>(ballots[0]));
    std::copy_n(ballots.begin() + 1, numbers.size(), numbers.begin());
    return {};
}

bool first_examines_all(SubfilingInput const& input, SubfileIndex const& index) {
    for (std::size_t piece = 0; piece < static_cast<std::size_t>(index.count); ++piece) {
        if (examiner_of(input, index, piece) != 0) return false;
    }
    return true;
}

}  // namespace

Result<FoundSubfiles> look_for_subfiles(SubfilingInput const& input) {
    auto const exists = ::access(input.path.c_str(), F_OK) == 0;
    auto const fresh = input.open.truncate || input.open.exclusive || (input.open.create && !exists);
    auto const count = fresh ? wanted_pieces(input) : Result<int>{0};
    if (!count) return count.status();
    if (fresh && *count > 0) return make_set(input, *count, exists);
    if (input.open.exclusive) return FoundSubfiles{};  // where something is there, opening says so
    auto found = read_subfile_index(input.path);
    if (!found) return found.status();
    if (fresh) return FoundSubfiles{{}, std::move(*found)};
    auto status = *found && input.all_see(**found) ? check_pieces(input, **found) : Status{};
    return status.ok() ? FoundSubfiles{std::move(*found), {}} : Result<FoundSubfiles>{std::move(status)};
}

Result<Hints> hints_for_subfiles(SubfilingInput const& input, SubfileIndex const& index) {
    auto hints = input.hints;
    hints.layout = Layout::striped;
    hints.stripe_size = index.unit;
    hints.stripe_count = index.count;
    if (input.all_see(index)) {
        if (hints.aggregators == 0 && hints.aggregator_list.empty())
            hints.aggregators = std::min(index.count, input.comm.size);
        return hints;
    }
    auto ranks = local_aggregators(input, index);
    if (!ranks) return ranks.status();
    if (static_cast<int>(ranks->size()) < index.count) {
        return Status{Code::unsupported, "more pieces in directories of nodes than ranks to serve them"};
    }
    hints.collective_write = hints.collective_read = Toggle::on;
    hints.placement = Placement::list;
    hints.aggregator_list = std::move(*ranks);
    hints.aggregators = 0;
    return hints;
}

Status close_subfiling(SubfilingInput const& input, SubfileIndex index) {
    auto const count = static_cast<std::size_t>(index.count);
    Numbers numbers(3 * count, not_mine);
    index.checksums = input.hints.subfile_checksums != Toggle::off;
    auto status = examine_own(input, index, numbers);
    if (!first_examines_all(input, index)) {
        status = collect(input, status, numbers);
        if (!status.ok()) return status;
    }
    index.pieces.clear();
    for (std::size_t piece = 0; piece < count; ++piece) {
        index.pieces.push_back(
            {numbers[piece], static_cast<std::uint64_t>(numbers[count + piece]), numbers[2 * count + piece] == 1});
    }
    if (status.ok() && input.comm.rank == 0) status = rewrite_subfile_index(input.path, index);
    return input.quorum.agree(status);
}

std::string whole_path(std::string const& path) {
    std::error_code failed;
    auto const whole = path.empty() ? std::filesystem::path{} : std::filesystem::absolute(path, failed);
    return failed ? path : whole.string();
}

std::vector<bool> reachable_pieces(SubfilingInput const& input, SubfileIndex const& index) {
    auto const& servers = input.hints.aggregator_list;
    if (input.all_see(index) || servers.size() != static_cast<std::size_t>(index.count)) return {};
    auto const node_of = [&](Rank rank) { return input.machine.node_of[static_cast<std::size_t>(rank)]; };
    std::vector<bool> reachable;
    for (auto const server : servers) reachable.push_back(node_of(server) == node_of(input.comm.rank));
    return reachable;
}

void remove_pieces(std::string const& path, SubfileIndex const& index) {
    for (int piece = 0; piece < index.count; ++piece) {
        ::unlink(index.piece_path(path, piece).c_str());
        if (index.directory.empty()) continue;
        auto const moved = index.moved_path(path, piece);
        ::unlink(moved.c_str());
        ::unlink(unfinished(moved).c_str());
    }
}

}  // namespace muster
