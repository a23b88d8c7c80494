#include "workloads/captured.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <random>

#include "core/merge.hpp"

namespace muster {

namespace {

using Order = std::vector<Rank>;

Status wrong_order(std::string const& text, int ranks) {
    return {Code::invalid_argument, "the rank order '" + text +
                                        "' is none of as-is, reversed, cyclic/NODES, random/SEED, or all of the " +
                                        std::to_string(ranks) + " ranks with commas between them"};
}

// On node after node of `each` ranks, those that are `nodes` apart.
Order cyclic(int ranks, int nodes) {
    Order order;
    for (int node = 0; node < nodes; ++node) {
        for (Rank rank = node; rank < ranks; rank += nodes) order.push_back(rank);
    }
    return order;
}

Order shuffled(Order order, Size seed) {
    std::mt19937_64 random{static_cast<std::uint64_t>(seed)};
    for (auto i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random() % i]);
    return order;
}

Result<Order> listed(std::string const& text, int ranks) {
    auto const items = split_list(text, ',');
    Order order;
    for (auto const& item : items) {
        auto const valid = !item.empty() && item.size() < 9 && item.find_first_not_of("0123456789") == item.npos;
        if (!valid) return wrong_order(text, ranks);
        order.push_back(std::stoi(item));
    }
    auto sorted = order;
    std::sort(sorted.begin(), sorted.end());
    for (Rank rank = 0; rank < static_cast<Rank>(sorted.size()); ++rank) {
        if (sorted[static_cast<std::size_t>(rank)] != rank) return wrong_order(text, ranks);
    }
    if (static_cast<int>(order.size()) != ranks) return wrong_order(text, ranks);
    return order;
}

// The number after the slash; -1: none.
Size argument_of(std::string const& text, std::string_view word) {
    if (!text.starts_with(std::string{word} + "/")) return -1;
    auto const number = text.substr(word.size() + 1);
    if (number.empty() || number.size() > 9 || number.find_first_not_of("0123456789") != number.npos) return -1;
    return std::stoll(number);
}

// What the variables are made of: calls that lie alike are one pattern.
struct Captured {
    std::shared_ptr<Capture const> capture;
    CapturedFile const* file{nullptr};
    std::vector<CapturedCall const*> calls;     // that were chosen
    std::vector<CapturedCall const*> patterns;  // one of those that are alike
    Order order;

    bool has_bytes(CapturedCall const& call, Rank rank) const { return capture->bytes(*file, call, rank) > 0; }
    // The first byte that a rank has.
    Offset base_of(CapturedCall const& call) const {
        Offset base = -1;
        for (Rank rank = 0; rank < file->ranks(); ++rank) {
            auto const here = call.parts[static_cast<std::size_t>(rank)].base;
            if (has_bytes(call, rank)) base = base < 0 ? here : std::min(base, here);
        }
        return std::max<Offset>(base, 0);
    }
    Shape part(CapturedCall const& call, Rank rank) const {
        return capture->part(*file, call, order[static_cast<std::size_t>(rank)]);
    }
};

// Equal for calls whose parts are the same on every rank, only further on.
std::vector<Offset> likeness(Captured const& captured, CapturedCall const& call) {
    std::vector<Offset> key;
    auto const base = captured.base_of(call);
    for (Rank rank = 0; rank < captured.file->ranks(); ++rank) {
        auto const& part = call.parts[static_cast<std::size_t>(rank)];
        key.push_back(part.shape);
        key.push_back(captured.has_bytes(call, rank) ? part.base - base : 0);
    }
    return key;
}

void add_variables(Workload& workload, Captured& captured) {
    std::map<std::vector<Offset>, int> patterns;
    for (auto const* const call : captured.calls) {
        auto const pattern =
            patterns.emplace(likeness(captured, *call), static_cast<int>(patterns.size())).first->second;
        if (pattern == static_cast<int>(captured.patterns.size())) captured.patterns.push_back(call);
        workload.variables.push_back({"call " + std::to_string(workload.variables.size()), captured.base_of(*call), 1,
                                      captured.capture->bytes(*captured.file, *call), pattern});
    }
}

// What a rank accesses in any of the calls, each byte once.
Shape all_calls(Captured const& captured, Rank rank) {
    CoverBuilder builder;
    std::vector<Extent> pieces;
    for (auto const* const call : captured.calls) {
        pieces.clear();
        captured.part(*call, rank).for_each([&](Offset offset, Size length) { pieces.push_back({offset, length}); });
        builder.add(pieces);
    }
    return Shape::pieces(builder.take());
}

Status choose_calls(Captured& captured, CapturedChoice const& choice) {
    auto const& files = captured.capture->files();
    if (choice.file >= files.size()) {
        return {Code::invalid_argument, "the capture has " + std::to_string(files.size()) + " files"};
    }
    captured.file = &files[choice.file];
    for (auto const& call : captured.file->calls) {
        auto const wanted = choice.calls == 0 || static_cast<Size>(captured.calls.size()) < choice.calls;
        if (call.write == choice.write && wanted) captured.calls.push_back(&call);
    }
    if (!captured.calls.empty()) return {};
    return {Code::invalid_argument, "the capture has no collective " + std::string{choice.write ? "writes" : "reads"} +
                                        " of " + captured.file->path};
}

}  // namespace

Result<std::vector<Rank>> rank_order_of(std::string const& text, int ranks) {
    Order order(static_cast<std::size_t>(ranks));
    std::iota(order.begin(), order.end(), 0);
    if (text.empty() || text == "as-is") return order;
    if (text == "reversed") return Order{order.rbegin(), order.rend()};
    if (auto const nodes = argument_of(text, "cyclic"); nodes > 0 && nodes <= ranks) {
        return cyclic(ranks, static_cast<int>(nodes));
    }
    if (auto const seed = argument_of(text, "random"); seed >= 0) return shuffled(order, seed);
    return listed(text, ranks);
}

std::size_t busiest_file(Capture const& capture) {
    std::size_t best = 0;
    Size most = -1;
    for (std::size_t i = 0; i < capture.files().size(); ++i) {
        auto const& file = capture.files()[i];
        auto const bytes = capture.bytes(file, true) + capture.bytes(file, false);
        if (bytes > most) best = i;
        most = std::max(most, bytes);
    }
    return best;
}

Result<Workload> make_captured(std::shared_ptr<Capture const> const& capture, CapturedChoice const& choice) {
    auto captured = std::make_shared<Captured>();
    captured->capture = capture;
    if (auto const status = choose_calls(*captured, choice); !status.ok()) return status;
    auto order = rank_order_of(choice.order, captured->file->ranks());
    if (!order) return order.status();
    captured->order = std::move(*order);
    Workload workload;
    workload.name = "capture";
    workload.ranks = captured->file->ranks();
    workload.interleaved = true;
    add_variables(workload, *captured);
    workload.pattern = [captured](Rank rank, int pattern) {
        auto const& call = *captured->patterns[static_cast<std::size_t>(pattern)];
        return captured->part(call, rank).shifted(-captured->base_of(call));
    };
    workload.all_variables = [captured](Rank rank) { return all_calls(*captured, rank); };
    return workload;
}

namespace {

Result<Workload> make_capture(int ranks, WorkloadOptions const& options) {
    if (options.text("from").empty()) return Status{Code::invalid_argument, "which capture? Say --from app.capture"};
    auto capture = read_capture(options.text("from"));
    if (!capture) return capture.status();
    auto const kept = std::make_shared<Capture const>(std::move(*capture));
    CapturedChoice choice;
    auto const which = options.number("which");
    choice.file = which == 0 ? busiest_file(*kept) : static_cast<std::size_t>(which - 1);
    choice.write = options.text("take") == "write";
    choice.calls = options.number("calls");
    choice.order = options.text("order");
    auto workload = make_captured(kept, choice);
    if (!workload || workload->ranks == ranks) return workload;
    return Status{Code::invalid_argument, "the file was opened by " + std::to_string(workload->ranks) +
                                              " ranks: say --ranks " + std::to_string(workload->ranks)};
}

}  // namespace

WorkloadInfo capture_info() {
    return {
        "capture",
        "the collective accesses of a real program to one of its files, as 'muster capture' has recorded them; one call each with "
        "--mode independent",
        {{"from", OptionKind::text, "", "the capture"},
         {"which", OptionKind::number, "0", "which of its files, from 1 on; 0: the one with most bytes", 0},
         {"take", OptionKind::word, "write", "write or read: which calls of the program", 0, {"write", "read"}},
         {"calls", OptionKind::number, "0", "only the first so many; 0: all", 0},
         {"order", OptionKind::text, "as-is",
          "which rank does what which rank of the program did: as-is, reversed, cyclic/NODES, random/SEED, or a list"}},
        16,
        make_capture};
}

}  // namespace muster
