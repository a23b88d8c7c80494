#include "mpi/wait.hpp"

#include <gtest/gtest.h>

namespace muster {
namespace {

void look_in_vain(Patience& patience, int times) {
    for (int i = 0; i < times; ++i) patience.pause();
}

// As an MPI does that copies a fragment.
void look_and_move(Patience& patience) {
    auto const start = Spent::now().nanoseconds;
    while (Spent::now().nanoseconds - start < 50'000) {
    }
    patience.pause();
}

TEST(Patience, naps_get_longer_while_nothing_moves) {
    Patience patience;
    EXPECT_EQ(patience.next_nap(), Patience::shortest_nap);
    look_in_vain(patience, 270);
    auto const after_a_while = patience.next_nap();
    EXPECT_GT(after_a_while, Patience::shortest_nap);
    look_in_vain(patience, 5);
    EXPECT_GT(patience.next_nap(), after_a_while);
    look_in_vain(patience, 50);
    EXPECT_EQ(patience.next_nap(), Patience::longest_nap);
}

TEST(Patience, messages_that_move_bring_the_short_naps_back) {
    Patience patience;
    look_in_vain(patience, 270);
    ASSERT_GT(patience.next_nap(), Patience::shortest_nap);
    // Others may take the core in the middle of a look, which then tells nothing.
    for (int i = 0; i < 1000 && patience.next_nap() > Patience::shortest_nap; ++i) look_and_move(patience);
    EXPECT_EQ(patience.next_nap(), Patience::shortest_nap);
}

TEST(Patience, one_slow_look_after_a_nap_is_no_message) {
    auto kept = false;
    for (int i = 0; i < 50 && !kept; ++i) {  // on a busy machine, the second look may be slow as well
        Patience patience;
        look_in_vain(patience, 270);
        auto const before = patience.next_nap();
        look_and_move(patience);  // looks again, without a nap
        look_in_vain(patience, 1);
        kept = patience.next_nap() > before;
    }
    EXPECT_TRUE(kept);
}

}  // namespace
}  // namespace muster
