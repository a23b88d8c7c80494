#include "machine/machine.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <unordered_map>

namespace muster {

namespace {

constexpr int most_ranks = 1 << 24;

Machine cyclic_machine(int count, int nodes) {
    Machine machine;
    machine.node_of.reserve(static_cast<std::size_t>(count));
    for (Rank rank = 0; rank < count; ++rank) machine.node_of.push_back(rank % nodes);
    return machine;
}

std::string list_text(std::vector<int> const& nodes) {
    std::string text = "nodes ";
    for (auto const node : nodes) text += std::to_string(node) + ",";
    text.pop_back();
    return text;
}

Status parse_error(std::string_view text, std::string const& what) {
    return {Code::invalid_argument, "'" + std::string{text} + "' is not a machine such as 'nodes 4 x 16', " +
                                        "'nodes 4 x 16 cyclic' or 'nodes 0,0,1,1': " + what};
}

// Reads words and numbers off the front of a text; blanks before them do not matter.
class Reader {
public:
    explicit Reader(std::string_view text) : rest_{text} {}

    bool take(std::string_view word) {
        skip_blanks();
        if (!rest_.starts_with(word)) return false;
        rest_.remove_prefix(word.size());
        return true;
    }

    std::optional<int> take_number() {
        skip_blanks();
        int number = 0;
        auto const [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), number);
        if (error != std::errc{} || number < 0) return std::nullopt;
        rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
        return number;
    }

    bool at_end() {
        skip_blanks();
        return rest_.empty();
    }

    std::string rest() {
        skip_blanks();
        return rest_.empty() ? "the end" : "'" + std::string{rest_} + "'";
    }

private:
    void skip_blanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\n"), rest_.size())); }

    std::string_view rest_;
};

Result<Machine> parse_grid(Reader reader, int nodes, std::string_view text) {
    auto const ranks = reader.take_number();
    if (!ranks) return parse_error(text, "ranks per node expected at " + reader.rest());
    auto const cyclic = reader.take("cyclic");
    if (!reader.at_end()) return parse_error(text, "nothing more expected at " + reader.rest());
    if (nodes < 1 || *ranks < 1) return parse_error(text, "nodes and ranks per node start at 1");
    if (*ranks > most_ranks / nodes) return parse_error(text, "more than 16777216 ranks");
    return cyclic ? cyclic_machine(nodes * *ranks, nodes) : block_machine(nodes * *ranks, *ranks);
}

Result<Machine> parse_list(Reader reader, int first, std::string_view text) {
    std::vector<int> labels{first};
    while (reader.take(",")) {
        auto const label = reader.take_number();
        if (!label) return parse_error(text, "the node of a rank expected at " + reader.rest());
        if (labels.size() == most_ranks) return parse_error(text, "more than 16777216 ranks");
        labels.push_back(*label);
    }
    if (!reader.at_end()) return parse_error(text, "',' or 'x' expected at " + reader.rest());
    return machine_from_labels(labels);
}

}  // namespace

int Machine::node_count() const { return node_of.empty() ? 0 : *std::max_element(node_of.begin(), node_of.end()) + 1; }

std::vector<std::vector<Rank>> Machine::ranks_by_node() const {
    std::vector<std::vector<Rank>> ranks(static_cast<std::size_t>(node_count()));
    for (Rank rank = 0; rank < rank_count(); ++rank) {
        ranks[static_cast<std::size_t>(node_of[static_cast<std::size_t>(rank)])].push_back(rank);
    }
    return ranks;
}

std::vector<Rank> Machine::ranks_round_robin() const {
    auto const nodes = ranks_by_node();
    std::vector<Rank> order;
    order.reserve(node_of.size());
    for (std::size_t turn = 0; order.size() < node_of.size(); ++turn) {
        for (auto const& ranks : nodes) {
            if (turn < ranks.size()) order.push_back(ranks[turn]);
        }
    }
    return order;
}

std::string Machine::text() const {
    if (node_of.empty()) return "nodes none";
    auto const count = rank_count();
    auto const nodes = node_count();
    if (count % nodes != 0) return list_text(node_of);
    auto const grid = "nodes " + std::to_string(nodes) + " x " + std::to_string(count / nodes);
    if (*this == block_machine(count, count / nodes)) return grid;
    return *this == cyclic_machine(count, nodes) ? grid + " cyclic" : list_text(node_of);
}

Machine block_machine(int count, int ranks_per_node) {
    Machine machine;
    machine.node_of.reserve(static_cast<std::size_t>(count));
    for (Rank rank = 0; rank < count; ++rank) machine.node_of.push_back(rank / ranks_per_node);
    return machine;
}

Machine machine_from_labels(std::vector<int> const& labels) {
    std::unordered_map<int, int> nodes;
    Machine machine;
    machine.node_of.reserve(labels.size());
    for (auto const label : labels) {
        auto const next = static_cast<int>(nodes.size());
        machine.node_of.push_back(nodes.try_emplace(label, next).first->second);
    }
    return machine;
}

Result<Machine> parse_machine(std::string_view text) {
    Reader reader{text};
    if (!reader.take("nodes")) return parse_error(text, "'nodes' expected at " + reader.rest());
    if (reader.take("none") && reader.at_end()) return Machine{};
    auto const first = reader.take_number();
    if (!first) return parse_error(text, "a number expected at " + reader.rest());
    return reader.take("x") ? parse_grid(reader, *first, text) : parse_list(reader, *first, text);
}

}  // namespace muster
