#include "core/copy.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace muster {
namespace {

TEST(CopySmall, copies_every_length_and_nothing_beside_it) {
    for (Size length = 0; length <= 100; ++length) {
        auto const bytes = static_cast<std::size_t>(length);
        std::vector<std::byte> source(bytes), target(bytes + 2, std::byte{0xee});  // exact, for the address sanitizer
        for (std::size_t i = 0; i < bytes; ++i) source[i] = static_cast<std::byte>(i + 1);
        copy_small(target.data() + 1, source.data(), length);
        EXPECT_EQ(target.front(), std::byte{0xee});
        EXPECT_EQ(target.back(), std::byte{0xee});
        EXPECT_EQ((std::vector<std::byte>{target.begin() + 1, target.end() - 1}), source) << length;
    }
}

}  // namespace
}  // namespace muster
