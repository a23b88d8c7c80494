#include "workloads/study.hpp"

#include <algorithm>
#include <map>
#include <new>

#include "core/coding.hpp"
#include "workloads/senders.hpp"
#include "workloads/traffic.hpp"

namespace muster {

namespace {

constexpr Size most_windows = Size{1} << 28;

Size divide_up(Size value, Size by) { return value / by + (value % by != 0 ? 1 : 0); }

// Counts one sender's part of a call in.
void count_in(Summary& summary, Shape const& shape, Size pieces) {
    if (shape.empty()) return;
    auto const first = summary.ranks_with_data == 0;
    auto const mean = shape.size() / pieces;
    summary.low = first ? shape.low() : std::min(summary.low, shape.low());
    summary.high = std::max(summary.high, shape.high());
    summary.bytes += shape.size();
    summary.pieces += pieces;
    summary.largest = std::max(summary.largest, shape.size());
    summary.smallest_mean_piece = first ? mean : std::min(summary.smallest_mean_piece, mean);
    ++summary.ranks_with_data;
}

class Worker {
public:
    explicit Worker(StudyInput const& input)
        : input_{input},
          workload_{*input.workload},
          node_step_{input.local_aggregators > 0},
          senders_{make_senders(*input.machine, input.local_aggregators)} {}

    Result<Study> run() {
        study_.calls = calls();
        study_.local_aggregators = node_step_ ? static_cast<int>(senders_.size()) : 0;
        count_requests();
        summarise();
        measure_lists();
        make_plans();
        if (auto const status = check_windows(); !status.ok()) return status;
        walk();
        add_up();
        return std::move(study_);
    }

private:
    bool one_call() const { return input_.mode == CallMode::multi; }
    Size calls() const { return one_call() ? 1 : static_cast<Size>(workload_.variables.size()); }
    void progress(double done) const {
        if (input_.progress) input_.progress(done);
    }

    // What the ranks ask for, before anything is merged.
    void count_requests() {
        for (Rank rank = 0; rank < workload_.ranks; ++rank) {
            Sender const alone{rank, {rank}};
            SenderParts const parts{workload_, alone, false};
            auto const whole = one_call() && workload_.interleaved;
            study_.requests += whole ? parts.all_pieces() : each_variable(parts);
            rank_bytes_.push_back(parts.all().size());
        }
    }

    Size each_variable(SenderParts const& parts) const {
        Size count = 0;
        for (int i = 0; i < static_cast<int>(workload_.variables.size()); ++i) count += parts.variable_pieces(i);
        return count;
    }

    // Calls visit(sender, call index, its part, its pieces) for the senders, every `step`-th of them.
    template <class Visit>
    void each_part(Size step, Visit&& visit) const {
        for (std::size_t i = 0; i < senders_.size(); i += static_cast<std::size_t>(step)) {
            SenderParts const parts{workload_, senders_[i], node_step_};
            for (int call = 0; call < static_cast<int>(calls()); ++call) {
                auto const shape = one_call() ? parts.all() : parts.variable(call);
                visit(i, call, shape, one_call() ? parts.all_pieces() : parts.variable_pieces(call));
            }
        }
    }

    void summarise() {
        summaries_.resize(static_cast<std::size_t>(calls()));
        each_part(1, [&](std::size_t sender, int call, Shape const& shape, Size pieces) {
            count_in(summaries_[static_cast<std::size_t>(call)], shape, pieces);
            if (call == 0) progress(0.3 * static_cast<double>(sender) / static_cast<double>(senders_.size()));
        });
    }

    // Where there are too many, those of some senders tell how long all of them are.
    void measure_lists() {
        Size pieces = 0;
        for (auto const& summary : summaries_) pieces += summary.pieces;
        auto const step = divide_up(std::max<Size>(pieces, 1), std::max<Size>(input_.most_coded, 1));
        study_.extent_lists_exact = step == 1;
        Size coded = 0;
        each_part(step, [&](std::size_t, int call, Shape const& shape, Size) {
            auto const index = static_cast<std::size_t>(call);
            if (call == 0 || !alike(workload_.variables[index - 1], workload_.variables[index])) {
                coded = static_cast<Size>(encode(Stream::whole(shape)).size());
            }
            summaries_[index].coded_bytes += step * coded;
            study_.extent_list_bytes += step * coded;
        });
    }

    void make_plans() {
        for (auto const& summary : summaries_) {
            plans_.push_back(make_plan(
                {input_.direction, summary, input_.layout, input_.machine, &input_.hints, input_.shared_memory}));
        }
        if (std::any_of(plans_.begin(), plans_.end(), [&](Plan const& plan) { return is_placed(plan); })) place();
    }

    PlacementNeed need_of(Plan const& plan) const { return placement_need(plan, *input_.machine, input_.hints); }
    // Worth a look where a network is known, even if the classic places stay.
    bool is_placed(Plan const& plan) const {
        return plan.route == Route::exchange && (need_of(plan).wanted || input_.machine->has_network());
    }

    void place() {
        std::vector<DomainBytes> bytes;
        for (auto const& plan : plans_) {
            bytes.push_back(DomainBytes::of(need_of(plan).rows, rows_of(plan), plan.domains.count));
        }
        each_part(1, [&](std::size_t sender, int call, Shape const& shape, Size) {
            auto const index = static_cast<std::size_t>(call);
            auto const rank = senders_[sender].rank;
            auto const by_rank = bytes[index].rows == DomainBytes::Rows::ranks;
            auto const row = by_rank ? rank : input_.machine->node_of[static_cast<std::size_t>(rank)];
            if (is_placed(plans_[index])) {
                count_by_domain(plans_[index].domains, Stream::whole(shape), bytes[index].row(row));
            }
        });
        for (std::size_t i = 0; i < plans_.size(); ++i) place_call(i, bytes[i]);
    }

    int rows_of(Plan const& plan) const {
        if (!is_placed(plan)) return 0;
        auto const& machine = *input_.machine;
        return need_of(plan).rows == DomainBytes::Rows::ranks ? machine.rank_count() : machine.node_count();
    }

    void place_call(std::size_t index, DomainBytes const& bytes) {
        auto& plan = plans_[index];
        if (!is_placed(plan)) return;
        auto const need = need_of(plan);
        auto const window = plan.domains.parts() * plan.domains.part_size();
        PlacementRequest const request{*input_.machine,
                                       bytes,
                                       plan.aggregators,
                                       most_on_a_node(*input_.machine, plan.aggregators),
                                       {window * input_.hints.windows, false}};
        auto choice = classic_placement(request);
        if (need.wanted) {
            choice = place_domains(need.policy, request);
            auto const placed = placed_aggregators(need.policy, choice, *input_.machine);
            plan = make_plan(
                {input_.direction, plan.summary, input_.layout, input_.machine, &input_.hints, false, false, &placed});
        }
        if (index == 0) study_.placement = std::move(choice);
    }

    Status check_windows() const {
        Size windows = 0;
        for (auto const& plan : plans_) windows += plan.rounds * plan.domains.count;
        if (windows <= most_windows) return {};
        return {Code::invalid_argument,
                "so small a window makes " + std::to_string(windows) + " windows; choose a larger one (--window)"};
    }

    // Pieces to walk through, or windows where pieces are larger than those.
    Size steps() const {
        Size count = 0;
        for (auto const& plan : plans_) count += plan.summary.pieces + plan.rounds * plan.domains.count;
        return count;
    }

    void walk() {
        sample_ = divide_up(std::max<Size>(steps(), 1), std::max<Size>(input_.most_steps, 1));
        study_.exact = sample_ == 1;
        for (auto const& plan : plans_) traffic_.emplace_back(plan, *input_.machine);
        each_part(sample_, [&](std::size_t sender, int call, Shape const& shape, Size) {
            auto const index = static_cast<std::size_t>(call);
            if (plans_[index].route == Route::exchange) traffic_[index].add(senders_[sender].rank, shape);
            if (call == 0) progress(0.3 + 0.7 * static_cast<double>(sender) / static_cast<double>(senders_.size()));
        });
        progress(1);
    }

    void add_up() {
        for (std::size_t i = 0; i < plans_.size(); ++i) add_call(plans_[i], traffic_[i]);
        study_.requests_after_node_step = node_step_ ? merged_requests() : study_.requests;
        study_.bytes_inside_nodes += node_step_ ? gathered_bytes() : 0;
        for (auto const& [rank, count] : messages_to_) {
            study_.messages_per_aggregator_max = std::max(study_.messages_per_aggregator_max, count);
        }
        if (plans_.empty()) return;
        study_.plan = plans_.front();
        study_.flow = traffic_.front().flow;
    }

    void add_call(Plan const& plan, Traffic const& traffic) {
        study_.bytes += plan.summary.bytes;
        study_.rounds += plan.rounds;
        study_.messages += sample_ * traffic.messages;
        study_.messages_inside_nodes += sample_ * traffic.messages_inside_nodes;
        study_.bytes_between_nodes += sample_ * traffic.bytes_between_nodes;
        study_.bytes_inside_nodes += sample_ * traffic.bytes_inside_nodes;
        study_.senders_per_round_max =
            std::max(study_.senders_per_round_max, sample_ * traffic.senders_per_round_max());
        study_.memory_per_rank_max = std::max(study_.memory_per_rank_max, memory_of(plan, traffic));
        for (std::size_t i = 0; i < plan.aggregators.size(); ++i) {
            messages_to_[plan.aggregators[i]] += sample_ * traffic.messages_by_aggregator()[i];
        }
    }

    // An aggregator's windows and the one for what arrives, the largest packet to send, and the extent lists.
    Size memory_of(Plan const& plan, Traffic const& traffic) const {
        if (plan.route != Route::exchange) return 0;
        auto const window = plan.domains.parts() * plan.domains.part_size();
        auto const windows = std::min<Size>(std::max(input_.hints.windows, 1), plan.rounds) + 1;
        return windows * window + traffic.largest_packet + list_memory(plan);
    }

    // Short lists go whole to every aggregator, however many there are.
    Size list_memory(Plan const& plan) const {
        auto const all = plan.summary.coded_bytes;
        if (all <= plan.summary.ranks_with_data * whole_list_limit) return all;
        return std::min(divide_up(all, plan.domains.count), input_.hints.metadata_memory);
    }

    Size merged_requests() const {
        Size count = 0;
        for (auto const& summary : summaries_) count += summary.pieces;
        return count;
    }

    // What members of a group hand to their local aggregator.
    Size gathered_bytes() const {
        Size bytes = 0;
        for (auto const& sender : senders_) {
            for (auto const rank : sender.members) {
                if (rank != sender.rank) bytes += rank_bytes_[static_cast<std::size_t>(rank)];
            }
        }
        return bytes;
    }

    StudyInput const& input_;
    Workload const& workload_;
    bool node_step_;
    std::vector<Sender> senders_;
    Study study_;
    std::vector<Size> rank_bytes_;    // by rank
    std::vector<Summary> summaries_;  // by call
    std::vector<Plan> plans_;
    std::vector<Traffic> traffic_;
    Size sample_{1};
    std::map<Rank, Size> messages_to_;
};

}  // namespace

Result<Study> study(StudyInput const& input) {
    try {
        return Worker{input}.run();
    } catch (std::bad_alloc const&) {
        return Status{Code::out_of_memory, "not enough memory to study this; try fewer ranks or a larger window"};
    }
}

}  // namespace muster
