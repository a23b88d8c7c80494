#include "plan/plan.hpp"

#include <algorithm>

#include "core/hints.hpp"
#include "plan/aggregators.hpp"
#include "plan/kernels.hpp"
#include "plan/rank_order.hpp"
#include "plan/words.hpp"

namespace muster {

namespace {

__extension__ using Wide = __int128;

constexpr Size MiB = Size{1} << 20;
constexpr Size smallest_block = 4096;
constexpr Size default_stripe = MiB;
constexpr Size largest_automatic_window = 16 * MiB;
constexpr Size largest_window_on_one_node = 4 * MiB;
constexpr Size largest_window_to_read =
    2 * MiB;  // in shared memory: all take what was just loaded, while a cache has it
constexpr Size large_message = Size{64} << 10;
constexpr int many_local_aggregators = 256;  // in all: more gain nothing (two-layer aggregation's own finding)
constexpr int ranks_worth_gathering = 8;
constexpr Size joined_piece = Size{512} << 10;
constexpr int many_waiting = 32;  // ranks
constexpr Size few_pieces = 8;    // of a rank, on one node: storing them costs less than meeting others
constexpr Size many_rounds = Size{1} << 16;
constexpr Size empty_rounds = 16;  // for each that moves something
constexpr Size sparse = 8;  // shared windows hold all of the range, so at least one byte in so many should be wanted

Size divide_up(Size value, Size by) { return value / by + (value % by != 0 ? 1 : 0); }
Size round_up(Size value, Size to) { return divide_up(value, to) * to; }
Size round_down(Size value, Size to) { return value - value % to; }

// The first ranks of a list, and a sign that there are more.
std::string ranks_text(std::vector<Rank> const& ranks) {
    constexpr std::size_t shown = 16;
    std::string text;
    for (std::size_t i = 0; i < std::min(ranks.size(), shown); ++i) {
        text += (i == 0 ? "" : ", ") + std::to_string(ranks[i]);
    }
    return ranks.size() > shown ? text + ", ..." : text;
}

std::string throttle_text(int throttle) {
    return throttle > 0 ? "throttle " + std::to_string(throttle) : "unthrottled";
}

// Takes the decisions one after the other; each sees those before it.
class Planner {
public:
    explicit Planner(PlanInput const& input) : input_{input}, hints_{*input.hints} {
        plan_.direction = input.direction;
        plan_.summary = input.summary;
    }

    Plan plan() {
        choose_route();
        if (plan_.route != Route::exchange && plan_.route != Route::shared) return std::move(plan_);
        place_aggregators();
        if (input_.reached_by_all && rounds_are_empty()) return go_directly();
        choose_layout();
        choose_window();
        plan_.rounds = plan_.domains.rounds();
        if (!input_.declared) choose_node_step();
        if (plan_.route == Route::exchange) cut_chapters();
        if (plan_.route == Route::exchange) choose_kernels();
        return std::move(plan_);
    }

private:
    void decide(char const* subject, std::string choice, std::string reason) {
        plan_.decisions.push_back({subject, std::move(choice), std::move(reason)});
    }

    void choose_route() {
        auto const [route, reason] = route_and_reason();
        plan_.route = route;
        decide("route", name_of(route), reason);
    }

    std::pair<Route, std::string> route_and_reason() const {
        auto const write = input_.direction == Direction::write;
        auto const toggle = write ? hints_.collective_write : hints_.collective_read;
        auto const enough = write ? hints_.direct_write : hints_.direct_read;
        auto const kind = std::string{name_of(input_.direction)};
        auto const mean = format_size(input_.summary.smallest_mean_piece);
        if (input_.summary.bytes == 0) return {Route::nothing, "nobody accesses a byte"};
        auto const overall = input_.summary.bytes / input_.summary.pieces;
        if (toggle == Toggle::off) return {Route::direct, "collective_" + kind + " is off by hint"};
        if (toggle == Toggle::on) return together("collective_" + kind + " is on by hint");
        if (enough <= 0) return together("direct_" + kind + " is 0 by hint");
        if (many_to_join()) return together("many pieces of less than " + format_size(joined_piece));
        if (input_.summary.smallest_mean_piece >= enough) {
            return {Route::direct, "every rank's pieces have " + mean + " or more on average"};
        }
        if (few() && overall >= enough) {
            return {Route::direct, "few pieces, of " + format_size(overall) + " on average"};
        }
        if (few_declared()) {
            return {Route::direct, "on one node " + counted(few_pieces, "piece") + " of each rank, or less, are few"};
        }
        if (is_sparse() && range() / input_.summary.pieces >= enough) {
            return {Route::direct,
                    "pieces lie " + format_size(range() / input_.summary.pieces) + " apart: nothing to join"};
        }
        return together("a rank's pieces have " + mean + " on average, less than " + format_size(enough));
    }

    bool few_declared() const {
        return input_.declared && input_.machine->node_count() == 1 && !stripes_known() && few();
    }
    bool few() const { return input_.summary.pieces <= few_pieces * input_.summary.ranks_with_data; }
    // On one node windows cost a copy, but their writer goes through the file in order, and nobody waits for its lock.
    bool many_to_join() const {
        return input_.direction == Direction::write && hints_.direct_write == Hints{}.direct_write &&
               !input_.declared && !few() && input_.summary.smallest_mean_piece >= hints_.direct_write &&
               input_.summary.smallest_mean_piece < joined_piece && together({}).first == Route::shared;
    }
    Size range() const { return input_.summary.high - input_.summary.low; }
    bool is_sparse() const { return input_.summary.bytes < range() / sparse; }

    // Through windows: in shared memory where that can be and where most of a window is used, else by messages.
    std::pair<Route, std::string> together(std::string const& reason) const {
        if (hints_.shared_memory == Toggle::off) return {Route::exchange, reason + "; shared_memory is off by hint"};
        if (!input_.shared_memory) return {Route::exchange, reason};
        if (is_sparse()) {
            return {Route::exchange, reason + "; less than 1 byte in " + std::to_string(sparse) + " is accessed"};
        }
        return {Route::shared, reason + "; all ranks are on one node"};
    }

    void place_aggregators() {
        auto choice = input_.placed ? *input_.placed : choose_aggregators(*input_.machine, hints_, input_.layout);
        plan_.aggregators = std::move(choice.ranks);
        plan_.tier = hints_.tier.empty() ? choice.tier : hints_.tier;
        decide("aggregators", std::to_string(plan_.aggregators.size()), choice.reason);
    }

    // A few bytes far away would make all ranks go through rounds for nothing, for ever if they are very far away.
    bool rounds_are_empty() const {
        auto const busy = input_.summary.pieces + input_.summary.bytes / likely_window();
        return likely_rounds() > many_rounds && likely_rounds() / empty_rounds > busy;
    }
    Size likely_rounds() const { return range() / likely_window() / static_cast<Size>(plan_.aggregators.size()); }
    Size likely_window() const {
        if (hints_.window > 0) return hints_.window;
        if (is_striped()) return std::min(stripe_size(), largest_automatic_window);
        return input_.machine->node_count() == 1 ? largest_window_on_one_node : largest_automatic_window;
    }

    Plan go_directly() {
        auto const reason = plan_.decisions.front().reason + ", but nearly all of " + std::to_string(likely_rounds()) +
                            " rounds would be empty";
        plan_.route = Route::direct;
        plan_.aggregators.clear();
        plan_.tier.clear();
        plan_.decisions.clear();
        decide("route", name_of(plan_.route), reason);
        return std::move(plan_);
    }

    bool is_striped() const {
        return hints_.layout == Layout::striped || (hints_.layout == Layout::automatic && stripes_known());
    }
    bool stripes_known() const { return input_.layout.stripe_size > 0 && input_.layout.stripe_count > 1; }

    void choose_layout() {
        auto const striped = is_striped();
        auto& domains = plan_.domains;
        domains.layout = striped ? Layout::striped : Layout::contiguous;
        domains.range = {input_.summary.low, input_.summary.high - input_.summary.low};
        domains.count = static_cast<int>(plan_.aggregators.size());
        domains.unit = striped ? stripe_size() : block_size();
        decide("layout", striped ? "striped" : "contiguous", striped ? striped_reason() : contiguous_reason());
    }

    Size stripe_size() const {
        if (input_.layout.stripe_size > 0) return input_.layout.stripe_size;
        return hints_.stripe_size > 0 ? hints_.stripe_size : default_stripe;
    }

    // Inner edges lie on its multiples. A small window that was asked for stays small.
    Size block_size() const {
        auto const block = std::max(input_.layout.block_size, smallest_block);
        auto const known = input_.layout.stripe_size > 0 ? input_.layout.stripe_size : block;
        return hints_.window > 0 ? std::min(known, hints_.window) : known;
    }

    std::string striped_reason() const {
        auto const stripe = format_size(plan_.domains.unit);
        if (hints_.layout == Layout::automatic || stripes_known()) {
            return counted(input_.layout.stripe_count, "stripe") + " of " + stripe + " (" + input_.layout.origin + ")" +
                   (hints_.layout == Layout::striped ? ", by hint" : "");
        }
        auto const known = input_.layout.stripe_size > 0 || hints_.stripe_size > 0;
        return "by hint" + (known ? ", stripe " + stripe : "; the stripe size is not known and taken as " + stripe);
    }

    std::string contiguous_reason() const {
        auto const edges = ", edges on multiples of " + format_size(plan_.domains.unit);
        if (hints_.layout == Layout::contiguous) return "by hint" + edges;
        return (input_.layout.stripe_count == 1 ? "one stripe" : "no stripes known") + edges;
    }

    void choose_window() {
        auto const striped = plan_.domains.layout == Layout::striped;
        auto const [window, reason] = striped ? striped_window() : contiguous_window();
        plan_.domains.window = window;
        decide("window", format_size(window), reason);
    }

    std::pair<Size, std::string> striped_window() const {
        auto const stripe = plan_.domains.unit;
        if (hints_.window == 0) {
            auto const slices = divide_up(stripe, largest_automatic_window);
            return {divide_up(stripe, slices), slices == 1 ? "one stripe" : "a part of a stripe"};
        }
        auto const asked = "by hint, " + format_size(hints_.window);
        if (hints_.window < stripe) return {hints_.window, asked + " of a stripe"};
        auto const useful = stripe * stripes_per_domain();
        if (hints_.window >= useful) return {useful, asked + ", more than an aggregator has"};
        return {round_down(hints_.window, stripe), asked + " in whole stripes"};
    }

    Size stripes_per_domain() const {
        auto const& domains = plan_.domains;
        auto const stripes = (domains.range.end() - 1) / domains.unit - domains.range.offset / domains.unit + 1;
        return divide_up(stripes, domains.count);
    }

    // In shared memory several even for little, so that some are filled while another is stored; but each is waited for by all.
    Size window_on_one_node(Size bytes) const {
        if (plan_.route != Route::shared || input_.declared) return largest_window_on_one_node;
        auto const crowd = input_.summary.ranks_with_data > many_waiting;
        auto const smaller = input_.direction == Direction::read && !crowd;
        auto const largest = smaller ? largest_window_to_read : largest_window_on_one_node;
        return std::clamp(round_up(divide_up(bytes, crowd ? 3 : 6), MiB), MiB, largest);
    }

    std::pair<Size, std::string> contiguous_window() const {
        auto const unit = plan_.domains.unit;
        auto const useful = round_up(plan_.domains.largest_domain(), unit);
        if (hints_.window > 0) {
            auto const asked = "by hint, " + format_size(hints_.window);
            auto const whole = round_up(hints_.window, unit);
            if (whole > useful) return {useful, asked + ", more than an aggregator has"};
            return {whole, asked + (whole == hints_.window ? "" : " in whole blocks")};
        }
        auto const one_node = input_.machine->node_count() == 1;
        auto const limit = one_node ? window_on_one_node(useful) : largest_automatic_window;
        if (useful <= limit) return {useful, "all an aggregator has"};
        return {unit <= limit ? round_down(limit, unit) : limit, one_node ? "one node" : "several nodes"};
    }

    void choose_node_step() {
        auto const [count, reason] = local_aggregators_and_reason();
        plan_.local_aggregators = count;
        if (!reason.empty())
            decide("local aggregators", count > 0 ? counted(count, "rank") + " per node" : "none", reason);
    }

    // Gathering inside the nodes first joins pieces and messages; where messages are large already it only copies.
    std::pair<int, std::string> local_aggregators_and_reason() const {
        auto const asked = hints_.local_aggregators;
        auto const by_hint = asked > 0 ? std::to_string(asked) + " by hint" : std::string{};
        if (plan_.route != Route::exchange || !input_.node_memory) {
            return {0, asked > 0 ? by_hint + ", but there are no nodes whose ranks share memory" : ""};
        }
        auto const node = largest_node();
        if (node == 1) return {0, "one rank per node"};
        if (asked >= node) return {0, by_hint + ": every rank for itself"};
        if (asked > 0) return {asked, by_hint};
        auto const traffic = estimate_traffic(input_.summary, plan_.domains.count, plan_.rounds);
        auto const message = "messages of " + format_size(traffic.mean_message);
        if (traffic.mean_message >= large_message) return {0, message + " are large already"};
        auto const groups = Size{many_local_aggregators} / input_.machine->node_count();
        return {static_cast<int>(std::clamp<Size>(groups, 1, std::max(node / ranks_worth_gathering, 1))),
                message + " are joined inside the nodes first"};
    }

    int largest_node() const {
        std::vector<int> ranks(static_cast<std::size_t>(input_.machine->node_count()));
        for (auto const node : input_.machine->node_of) ++ranks[static_cast<std::size_t>(node)];
        return *std::max_element(ranks.begin(), ranks.end());
    }

    int local_aggregators_in_all() const {
        return std::min(plan_.local_aggregators * input_.machine->node_count(), input_.machine->rank_count());
    }

    // What must be held at once if lists are told all at once: by an aggregator as they come, by a local aggregator taken apart
    // to be merged.
    Size list_memory() const {
        auto const per_aggregator = divide_up(input_.summary.coded_bytes, plan_.domains.count);
        if (plan_.local_aggregators == 0) return per_aggregator;
        constexpr auto taken_apart = static_cast<Size>(sizeof(Extent));
        return std::max(per_aggregator, divide_up(input_.summary.pieces * taken_apart, local_aggregators_in_all()));
    }

    // The coded extent lists spread evenly over rounds and aggregators, as far as anybody knows beforehand.
    void cut_chapters() {
        auto const per_aggregator = list_memory();
        auto const memory = hints_.metadata_memory;
        auto const lists = "extent lists of " + format_size(per_aggregator) + " per aggregator, ";
        plan_.rounds_per_chapter = plan_.rounds;
        if (per_aggregator <= memory) return decide("chapters", "1", lists + "within " + format_size(memory));
        auto const fitting = static_cast<Size>(static_cast<Wide>(memory) * plan_.rounds / per_aggregator);
        plan_.rounds_per_chapter = std::max<Size>(fitting, 1);
        auto const chapters = divide_up(plan_.rounds, plan_.rounds_per_chapter);
        decide("chapters", std::to_string(chapters), lists + "more than " + format_size(memory));
    }

    void choose_kernels() {
        auto summary = input_.summary;
        if (plan_.local_aggregators > 0)
            summary.ranks_with_data = std::min(summary.ranks_with_data, local_aggregators_in_all());
        auto const traffic = estimate_traffic(summary, plan_.domains.count, plan_.rounds);
        auto const metadata = choose_metadata_kernel(traffic, hints_);
        auto const data = choose_data_kernel(traffic, hints_);
        plan_.metadata_kernel = metadata.kernel;
        plan_.metadata_throttle = metadata.throttle;
        plan_.data_kernel = data.kernel;
        plan_.throttle = data.throttle;
        plan_.throttle_inside = hints_.throttle_inside;
        decide_kernel("metadata kernel", metadata);
        decide_kernel("data kernel", data);
        choose_rank_order();
        if (plan_.throttle_inside > 0)
            decide("throttle inside a node", std::to_string(plan_.throttle_inside), "by hint");
    }

    void choose_rank_order() {
        if (hints_.rank_order == RankOrder::automatic && hints_.rank_list.empty()) return;
        auto const listed = hints_.rank_order == RankOrder::automatic;
        plan_.rank_order = listed ? RankOrder::list : hints_.rank_order;
        if (plan_.rank_order == RankOrder::list) plan_.rank_list = hints_.rank_list;
        auto const used = plan_.metadata_kernel == Kernel::balanced || plan_.data_kernel == Kernel::balanced;
        decide("rank order", rank_order_name(plan_.rank_order),
               used ? "by hint" : "by hint, but no kernel is balanced");
    }

    void decide_kernel(char const* subject, KernelChoice const& choice) {
        decide(subject, std::string{kernel_name(choice.kernel)} + " " + throttle_text(choice.throttle), choice.reason);
    }

    PlanInput const& input_;
    Hints const& hints_;
    Plan plan_;
};

std::string shared_text(Plan const& plan) {
    return "aggregators: " + std::to_string(plan.aggregators.size()) + " (" + ranks_text(plan.aggregators) + ")\n" +
           "domains: " + plan.domains.text() + "\n" + "rounds: " + std::to_string(plan.rounds) + "\n";
}

std::string node_step_text(Plan const& plan) {
    if (plan.local_aggregators == 0) return "";
    return "local aggregators: " + std::to_string(plan.local_aggregators) + " per node\n";
}

std::string exchange_text(Plan const& plan) {
    return "aggregators: " + std::to_string(plan.aggregators.size()) + " (" + ranks_text(plan.aggregators) + ")\n" +
           "domains: " + plan.domains.text() + "\n" + "rounds: " + std::to_string(plan.rounds) + ", " +
           std::to_string(plan.rounds_per_chapter) + " per chapter\n" + node_step_text(plan) +
           "metadata: " + kernel_name(plan.metadata_kernel) + ", " + throttle_text(plan.metadata_throttle) + "\n" +
           "data: " + kernel_name(plan.data_kernel) + ", " + throttle_text(plan.throttle) + "\n";
}

}  // namespace

char const* name_of(Direction direction) { return direction == Direction::write ? "write" : "read"; }

char const* name_of(Route route) {
    switch (route) {
        case Route::nothing: return "nothing";
        case Route::direct: return "direct";
        case Route::shared: return "shared";
        case Route::exchange: return "exchange";
    }
    return "unknown";
}

int Plan::aggregator_index(Rank rank) const {
    auto const found = std::find(aggregators.begin(), aggregators.end(), rank);
    return found == aggregators.end() ? -1 : static_cast<int>(found - aggregators.begin());
}

std::string Plan::text() const {
    auto text = std::string{name_of(direction)} + ", " + name_of(route) + ": " + std::to_string(summary.bytes) +
                " B in " + counted(summary.pieces, "piece") + " of " + counted(summary.ranks_with_data, "rank") + "\n";
    if (route == Route::shared) text += shared_text(*this);
    if (route == Route::exchange) text += exchange_text(*this);
    for (auto const& decision : decisions) {
        text += "  " + decision.subject + " " + decision.choice + ": " + decision.reason + "\n";
    }
    return text;
}

Plan make_plan(PlanInput const& input) { return Planner{input}.plan(); }

}  // namespace muster
