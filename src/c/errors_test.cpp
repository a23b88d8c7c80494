#include "c/errors.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <stdexcept>

namespace muster {
namespace {

TEST(Guarded, work_that_succeeds_leaves_the_last_message_alone) {
    EXPECT_EQ(guarded([] { return Status{Code::io, "disk on fire", EIO}; }), MUSTER_IO);
    EXPECT_EQ(guarded([] { return Status{}; }), MUSTER_OK);
    EXPECT_STREQ(muster_last_message(), "disk on fire");
    EXPECT_EQ(muster_last_system_error(), EIO);
}

TEST(Guarded, work_that_throws_ends_as_a_code) {
    EXPECT_EQ(guarded([]() -> Status { throw std::bad_alloc{}; }), MUSTER_OUT_OF_MEMORY);
    EXPECT_STREQ(muster_last_message(), "no memory");
    EXPECT_EQ(guarded([]() -> Status { throw std::runtime_error{"a surprise"}; }), MUSTER_INTERNAL);
    EXPECT_STREQ(muster_last_message(), "a surprise");
    EXPECT_EQ(guarded([]() -> Status { throw 17; }), MUSTER_INTERNAL);
    EXPECT_STREQ(muster_last_message(), "an unknown exception");
}

TEST(Guarded, work_is_not_begun_without_a_handle) {
    int* const handle = nullptr;
    bool begun = false;
    auto const work = [&](int&) {
        begun = true;
        return Status{};
    };
    EXPECT_EQ(guarded(handle, work), MUSTER_INVALID_ARGUMENT);
    EXPECT_FALSE(begun);
}

}  // namespace
}  // namespace muster
