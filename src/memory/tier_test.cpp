#include "memory/tier.hpp"

#include <gtest/gtest.h>

#include <filesystem>

namespace muster {
namespace {

std::string temporary() { return std::filesystem::temp_directory_path().string(); }

TierFacts facts(char const* name, Size capacity, std::string directory = {}) {
    TierFacts tier;
    tier.name = name;
    tier.capacity = capacity;
    tier.directory = std::move(directory);
    return tier;
}

void expect_usable(Tier& tier, Size size) {
    auto buffer = tier.allocate(size);
    ASSERT_TRUE(buffer.ok()) << buffer.status().text();
    std::vector<std::byte> const pattern(static_cast<std::size_t>(size), std::byte{0x5A});
    Tier::write(*buffer, 0, pattern);
    EXPECT_TRUE(tier.flush(*buffer).ok());
    std::vector<std::byte> back(pattern.size());
    Tier::read(*buffer, 0, back);
    EXPECT_EQ(back, pattern);
    EXPECT_EQ(tier.used(), size);
}

TEST(Tier, plain_memory_and_mapped_files_hold_what_is_written) {
    for (auto const& directory : {std::string{}, temporary()}) {
        auto const tier = make_tier(facts("X", 0, directory));
        expect_usable(*tier, 100000);
        EXPECT_EQ(tier->used(), 0);
    }
}

TEST(Tier, capacity_is_a_bound_for_what_is_in_use) {
    auto const tier = make_tier(facts("X", 1000));
    auto first = tier->allocate(600);
    ASSERT_TRUE(first.ok());
    EXPECT_EQ(tier->allocate(600).status().code(), Code::out_of_memory);
    first = Buffer{};
    EXPECT_EQ(tier->used(), 0);
    EXPECT_TRUE(tier->allocate(600).ok());
}

TEST(Tier, high_bandwidth_memory_is_real_or_refused) {
    auto const tier = make_tier(facts("HBM", 0));
    auto const buffer = tier->allocate(4096);
    if (!buffer) {
        EXPECT_EQ(buffer.status().code(), Code::unsupported) << buffer.status().text();
    }
}

// Table 7 of the paper, with real buffers: what does not fit goes to the next tier, and that is told.
TEST(TierStack, falls_to_the_next_tier_when_one_is_full) {
    Size const window = 16 << 10;
    TierStack stack{{facts("FAST", 2 * window), facts("SSD", window, temporary()), facts("SLOW", 0)}, "FAST"};
    std::vector<Buffer> kept;
    std::vector<std::string> used;
    for (int i = 0; i < 5; ++i) {
        auto buffer = stack.allocate(window);
        ASSERT_TRUE(buffer.ok());
        kept.push_back(std::move(*buffer));
        used.push_back(stack.last());
    }
    EXPECT_EQ(used, (std::vector<std::string>{"FAST", "FAST", "SSD", "SLOW", "SLOW"}));
    ASSERT_EQ(stack.notes().size(), 2U);
    EXPECT_EQ(stack.notes()[0].substr(0, 5), "FAST:");
}

TEST(TierStack, falls_to_the_next_tier_when_one_fails) {
    TierStack stack{{facts("SSD", 0, "/no/such/directory"), facts("DRAM", 0)}, "SSD"};
    ASSERT_TRUE(stack.allocate(100).ok());
    EXPECT_EQ(stack.last(), "DRAM");
    EXPECT_NE(stack.notes().front().find("/no/such/directory"), std::string::npos);
}

TEST(TierStack, without_a_preference_everything_is_plain_memory) {
    TierStack stack{{facts("SSD", 0, temporary())}, ""};
    ASSERT_TRUE(stack.allocate(100).ok());
    EXPECT_TRUE(stack.plain());
    EXPECT_TRUE(stack.notes().empty());
}

TEST(MappedFile, others_see_what_is_written_and_the_name_goes) {
    auto file = MappedFile::create(temporary(), 8192);
    ASSERT_TRUE(file.ok()) << file.status().text();
    auto other = MappedFile::attach(file->path(), 8192);
    ASSERT_TRUE(other.ok()) << other.status().text();
    file->bytes()[5000] = std::byte{7};
    EXPECT_EQ(other->bytes()[5000], std::byte{7});
    file->remove_path();
    EXPECT_FALSE(std::filesystem::exists(file->path()));
    EXPECT_FALSE(MappedFile::create("/no/such/directory", 8192).ok());
}

}  // namespace
}  // namespace muster
