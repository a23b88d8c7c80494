// How many bytes it takes to tell an aggregator what a rank accesses.
#include "core/coding.hpp"

#include <gtest/gtest.h>

#include <cstdio>

#include "core/merge.hpp"
#include "workloads/registry.hpp"

namespace muster {
namespace {

std::vector<Extent> pieces_of(Shape const& shape) {
    std::vector<Extent> pieces;
    shape.for_each([&](Offset offset, Size length) { pieces.push_back({offset, length}); });
    return pieces;
}

struct Case {
    char const* name;
    int ranks;
    std::vector<OptionPair> options;
    double most;  // bytes per request
};

std::ostream& operator<<(std::ostream& out, Case const& c) { return out << c.name << " on " << c.ranks << " ranks"; }

class Lists : public testing::TestWithParam<Case> {};

// As a view says it, and as a plain list; of some ranks.
TEST_P(Lists, take_few_bytes_per_request) {
    auto const& c = GetParam();
    auto const workload = make_workload(c.name, c.ranks, c.options);
    ASSERT_TRUE(workload.ok()) << workload.status().text();
    for (Rank const rank : {0, c.ranks / 3, c.ranks - 1}) {
        auto const shape = workload->file_of(rank).shape;
        auto const pieces = pieces_of(shape);
        auto const requests = static_cast<double>(pieces.size());
        auto const structured = encode(Stream::whole(shape));
        auto const listed = encode(Stream::whole(Shape::pieces(pieces)));
        std::printf(
            "%-12s %6d ranks, rank %5d: %8zu requests, %7zu bytes as a view, %7zu as a list: %.4f per request\n",
            c.name, c.ranks, rank, pieces.size(), structured.size(), listed.size(),
            static_cast<double>(listed.size()) / requests);
        constexpr double overhead = 40;  // of a list of a few requests
        EXPECT_LE(static_cast<double>(structured.size()), overhead + c.most * requests);
        EXPECT_LE(static_cast<double>(listed.size()), overhead + c.most * requests);
        auto const back = decode(listed);
        ASSERT_TRUE(back.ok());
        EXPECT_EQ(cover(pieces_of(back->shape)), cover(pieces));
    }
}

INSTANTIATE_TEST_SUITE_P(
    OfWorkloads, Lists,
    testing::Values(Case{"e3sm-f", 21600, {}, 0.02}, Case{"e3sm-f", 16, {{"ne", "4"}, {"run", "1"}}, 0.01},
                    Case{"e3sm-g", 2400, {{"cells", "923306"}, {"edges", "0"}, {"vertices", "0"}}, 1.0},
                    Case{"btio", 1024, {{"variables", "4"}}, 0.1}, Case{"btio", 16384, {{"variables", "4"}}, 0.5},
                    Case{"s3d", 16384, {}, 0.05}, Case{"cube", 4096, {}, 0.05}, Case{"flash", 4096, {}, 1.0},
                    Case{"hacc", 64, {}, 5.0}, Case{"array1d", 64, {{"distribution", "random"}}, 5.0},
                    Case{"noncontig", 512, {{"datasets", "20"}, {"dataset-bytes", "10M"}}, 1.0},
                    Case{"contiguous", 64, {}, 5.0}, Case{"strided", 64, {}, 0.1}));

// One variable of the ocean: nothing returns.
TEST(Lists, take_at_most_5_bytes_per_request_where_nothing_returns) {
    for (auto const& c : {Case{"e3sm-g", 9600, {}, 5},
                          Case{"e3sm-g", 600, {{"cells", "230826"}, {"edges", "0"}, {"vertices", "0"}}, 5}}) {
        auto const workload = make_workload(c.name, c.ranks, c.options);
        ASSERT_TRUE(workload.ok());
        for (int pattern = 0; pattern < workload->pattern_count(); ++pattern) {
            auto const shape = workload->pattern(17, pattern);
            auto const bytes = static_cast<double>(encode(Stream::whole(shape)).size());
            EXPECT_LE(bytes / static_cast<double>(shape.piece_count()), 5.0) << pattern;
        }
    }
}

}  // namespace
}  // namespace muster
