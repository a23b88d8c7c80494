// Windows in memory that was used before.
#include "engine/window_space.hpp"

#include <cstring>

#include "engine/session.hpp"
#include "engine/testing.hpp"

namespace muster {
namespace {

using namespace test;

std::unique_ptr<WindowSpace> space_of(Session& session, int domains, int windows, Size window) {
    WindowSpace::Layout layout;
    layout.domains = domains;
    layout.windows = windows;
    layout.window = window;
    layout.own = rank();
    for (Rank each = 0; each < domains; ++each) layout.aggregators.push_back(each % session.comm().size);
    return std::move(*WindowSpace::make(session, layout));
}

TEST(WindowSpace, counts_from_zero_whatever_the_memory_has_held_before) {
    SharedPath const path;
    SessionOptions options;
    options.path = path.get();
    options.open.create = true;
    auto session = std::move(*Session::open(MPI_COMM_WORLD, options));
    auto const ranks = session->comm().size;
    constexpr int windows = 1024;
    constexpr int domains = 25;  // whose counts reach to where windows were
    Size const more_than_these = Size{128} << 20;
    auto large = space_of(*session, ranks, 1, more_than_these / ranks);
    if (large->reach(0) == nullptr) GTEST_SKIP() << "the ranks share no memory";
    if (rank() == 0) std::memset(large->reach(0), 0xff, std::size_t{1} << 20);
    session->quorum().meet();
    large->close();
    auto const many = space_of(*session, domains, windows, 16);
    for (int domain = 0; domain < domains; ++domain) {
        ASSERT_EQ(many->rounds(domain), 0) << domain;
        for (Size round = 0; round < windows; ++round)
            ASSERT_EQ(many->count(domain, round), 0) << domain << ", " << round;
    }
    session->quorum().meet();
    many->close();
    ASSERT_TRUE(session->close().ok());
}

}  // namespace
}  // namespace muster
