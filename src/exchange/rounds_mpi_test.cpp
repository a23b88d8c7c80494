#include "exchange/rounds.hpp"

#include <gtest/gtest.h>

#include "plan/kernels.hpp"

namespace muster {
namespace {

constexpr Offset file_end = 1000;

std::byte content(Offset offset) { return static_cast<std::byte>(offset * 7 + offset / 256 + 1); }

// Which bytes a rank accesses.
using Pieces = std::vector<Extent> (*)(Comm const&);

std::vector<Extent> cells(Offset first, Size length, Size apart) {
    std::vector<Extent> extents;
    for (auto at = first; at + length <= file_end; at += apart) extents.push_back({at, length});
    return extents;
}

std::vector<Extent> own_cells(Comm const& comm) { return cells(comm.rank * 7, 7, comm.size * 7); }
// All ranks the same ones: far more messages than an aggregator has room for.
std::vector<Extent> common_cells(Comm const&) { return cells(2, 3, 5); }
// Every second rank nothing.
std::vector<Extent> few_cells(Comm const& comm) {
    return comm.rank % 2 == 0 ? std::vector<Extent>{} : cells(comm.rank * 11, 5, comm.size * 11);
}

// Collective. One call by hand: lists, then all rounds forth and back.
class HandMade {
public:
    HandMade(Pieces pieces, Hints const& hints) : extents_{pieces(comm_)} {
        for (auto const& extent : extents_) size_ += extent.length;
        memory_.resize(static_cast<std::size_t>(size_));
        Segment const segment{memory_.data(), size_};
        access_ = *make_access(extents_, {&segment, 1});
        plan_ = make_plan({Direction::write, summary(), {}, &machine_, &hints, false});
        packed_.resize(static_cast<std::size_t>(packed_size(plan_, access_)));
        auto const window = static_cast<std::size_t>(plan_.domains.parts() * plan_.domains.part_size());
        window_.resize(domain() >= 0 ? window : 0);
        staging_.resize(window_.size());
    }

    Plan const& plan() const { return plan_; }
    int domain() const { return plan_.aggregator_index(comm_.rank); }

    // Whether the aggregators have in their windows what the ranks have in their memory.
    bool gather() {
        visit_memory([](std::byte& byte, Offset offset) { byte = content(offset); });
        auto const lists = learn();
        auto const party = party_with(lists);
        bool right = true;
        for (Size round = 0; round < plan_.rounds; ++round) {
            std::fill(window_.begin(), window_.end(), std::byte{0});
            gather_round(party, whole_round(plan_, round), window_);
            visit_window(lists, round,
                         [&](std::byte& byte, Offset offset) { right = right && byte == content(offset); });
        }
        return right;
    }

    bool scatter() {
        visit_memory([](std::byte& byte, Offset) { byte = std::byte{0}; });
        auto const lists = learn();
        auto const party = party_with(lists);
        for (Size round = 0; round < plan_.rounds; ++round) {
            visit_window(lists, round, [](std::byte& byte, Offset offset) { byte = content(offset); });
            scatter_round(party, whole_round(plan_, round), window_);
        }
        bool right = true;
        visit_memory([&](std::byte& byte, Offset offset) { right = right && byte == content(offset); });
        return right;
    }

private:
    // Collective.
    Summary summary() {
        auto list = make_list(access_.file);
        Size sums[] = {size_, static_cast<Size>(extents_.size()), size_ > 0 ? 1 : 0,
                       static_cast<Size>(list.coded.size())};
        reduce_all(comm_, sums, MPI_SUM);
        return {0, file_end, sums[0], sums[1], size_, static_cast<int>(sums[2]), 1, sums[3]};
    }
    std::vector<Contributor> learn() {
        return *exchange_lists(courier_, plan_, make_list(access_.file), {0, plan_.rounds});
    }
    Party party_with(std::vector<Contributor> const& lists) {
        return {courier_, plan_, access_, lists, watch_, packed_, staging_};
    }
    template <class Visit>
    void visit_memory(Visit&& visit) {
        std::size_t at = 0;
        for (auto const& extent : extents_) {
            for (auto offset = extent.offset; offset < extent.end(); ++offset) visit(memory_[at++], offset);
        }
    }
    template <class Visit>
    void visit_window(std::vector<Contributor> const& lists, Size round, Visit&& visit) {
        for (auto const& contributor : lists) {
            for_each_cut(plan_.domains, contributor.stream, {domain(), round}, [&](Stream const& cut, Offset place) {
                cut.for_each([&](Offset offset, Size length) {
                    for (Size i = 0; i < length; ++i)
                        visit(window_[static_cast<std::size_t>(offset + place + i)], offset + i);
                });
            });
        }
    }

    Comm comm_{Comm::of(MPI_COMM_WORLD)};
    Machine machine_{block_machine(comm_.size, 2)};
    RankReport report_;
    Courier courier_{comm_, machine_, report_};
    Stopwatch watch_;
    std::vector<Extent> extents_;
    Size size_{0};
    std::vector<std::byte> memory_;
    Access access_;
    Plan plan_;
    std::vector<std::byte> packed_;
    std::vector<std::byte> window_;
    std::vector<std::byte> staging_;
};

class Rounds : public testing::TestWithParam<Kernel> {
protected:
    static Hints hints(int throttle, Layout layout) {
        Hints hints;
        hints.collective_write = Toggle::on;
        hints.aggregators = 3;
        hints.window = 64;
        hints.stripe_size = 16;
        hints.layout = layout;
        hints.data_kernel = hints.metadata_kernel = GetParam();
        hints.throttle = throttle;
        return hints;
    }
    static void check(Pieces pieces) {
        for (auto const layout : {Layout::contiguous, Layout::striped}) {
            for (auto const throttle : {0, 1, 2}) {
                HandMade call{pieces, hints(throttle, layout)};
                EXPECT_GT(call.plan().rounds, 1);
                EXPECT_TRUE(call.gather()) << call.plan().text();
                EXPECT_TRUE(call.scatter()) << call.plan().text();
            }
        }
    }
};

TEST_P(Rounds, bring_all_bytes_to_their_windows_and_back) { check(own_cells); }
TEST_P(Rounds, get_by_with_staging_of_one_window_though_all_ranks_access_the_same_bytes) { check(common_cells); }

TEST_P(Rounds, leave_ranks_without_data_in_peace) {
    if (Comm::of(MPI_COMM_WORLD).size == 1) GTEST_SKIP() << "nobody would have data";
    check(few_cells);
}

std::string test_name(testing::TestParamInfo<Kernel> const& info) {
    std::string name = kernel_name(info.param);
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

INSTANTIATE_TEST_SUITE_P(Exchange, Rounds,
                         testing::Values(Kernel::ascending, Kernel::ascending_sync, Kernel::spread_out,
                                         Kernel::balanced, Kernel::pairwise, Kernel::alltoallw),
                         test_name);

}  // namespace
}  // namespace muster
