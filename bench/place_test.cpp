#include "place.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>

#include "posix.hpp"

namespace muster::bench {
namespace {

constexpr Size mebibyte = Size{1} << 20;

class SpareMemoryTest : public testing::Test {
protected:
    SpareMemoryTest() {
        if (mkdtemp(directory_.data()) == nullptr) ADD_FAILURE();
        if (!on_local_disk(directory_) && !in_memory(directory_)) steps_ = 0;
    }
    ~SpareMemoryTest() override { std::filesystem::remove_all(directory_); }

    Size in_files() const {
        Size bytes = 0;
        for (auto const& entry : std::filesystem::directory_iterator{directory_})
            bytes += static_cast<Size>(entry.file_size());
        return bytes;
    }

    std::string directory_{"/var/tmp/muster_test_XXXXXX"};
    Size steps_{2};  // for which memory is to be had
};

TEST_F(SpareMemoryTest, is_there_until_a_step_needs_it) {
    SpareMemory spare{directory_, 2, 4 * mebibyte};
    EXPECT_EQ(spare.held(), 0);
    spare.hold();
    EXPECT_EQ(spare.held(), steps_);
    EXPECT_GE(in_files(), steps_ * 4 * mebibyte);
    for (int step = 0; step < 3; ++step) spare.free_for_step();
    EXPECT_EQ(in_files(), 0);
    spare.hold();
    EXPECT_EQ(spare.held(), steps_);
}

TEST_F(SpareMemoryTest, is_given_back_at_the_end) {
    {
        SpareMemory spare{directory_, 2, mebibyte};
        spare.hold();
    }
    EXPECT_EQ(in_files(), 0);
}

TEST_F(SpareMemoryTest, is_none_where_it_would_take_what_others_need) {
    SpareMemory spare{directory_, 1000, Size{1} << 40};
    spare.hold();
    EXPECT_EQ(spare.held(), 0);
}

TEST_F(SpareMemoryTest, is_none_where_there_is_no_directory) {
    SpareMemory spare{directory_ + "/not/there", 2, mebibyte};
    spare.hold();
    EXPECT_EQ(spare.held(), 0);
}

TEST(SpareMemoryInMemory, is_held_as_well) {
    std::string directory{"/dev/shm/muster_test_XXXXXX"};
    if (mkdtemp(directory.data()) == nullptr) GTEST_SKIP() << "no /dev/shm";
    {
        SpareMemory spare{directory, 2, mebibyte};
        spare.hold();
        EXPECT_EQ(spare.held(), in_memory(directory) || on_local_disk(directory) ? 2 : 0);
    }
    EXPECT_TRUE(std::filesystem::is_empty(directory));
    std::filesystem::remove_all(directory);
}

}  // namespace
}  // namespace muster::bench
