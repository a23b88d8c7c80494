#include "storage/subfiles.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

namespace muster {
namespace {

class SubfilesTest : public ::testing::Test {
protected:
    SubfilesTest() : directory_{std::filesystem::temp_directory_path() / ("muster-subfiles-" + new_subfile_mark())} {
        std::filesystem::create_directories(directory_);
    }
    ~SubfilesTest() override { std::filesystem::remove_all(directory_); }

    std::string path() const { return (directory_ / "whole").string(); }
    SubfileIndex index(int count, Size unit) const { return {count, unit, new_subfile_mark(), "", true, {}}; }

    std::filesystem::path directory_;
};

std::vector<std::byte> random_bytes(Size size, unsigned seed) {
    std::mt19937 random{seed};
    std::vector<std::byte> bytes(static_cast<std::size_t>(size));
    for (auto& byte : bytes) byte = static_cast<std::byte>(random());
    return bytes;
}

TEST_F(SubfilesTest, are_one_file_to_whoever_writes_and_reads) {
    std::mt19937 random{3};
    for (int const count : {1, 2, 3, 7}) {
        auto const set = index(count, 10);
        auto storage = open_subfiles(path(), set, {AccessMode::read_write, true});
        ASSERT_TRUE(storage.ok());
        std::vector<std::byte> expected;
        for (int turn = 0; turn < 60; ++turn) {
            auto const offset = static_cast<Offset>(random() % 300);
            auto const bytes = random_bytes(static_cast<Size>(random() % 90), static_cast<unsigned>(turn));
            ASSERT_TRUE(write_fully(**storage, offset, bytes).ok());
            expected.resize(
                std::max(expected.size(), bytes.empty() ? 0 : static_cast<std::size_t>(offset) + bytes.size()));
            std::copy(bytes.begin(), bytes.end(), expected.begin() + (bytes.empty() ? 0 : offset));
        }
        EXPECT_EQ(*(*storage)->size(), static_cast<Size>(expected.size()));
        std::vector<std::byte> all(expected.size() + 20);
        EXPECT_EQ(*read_fully(**storage, 0, all), static_cast<Size>(expected.size()));
        all.resize(expected.size());
        EXPECT_EQ(all, expected);
        ASSERT_TRUE((*storage)->resize(101).ok());
        EXPECT_EQ(*(*storage)->size(), 101);
    }
}

TEST_F(SubfilesTest, who_shares_bytes_waits_for_those_who_have_locked_them) {
    auto const set = index(2, 10);
    ASSERT_TRUE(write_subfile_index(path(), set).ok());
    auto const one = open_subfiles(path(), set, {AccessMode::read_write, true});
    auto const other = open_subfiles(path(), set, {AccessMode::read_write, true});
    ASSERT_TRUE((*one)->lock({5, 20}).ok());
    std::atomic<bool> shared{false};
    std::thread writer{[&] {
        (*other)->share({0, 10});
        shared = true;
        (*other)->end_sharing({0, 10});
    }};
    std::this_thread::sleep_for(std::chrono::milliseconds{50});
    EXPECT_FALSE(shared);
    EXPECT_TRUE((*one)->unlock({5, 20}).ok());
    writer.join();
    EXPECT_TRUE((*one)->lock({0, 20}).ok()) << "nobody shares any more";
}

// The process may have no more files open than this.
class FewFiles {
public:
    explicit FewFiles(rlim_t most) {
        ::getrlimit(RLIMIT_NOFILE, &usual_);
        rlimit few = usual_;
        few.rlim_cur = most;
        EXPECT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
    }
    ~FewFiles() { ::setrlimit(RLIMIT_NOFILE, &usual_); }
    FewFiles(FewFiles const&) = delete;
    FewFiles& operator=(FewFiles const&) = delete;

private:
    rlimit usual_{};
};

TEST_F(SubfilesTest, may_be_more_than_files_can_be_open) {
    FewFiles const few{300};
    constexpr int count = 400;
    auto const bytes = random_bytes(2 * count, 5);
    auto const set = index(count, 1);
    auto written = open_subfiles(path(), set, {AccessMode::read_write, true});
    for (Offset const at : {count, 0}) {
        auto const half = std::span{bytes}.subspan(static_cast<std::size_t>(at), count);
        ASSERT_TRUE(write_fully(**written, at, half).ok());
    }
    EXPECT_TRUE((*written)->sync().ok());
    EXPECT_TRUE((*written)->close().ok());
    auto read = open_subfiles(path(), set, {AccessMode::read});
    std::vector<std::byte> all(bytes.size() + 1);
    EXPECT_EQ(*read_fully(**read, 0, all), 2 * count);
    all.resize(bytes.size());
    EXPECT_EQ(all, bytes);
}

TEST_F(SubfilesTest, sizes_and_ends_belong_together) {
    for (int const count : {1, 3, 4}) {
        for (Size const unit : {1, 7}) {
            auto const set = index(count, unit);
            for (Size end = 0; end < 100; ++end) {
                Size sum = 0;
                Size last = 0;
                for (int piece = 0; piece < count; ++piece) {
                    sum += set.size_of(piece, end);
                    last = std::max(last, set.end_of(piece, set.size_of(piece, end)));
                }
                EXPECT_EQ(sum, end);
                EXPECT_EQ(last, end);
            }
        }
    }
}

TEST_F(SubfilesTest, the_index_is_read_back) {
    auto set = index(3, 4096);
    set.directory = "/local/scratch with blanks";
    set.pieces = {{4096, 0x123456789abcdef0}, {0, 0}, {17, 0xffffffffffffffff}};
    EXPECT_EQ(*parse_subfile_index(set.text()), set);
    ASSERT_TRUE(write_subfile_index(path(), set).ok());
    EXPECT_EQ(**read_subfile_index(path()), set);
    EXPECT_EQ(write_subfile_index(path(), set, true).code(), Code::exists);
}

TEST_F(SubfilesTest, an_ordinary_file_is_no_index_and_a_broken_one_is_told) {
    std::ofstream{path()} << "hello";
    EXPECT_FALSE(read_subfile_index(path())->has_value());
    std::ofstream{path()} << "muster subfiles 1\ncount 0\nunit 5\nmark x\n";
    EXPECT_EQ(read_subfile_index(path()).status().code(), Code::io);
    for (auto const* text : {"muster subfiles 1\ncount 2\nunit 5\nmark ../x\n",
                             "muster subfiles 1\ncount 2\nmark x\npiece 0 size 3 sum 0\n",
                             "muster subfiles 1\ncount 2\nunit -1\nmark x\n", "muster subfiles 1\n"}) {
        EXPECT_EQ(parse_subfile_index(text).status().code(), Code::io) << text;
    }
}

std::string contents_of(std::string const& path) {
    std::ifstream file{path, std::ios::binary};
    return {std::istreambuf_iterator<char>{file}, {}};
}

TEST_F(SubfilesTest, an_index_that_was_cut_off_or_changed_is_told) {
    auto set = index(2, 4096);
    set.directory = "/local";
    set.pieces = {{4096, 0x123456789abcdef0, true}, {17, 0xffffffffffffffff}};
    ASSERT_TRUE(write_subfile_index(path(), set).ok());
    auto const whole = contents_of(path());
    constexpr std::size_t recognised = 6;  // letters; what is shorter may be anybody's file
    for (auto length = recognised; length < whole.size(); ++length) {
        std::ofstream{path(), std::ios::binary} << whole.substr(0, length);
        EXPECT_EQ(read_subfile_index(path()).status().code(), Code::io) << length;
    }
    for (std::size_t bit = 0; bit < whole.size() * 8; ++bit) {
        auto changed = whole;
        changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << (bit % 8)));
        std::ofstream{path(), std::ios::binary} << changed;
        auto const found = read_subfile_index(path());
        EXPECT_EQ(found.status().code(), Code::io) << bit;
        EXPECT_NE(found.status().message().find(path()), std::string::npos) << found.status().text();
    }
}

TEST_F(SubfilesTest, an_index_of_the_first_version_is_still_read) {
    std::ofstream{path()} << "muster subfiles 1\ncount 2\nunit 5\nmark x\nchecksums on\n";
    auto const found = read_subfile_index(path());
    ASSERT_TRUE(found.ok() && found->has_value()) << found.status().text();
    EXPECT_EQ((*found)->unit, 5);
}

TEST_F(SubfilesTest, an_index_is_rewritten_in_its_place_by_longer_and_by_shorter_ones) {
    auto set = index(2, 4096);
    ASSERT_TRUE(write_subfile_index(path(), set, true).ok());
    for (auto const& pieces : {std::vector<PieceFacts>{{4096, 1}, {17, 2}}, std::vector<PieceFacts>{{4, 1}, {1, 2}}}) {
        set.pieces = pieces;
        ASSERT_TRUE(rewrite_subfile_index(path(), set).ok());
        EXPECT_EQ(**read_subfile_index(path()), set);
    }
    std::filesystem::remove(path());
    ASSERT_TRUE(rewrite_subfile_index(path(), set).ok());
    EXPECT_EQ(**read_subfile_index(path()), set);
}

TEST_F(SubfilesTest, a_missing_a_short_and_a_damaged_piece_are_named) {
    auto set = index(2, 8);
    {
        auto storage = open_subfiles(path(), set, {AccessMode::read_write, true});
        ASSERT_TRUE(write_fully(**storage, 0, random_bytes(64, 1)).ok());
    }
    for (int piece = 0; piece < 2; ++piece) set.pieces.push_back(*examine_piece(set.piece_path(path(), piece), true));
    EXPECT_TRUE(check_piece(path(), set, 1, true).ok());
    auto const victim = set.piece_path(path(), 1);
    std::fstream{victim, std::ios::in | std::ios::out | std::ios::binary}.seekp(13).put('!');
    EXPECT_TRUE(check_piece(path(), set, 1, false).ok());
    auto const damaged = check_piece(path(), set, 1, true);
    EXPECT_NE(damaged.message().find("piece 1 of"), std::string::npos) << damaged.text();
    EXPECT_NE(damaged.message().find("is damaged"), std::string::npos);
    std::filesystem::resize_file(victim, 30);
    EXPECT_NE(check_piece(path(), set, 1, false).message().find("30 bytes instead of 32"), std::string::npos);
    std::filesystem::remove(victim);
    EXPECT_NE(check_piece(path(), set, 1, false).message().find("is missing"), std::string::npos);
    EXPECT_TRUE(check_piece(path(), set, 0, true).ok());
    // A read that needs it says so, too.
    auto reader = open_subfiles(path(), set, {AccessMode::read});
    std::vector<std::byte> bytes(64);
    auto const got = read_fully(**reader, 0, bytes);
    EXPECT_EQ(got.status().code(), Code::not_found);
    EXPECT_NE(got.status().message().find("piece 1"), std::string::npos) << got.status().text();
}

}  // namespace
}  // namespace muster
