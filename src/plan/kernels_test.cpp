#include "plan/kernels.hpp"

#include <gtest/gtest.h>

#include "core/hints.hpp"

namespace muster {
namespace {

constexpr Size GiB = Size{1} << 30;

std::string text(KernelChoice const& choice) {
    return std::string{kernel_name(choice.kernel)} + " " + std::to_string(choice.throttle) + ": " + choice.reason;
}

Summary accessed(Size bytes, Size pieces, int ranks) {
    Summary summary;
    summary.high = bytes;
    summary.bytes = bytes;
    summary.pieces = pieces;
    summary.ranks_with_data = ranks;
    return summary;
}

TEST(Kernels, climate_data_comes_from_all_ranks_in_every_round) {
    auto const traffic = estimate_traffic(accessed(14 * GiB, 1360000000, 21600), 64, 224);
    EXPECT_EQ(traffic, (Traffic{21600, 64, 224, 21600, 48}));
    EXPECT_EQ(text(choose_data_kernel(traffic, {})),
              "balanced 32: in a round an aggregator hears from up to 21600 of 21600 ranks, 48 B each");
}

// 24 variables, 80 blocks of 8^3 doubles, contiguous per rank, on stripes of 1 MiB: at most 4 senders.
TEST(Kernels, few_senders_in_a_round_go_unthrottled) {
    Size const bytes = Size{24} * 80 * 512 * 8 * 4096;
    auto const traffic = estimate_traffic(accessed(bytes, 24 * 4096, 4096), 64, bytes / 64 >> 20);
    EXPECT_EQ(traffic.senders, 4);
    EXPECT_EQ(text(choose_data_kernel(traffic, {})),
              "ascending-sync 0: in a round an aggregator hears from up to 4 of 4096 ranks, 256 KiB each");
}

TEST(Kernels, half_of_the_ranks_are_a_crowd) {
    EXPECT_EQ(choose_data_kernel({100, 4, 10, 50, 1000}, {}).kernel, Kernel::balanced);
    EXPECT_EQ(choose_data_kernel({100, 4, 10, 49, 1000}, {}).kernel, Kernel::ascending_sync);
}

TEST(Kernels, metadata_is_balanced_and_throttled_whatever_the_data_does) {
    EXPECT_EQ(text(choose_metadata_kernel({4096, 64, 10, 4, 1000}, {})),
              "balanced 32: each aggregator hears from 4096 ranks at once");
}

TEST(Kernels, hints_choose_each_kernel_on_its_own) {
    Hints hints;
    hints.throttle = 5;
    hints.data_kernel = Kernel::pairwise;
    EXPECT_EQ(text(choose_data_kernel({100, 4, 10, 100, 1000}, hints)), "pairwise 1: by hint");
    EXPECT_EQ(choose_metadata_kernel({100, 4, 10, 100, 1000}, hints).kernel, Kernel::balanced);
    hints.data_kernel = Kernel::spread_out;
    EXPECT_EQ(text(choose_data_kernel({100, 4, 10, 100, 1000}, hints)), "spread-out 5: by hint");
    hints.metadata_kernel = Kernel::alltoallw;
    EXPECT_EQ(text(choose_metadata_kernel({100, 4, 10, 100, 1000}, hints)), "alltoallw 0: by hint");
}

TEST(Kernels, no_data_at_all_makes_no_trouble) { EXPECT_EQ(estimate_traffic({}, 4, 0), (Traffic{0, 4, 0, 0, 0})); }

TEST(Kernels, names_are_those_of_the_hints) {
    for (auto const kernel : {Kernel::automatic, Kernel::ascending, Kernel::ascending_sync, Kernel::spread_out,
                              Kernel::balanced, Kernel::pairwise, Kernel::alltoallw}) {
        Hints hints;
        ASSERT_TRUE(set_hint(hints, "muster_data_kernel", kernel_name(kernel)).ok());
        EXPECT_EQ(hints.data_kernel, kernel);
    }
}

}  // namespace
}  // namespace muster
