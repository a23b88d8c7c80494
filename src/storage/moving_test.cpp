#include "storage/moving.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

#include "storage/faulty.hpp"
#include "storage/temporary_file.hpp"

namespace muster {
namespace {

using test::Bytes;

class Moving : public ::testing::Test {
protected:
    Moving() {
        std::string name = "/tmp/muster-moving-XXXXXX";
        directory_ = ::mkdtemp(name.data());
        std::filesystem::create_directories(directory_ / "local");
    }
    ~Moving() override { std::filesystem::remove_all(directory_); }

    std::string first() const { return (directory_ / "local" / "piece").string(); }
    std::string second() const { return (directory_ / "piece.moved").string(); }

    std::unique_ptr<Storage> open(std::string const& faults = "") const {
        auto const wrap = [faults](std::unique_ptr<Storage> file) {
            return inject_faults(std::move(file), *parse_faults(faults), 0);
        };
        auto opened = open_moving({first(), second(), wrap}, {AccessMode::read_write, true});
        EXPECT_TRUE(opened.ok()) << opened.status().text();
        return std::move(*opened);
    }

    std::filesystem::path directory_;
};

Status put(Storage& storage, Offset at, std::string const& text) {
    return write_fully(storage, at, std::as_bytes(std::span{text}));
}
std::string get(Storage& storage, Size size = 100) {
    std::string text(static_cast<std::size_t>(size), ' ');
    auto const got = read_fully(storage, 0, std::as_writable_bytes(std::span{text}));
    EXPECT_TRUE(got.ok()) << got.status().text();
    text.resize(static_cast<std::size_t>(got ? *got : 0));
    return text;
}

TEST_F(Moving, a_file_stays_where_it_is_while_all_is_well) {
    auto const file = open();
    EXPECT_TRUE(put(*file, 0, "hello").ok());
    EXPECT_EQ(get(*file), "hello");
    EXPECT_TRUE(file->close().ok());
    EXPECT_TRUE(file->notes().empty());
    EXPECT_FALSE(std::filesystem::exists(second()));
}

TEST_F(Moving, a_full_or_failing_place_is_left_with_all_that_was_written) {
    for (auto const* error : {"ENOSPC", "EDQUOT", "EIO", "EROFS", "EFBIG"}) {
        auto const file = open("write:2:" + std::string{error} + "@0");
        EXPECT_TRUE(put(*file, 0, "hello").ok());
        EXPECT_TRUE(put(*file, 5, " world").ok()) << error;
        EXPECT_EQ(get(*file), "hello world");
        ASSERT_EQ(file->notes().size(), 1U);
        EXPECT_NE(file->notes()[0].find(second()), std::string::npos) << file->notes()[0];
        EXPECT_TRUE(file->close().ok());
        EXPECT_FALSE(std::filesystem::exists(first()));
        EXPECT_EQ(get(*open()), "hello world") << "who comes later finds it";
        std::filesystem::remove(second());
    }
}

TEST_F(Moving, a_request_that_is_wrong_is_not_the_places_fault) {
    auto const file = open("write:1:EINVAL@0");
    EXPECT_EQ(put(*file, 0, "hello").system_error(), EINVAL);
    EXPECT_FALSE(std::filesystem::exists(second()));
}

TEST_F(Moving, others_who_have_it_open_follow) {
    auto const failing = open("write:2:ENOSPC@0");
    auto const other = open();
    auto const reader = open();
    EXPECT_TRUE(put(*failing, 0, "aaaa").ok());
    EXPECT_TRUE(put(*other, 4, "bbbb").ok());
    EXPECT_TRUE(put(*failing, 8, "cccc").ok());
    EXPECT_EQ(get(*reader), "aaaabbbbcccc");
    EXPECT_TRUE(put(*other, 12, "dddd").ok());
    EXPECT_EQ(*other->size(), 16);
    EXPECT_EQ(get(*failing), "aaaabbbbccccdddd");
    EXPECT_EQ(other->notes().size(), 1U);
}

TEST_F(Moving, those_who_may_only_read_follow) {
    auto const failing = open("write:2:ENOSPC@0");
    EXPECT_TRUE(put(*failing, 0, "aaaa").ok());
    auto const reader = open_moving({first(), second(), {}}, {AccessMode::read});
    ASSERT_TRUE(reader.ok()) << reader.status().message();
    EXPECT_EQ(get(**reader), "aaaa");
    EXPECT_TRUE(put(*failing, 4, "bbbb").ok());
    EXPECT_EQ(get(**reader), "aaaabbbb");
    auto const late = open_moving({first(), second(), {}}, {AccessMode::read});
    ASSERT_TRUE(late.ok()) << late.status().message();
    EXPECT_EQ(get(**late), "aaaabbbb");
}

TEST_F(Moving, nothing_is_lost_while_many_write_and_one_moves) {
    constexpr int writers = 4;
    constexpr Size pieces = 2000;
    constexpr Size length = 8;
    for (int turn = 0; turn < 5; ++turn) {
        std::vector<std::thread> threads;
        for (int writer = 0; writer < writers; ++writer) {
            threads.emplace_back([&, writer] {
                auto const file = open(writer == 0 ? "write:" + std::to_string(turn * 300 + 1) + ":ENOSPC@0" : "");
                for (Size i = 0; i < pieces; ++i) {
                    auto const at = (i * writers + writer) * length;
                    EXPECT_TRUE(put(*file, at, std::string(length, static_cast<char>('a' + writer))).ok());
                }
                EXPECT_TRUE(file->close().ok());
            });
        }
        for (auto& thread : threads) thread.join();
        std::string expected;
        for (Size i = 0; i < pieces * writers; ++i)
            expected += std::string(length, static_cast<char>('a' + i % writers));
        EXPECT_EQ(get(*open(), pieces * writers * length + 1), expected);
        EXPECT_FALSE(std::filesystem::exists(first()));
        std::filesystem::remove(second());
    }
}

TEST_F(Moving, a_file_that_moves_while_others_open_it_stays_one_file) {
    constexpr int writers = 4;
    int split = 0;
    for (int turn = 0; turn < 500; ++turn) {
        std::atomic<int> here{0};
        std::vector<std::thread> threads;
        for (int writer = 0; writer < writers; ++writer) {
            threads.emplace_back([&, writer] {
                ++here;
                while (here < writers) std::this_thread::yield();
                auto const file = open(writer == 0 ? "write:1:ENOSPC@0" : "");
                EXPECT_TRUE(put(*file, writer, std::string(1, static_cast<char>('a' + writer))).ok());
                EXPECT_TRUE(file->close().ok());
            });
        }
        for (auto& thread : threads) thread.join();
        if (get(*open()) != "abcd" || std::filesystem::exists(first())) ++split;
        std::filesystem::remove(first());
        std::filesystem::remove(second());
    }
    EXPECT_EQ(split, 0);
}

TEST_F(Moving, a_directory_that_vanishes_takes_nothing_with_it) {
    auto const file = open();
    EXPECT_TRUE(put(*file, 0, "hello").ok());
    std::filesystem::remove_all(directory_ / "local");
    EXPECT_TRUE(put(*file, 5, " world").ok());
    EXPECT_EQ(get(*file), "hello world");
    auto const idle = open();
    EXPECT_EQ(get(*idle), "hello world");
}

TEST_F(Moving, a_directory_that_vanishes_at_the_very_end_takes_nothing_with_it) {
    auto const file = open();
    EXPECT_TRUE(put(*file, 0, "hello").ok());
    std::filesystem::remove_all(directory_ / "local");
    EXPECT_TRUE(file->close().ok());
    EXPECT_EQ(get(*open()), "hello");
}

TEST_F(Moving, a_directory_that_is_not_there_is_passed_over) {
    std::filesystem::remove_all(directory_ / "local");
    auto const file = open();
    EXPECT_TRUE(put(*file, 0, "hello").ok());
    EXPECT_EQ(file->notes().size(), 1U);
    EXPECT_TRUE(std::filesystem::exists(second()));
}

TEST_F(Moving, where_both_places_fail_the_first_keeps_what_it_has) {
    auto const file = open("write:2:ENOSPC@0");
    EXPECT_TRUE(put(*file, 0, "hello").ok());
    std::filesystem::create_directories(second() + "/in the way");
    EXPECT_EQ(put(*file, 5, " world").code(), Code::no_space);
    EXPECT_TRUE(put(*file, 5, " again").ok());
    EXPECT_EQ(get(*file), "hello again");
    std::filesystem::remove_all(second());
}

// As whoever moves it leaves it when it is killed while it copies.
void leave_half_moved(std::string const& first, std::string const& second) {
    std::ofstream{first} << "hello";
    std::ofstream{unfinished(second)} << "he";
    auto const file = open_posix(first, {AccessMode::read_write});
    ASSERT_TRUE((*file)->mark_moved(true).ok());
}

TEST_F(Moving, a_move_that_came_to_no_end_is_done_again) {
    leave_half_moved(first(), second());
    auto const file = open();
    EXPECT_EQ(get(*file), "hello");
    EXPECT_TRUE(put(*file, 5, " world").ok());
    EXPECT_TRUE(file->close().ok());
    EXPECT_FALSE(std::filesystem::exists(first()));
    EXPECT_FALSE(std::filesystem::exists(unfinished(second())));
    EXPECT_EQ(get(**open_posix(second(), {AccessMode::read})), "hello world");
}

TEST_F(Moving, who_may_only_read_stays_where_a_move_came_to_no_end) {
    leave_half_moved(first(), second());
    auto const reader = open_moving({first(), second(), {}}, {AccessMode::read});
    ASSERT_TRUE(reader.ok()) << reader.status().message();
    EXPECT_EQ(get(**reader), "hello");
    EXPECT_EQ(*(*reader)->size(), 5);
    EXPECT_TRUE((*reader)->close().ok());
    EXPECT_FALSE(std::filesystem::exists(second()));
    EXPECT_EQ(get(*open()), "hello");
}

TEST_F(Moving, what_cannot_be_reserved_is_reserved_elsewhere) {
    auto const file = open("reserve:1:ENOSPC@0;resize:1:EIO@0");
    EXPECT_TRUE(put(*file, 0, "hello").ok());
    EXPECT_TRUE(file->reserve(4096).ok());
    EXPECT_TRUE(file->resize(3).ok());
    EXPECT_EQ(get(*file), "hel");
}

}  // namespace
}  // namespace muster
