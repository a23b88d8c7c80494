#include "workloads/data.hpp"

#include <gtest/gtest.h>

#include <set>

#include "workloads/registry.hpp"

namespace muster {
namespace {

TEST(Data, verifies_what_it_filled) {
    std::vector<OptionPair> const small{{"grid", "6"}, {"variables", "2"}};
    auto const workload = make_workload("btio", 9, small);
    ASSERT_TRUE(workload.ok());
    for (Rank rank = 0; rank < 9; ++rank) {
        auto const stream = workload->file_of(rank);
        std::vector<std::byte> buffer(static_cast<std::size_t>(stream.size()));
        fill(stream, buffer, 3);
        EXPECT_FALSE(verify(stream, buffer, 3).has_value());
        EXPECT_TRUE(verify(stream, buffer, 4).has_value());
    }
}

TEST(Data, names_the_place_of_a_flipped_byte) {
    auto const stream = Stream::whole(Shape::strip({13, 5}, 10, 11));
    std::vector<std::byte> buffer(50);
    fill(stream, buffer);
    buffer[23] ^= std::byte{1};
    auto const mismatch = verify(stream, buffer);
    ASSERT_TRUE(mismatch.has_value());
    EXPECT_EQ(mismatch->position, 23);
    EXPECT_EQ(mismatch->offset, 13 + 4 * 11 + 3);
    EXPECT_EQ(mismatch->expected, byte_at(mismatch->offset));
    EXPECT_EQ(mismatch->found, buffer[23]);
}

TEST(Data, belongs_to_the_place_in_the_file) {
    std::vector<std::byte> whole(64);
    fill(Stream::whole(Shape::block(100, 64)), whole);
    for (std::size_t i = 0; i < whole.size(); ++i) EXPECT_EQ(whole[i], byte_at(100 + static_cast<Offset>(i)));
}

TEST(Data, is_different_everywhere) {
    std::set<std::vector<std::byte>> words;
    for (Offset offset = 0; offset < 80000; offset += 8) {
        std::vector<std::byte> word(8);
        fill(Stream::whole(Shape::block(offset, 8)), word);
        words.insert(word);
    }
    EXPECT_EQ(words.size(), 10000u);
}

}  // namespace
}  // namespace muster
