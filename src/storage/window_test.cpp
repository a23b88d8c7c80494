#include "storage/window.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <random>
#include <thread>
#include <vector>

#include "memory/buffer.hpp"
#include "storage/counting.hpp"
#include "storage/faulty.hpp"
#include "storage/temporary_file.hpp"

namespace muster {
namespace {

using namespace test;

constexpr Size kibi = 1024;
constexpr Size mebi = kibi * kibi;

// A file in memory that notes what is done to it.
class NotingStorage final : public Storage {
public:
    explicit NotingStorage(Bytes bytes = {}, bool readable = true) : content{std::move(bytes)}, readable_{readable} {}

    Result<Size> read_at(Offset offset, std::span<std::byte> into) override {
        (void)note("read", {offset, static_cast<Size>(into.size())});
        auto const exists =
            std::clamp(static_cast<Size>(content.size()) - offset, Size{0}, static_cast<Size>(into.size()));
        std::copy_n(content.begin() + std::min(offset, static_cast<Offset>(content.size())), exists, into.begin());
        return exists;
    }
    Result<Size> write_at(Offset offset, std::span<std::byte const> from) override {
        (void)note("write", {offset, static_cast<Size>(from.size())});
        content.resize(std::max(content.size(), static_cast<std::size_t>(offset) + from.size()));
        std::ranges::copy(from, content.begin() + offset);
        return static_cast<Size>(from.size());
    }
    Status lock(Extent extent) override { return note("lock", extent); }
    Status unlock(Extent extent) override { return note("unlock", extent); }
    Result<Size> size() override { return static_cast<Size>(content.size()); }
    Status resize(Size) override { return {}; }
    Status reserve(Size) override { return {}; }
    Status sync() override { return {}; }
    bool readable() const override { return readable_; }

    Bytes content;
    std::string notes;

private:
    Status note(std::string const& what, Extent extent) {
        if (!notes.empty()) notes += "; ";
        notes += what + " " + std::to_string(extent.offset) + "+" + std::to_string(extent.length);
        return {};
    }
    bool readable_;
};

std::byte old_byte(Offset offset) { return static_cast<std::byte>(offset * 7 % 101 + 1); }
std::byte new_byte(Offset offset) { return static_cast<std::byte>(offset * 11 % 97 + 128); }

template <class ByteAt>
Bytes filled(Offset begin, Offset end, ByteAt byte_at) {
    Bytes bytes(static_cast<std::size_t>(end - begin));
    for (auto at = begin; at < end; ++at) bytes[static_cast<std::size_t>(at - begin)] = byte_at(at);
    return bytes;
}

// What the file must hold afterwards, made byte by byte.
Bytes with_extents(Bytes content, std::vector<Extent> const& covered) {
    for (auto const& extent : covered) {
        content.resize(std::max(content.size(), static_cast<std::size_t>(extent.end())));
        for (auto at = extent.offset; at < extent.end(); ++at) content[static_cast<std::size_t>(at)] = new_byte(at);
    }
    return content;
}

// Stores the new bytes of `covered` from a window over [low, high) whose holes hold rubbish.
Result<StoreOutcome> store(Storage& storage, Extent range, std::vector<Extent> const& covered, HolePolicy policy = {}) {
    Bytes window(static_cast<std::size_t>(range.length), std::byte{255});
    for (auto const& extent : covered)
        for (auto at = extent.offset; at < extent.end(); ++at)
            window[static_cast<std::size_t>(at - range.offset)] = new_byte(at);
    return store_window(storage, {window, range.offset, covered}, policy);
}

std::vector<Extent> comb(Extent first, Size count, Size stride) {
    std::vector<Extent> extents;
    for (Size i = 0; i < count; ++i) extents.push_back({first.offset + i * stride, first.length});
    return extents;
}

TEST(StoreWindow, writes_nothing_when_nothing_is_covered) {
    NotingStorage storage;
    ASSERT_TRUE(store(storage, {100, 50}, {}).ok());
    EXPECT_EQ(storage.notes, "");
}

TEST(StoreWindow, writes_one_extent_at_once) {
    NotingStorage storage{filled(0, 200, old_byte)};
    auto const expected = with_extents(storage.content, {{110, 30}});
    auto const outcome = store(storage, {100, 50}, {{110, 30}});
    ASSERT_TRUE(outcome.ok());
    EXPECT_EQ(outcome->separate_writes, 1);
    EXPECT_EQ(storage.notes, "write 110+30");
    EXPECT_EQ(storage.content, expected);
}

TEST(StoreWindow, writes_few_extents_separately) {
    NotingStorage storage{filled(0, 100, old_byte)};
    auto const covered = comb({10, 8}, 3, 16);
    auto const expected = with_extents(storage.content, covered);
    ASSERT_TRUE(store(storage, {0, 100}, covered).ok());
    EXPECT_EQ(storage.notes, "write 10+8; write 26+8; write 42+8");
    EXPECT_EQ(storage.content, expected);
}

TEST(StoreWindow, reads_modifies_and_writes_many_close_extents_under_a_lock) {
    NotingStorage storage{filled(0, 1000, old_byte)};
    auto const covered = comb({10, 8}, 50, 16);
    auto const expected = with_extents(storage.content, covered);
    auto const outcome = store(storage, {0, 1000}, covered);
    ASSERT_TRUE(outcome.ok());
    EXPECT_EQ(outcome->separate_writes, 0);
    EXPECT_EQ(outcome->read_modify_writes, 1);
    EXPECT_EQ(storage.notes, "lock 10+792; read 18+776; write 10+792; unlock 10+792");
    EXPECT_EQ(storage.content, expected);
}

TEST(StoreWindow, never_reads_and_writes_what_nobody_has_where_any_number_of_writes_will_do) {
    NotingStorage storage{filled(0, 100000, old_byte)};
    auto const covered = comb({10, 8}, 5000, 16);
    auto const expected = with_extents(storage.content, covered);
    auto const outcome = store(storage, {0, 100000}, covered, {.max_writes = HolePolicy::any_number});
    ASSERT_TRUE(outcome.ok());
    EXPECT_EQ(outcome->separate_writes, 5000);
    EXPECT_EQ(outcome->read_modify_writes, 0);
    EXPECT_EQ(storage.content, expected);
}

TEST(StoreWindow, takes_no_lock_where_told_so) {
    NotingStorage storage{filled(0, 1000, old_byte)};
    ASSERT_TRUE(store(storage, {0, 1000}, comb({10, 8}, 50, 16), {.lock = false}).ok());
    EXPECT_EQ(storage.notes, "read 18+776; write 10+792");
}

TEST(StoreWindow, groups_what_is_close_and_leaves_large_gaps_alone) {
    NotingStorage storage{filled(0, 2 * mebi, old_byte)};
    auto covered = comb({0, 8}, 100, 16);
    covered.push_back({mebi, 4});
    for (auto const& extent : comb({mebi + 500 * kibi, 8}, 100, 16)) covered.push_back(extent);
    auto const expected = with_extents(storage.content, covered);
    auto const outcome = store(storage, {0, 2 * mebi}, covered);
    ASSERT_TRUE(outcome.ok());
    EXPECT_EQ(outcome->separate_writes, 1);
    EXPECT_EQ(outcome->read_modify_writes, 2);
    EXPECT_EQ(storage.notes,
              "write 1048576+4; lock 0+1592; read 8+1576; write 0+1592; unlock 0+1592; "
              "lock 1560576+1592; read 1560584+1576; write 1560576+1592; unlock 1560576+1592");
    EXPECT_EQ(storage.content, expected);
}

TEST(StoreWindow, does_not_read_the_large_extents_at_the_ends_of_a_group) {
    NotingStorage storage{filled(0, mebi, old_byte)};
    auto covered = comb({0, mebi / 2}, 1, 1);
    for (auto const& extent : comb({mebi / 2 + 8, 8}, 40, 16)) covered.push_back(extent);
    ASSERT_TRUE(store(storage, {0, mebi}, covered).ok());
    EXPECT_EQ(storage.notes, "lock 0+524928; read 524288+632; write 0+524928; unlock 0+524928");
}

TEST(StoreWindow, never_makes_more_writes_than_allowed) {
    auto const covered = comb({0, 100}, 20, 64 * kibi);
    for (int const allowed : {0, 1, 2, 7, 19, 20}) {
        NotingStorage storage{filled(0, 2 * mebi, old_byte)};
        auto const expected = with_extents(storage.content, covered);
        auto const outcome = store(storage, {0, 2 * mebi}, covered, {.max_writes = allowed});
        ASSERT_TRUE(outcome.ok());
        EXPECT_LE(outcome->separate_writes + outcome->read_modify_writes, std::max(allowed, 1));
        EXPECT_EQ(outcome->read_modify_writes, allowed == 20 ? 0 : 1);
        EXPECT_EQ(storage.content, expected);
    }
}

TEST(StoreWindow, joins_the_smallest_gaps_first_when_writes_are_scarce) {
    NotingStorage storage{filled(0, 3 * mebi, old_byte)};
    std::vector<Extent> const covered{{0, 100}, {40 * kibi, 100}, {mebi, 100}, {2 * mebi, 100}};
    ASSERT_TRUE(store(storage, {0, 3 * mebi}, covered, {.max_writes = 3}).ok());
    EXPECT_EQ(storage.notes,
              "write 1048576+100; write 2097152+100; lock 0+41060; read 100+40860; write 0+41060; unlock 0+41060");
}

TEST(StoreWindow, completes_holes_longer_than_its_scratch_memory) {
    NotingStorage storage{filled(0, 7 * mebi, old_byte)};
    std::vector<Extent> const covered{{5, 10}, {2 * mebi - 3, 6}, {2 * mebi + 10, mebi}, {5 * mebi, 1}, {6 * mebi, 77}};
    auto const expected = with_extents(storage.content, covered);
    auto const outcome = store(storage, {0, 7 * mebi}, covered, {.max_writes = 1});
    ASSERT_TRUE(outcome.ok());
    EXPECT_EQ(outcome->read_modify_writes, 1);
    EXPECT_EQ(storage.content, expected);
}

TEST(StoreWindow, fills_holes_beyond_the_end_of_the_file_with_zeros) {
    NotingStorage storage{filled(0, 25, old_byte)};
    auto const covered = comb({10, 8}, 50, 16);
    auto const expected = with_extents(storage.content, covered);
    ASSERT_EQ(store(storage, {0, 1000}, covered)->read_modify_writes, 1);
    EXPECT_EQ(storage.content, expected);
    EXPECT_EQ(storage.content.size(), 802U) << "and ends with the last covered byte";
}

TEST(StoreWindow, writes_each_extent_where_the_file_cannot_be_read) {
    NotingStorage storage{filled(0, 1000, old_byte), false};
    auto const covered = comb({10, 8}, 50, 16);
    auto const expected = with_extents(storage.content, covered);
    auto const outcome = store(storage, {0, 1000}, covered, {.max_writes = 5});
    ASSERT_TRUE(outcome.ok());
    EXPECT_EQ(outcome->separate_writes, 50);
    EXPECT_EQ(storage.notes.find("read"), std::string::npos);
    EXPECT_EQ(storage.content, expected);
}

// --- faults ---

class FaultyWindow : public testing::Test {
protected:
    // Stores two groups of 50 extents.
    Result<StoreOutcome> store_with(std::string const& faults) {
        for (auto const& extent : comb({mebi, 8}, 50, 16)) covered_.push_back(extent);
        storage_ = inject_faults(std::move(storage_), *parse_faults(faults), 0);
        return store(*storage_, {0, 2 * mebi}, covered_);
    }
    bool lock_is_free() {
        auto const& notes = file_->notes;
        auto const count = [&](std::string const& word) {
            std::size_t found = 0;
            for (auto at = notes.find(word); at != std::string::npos; at = notes.find(word, at + 1)) ++found;
            return found;
        };
        return 2 * count("unlock ") == count("lock ");  // each "unlock " contains a "lock "
    }

    NotingStorage* file_ = new NotingStorage{filled(0, 2 * mebi, old_byte)};
    std::unique_ptr<Storage> storage_{file_};
    Bytes const before_ = file_->content;
    std::vector<Extent> covered_ = comb({10, 8}, 50, 16);
};

TEST_F(FaultyWindow, unlocks_after_a_failed_read) {
    EXPECT_EQ(store_with("read:1:EIO@*").status().system_error(), EIO);
    EXPECT_EQ(file_->notes, "lock 10+792; unlock 10+792");
    EXPECT_EQ(file_->content, before_);
}

TEST_F(FaultyWindow, unlocks_after_a_failed_write) {
    EXPECT_EQ(store_with("write:2:ENOSPC@*").status().code(), Code::no_space);
    EXPECT_TRUE(lock_is_free()) << file_->notes;
}

TEST_F(FaultyWindow, unlocks_when_there_is_no_memory_to_read_into) {
    fail_allocations_above(0);
    EXPECT_EQ(store_with("").status().code(), Code::out_of_memory);
    fail_allocations_above(no_allocation_limit);
    EXPECT_EQ(file_->notes, "lock 10+792; unlock 10+792");
}

TEST_F(FaultyWindow, reports_a_failed_unlock) { EXPECT_EQ(store_with("unlock:1:EIO@*").status().system_error(), EIO); }

TEST_F(FaultyWindow, reports_the_first_of_two_failures) {
    EXPECT_EQ(store_with("write:1:ENOSPC@*;unlock:1:EIO@*").status().system_error(), ENOSPC);
}

TEST_F(FaultyWindow, reports_a_lock_that_failed_and_changes_nothing) {
    EXPECT_EQ(store_with("lock:1:EDEADLK@*").status().system_error(), EDEADLK);
    EXPECT_EQ(file_->content, before_);
}

TEST_F(FaultyWindow, writes_extents_one_by_one_where_the_file_system_has_no_locks) {
    auto const outcome = store_with("lock:1:ENOLCK@*");
    ASSERT_TRUE(outcome.ok());
    EXPECT_TRUE(outcome->lock_refused);
    EXPECT_EQ(outcome->separate_writes, 100);
    EXPECT_EQ(file_->content, with_extents(before_, covered_));
}

TEST_F(FaultyWindow, continues_short_transfers) {
    ASSERT_TRUE(store_with("read:1:short@*;write:1:short@*;write:2:short@*;read:3:short@*").ok());
    EXPECT_EQ(file_->content, with_extents(before_, covered_));
}

// --- random windows against the model ---

class Dice {
public:
    explicit Dice(unsigned seed) : engine_{seed} {}
    Size upto(Size most) { return std::uniform_int_distribution<Size>{0, most}(engine_); }

private:
    std::mt19937 engine_;
};

// Sorted extents inside the range, with gaps of very different sizes.
std::vector<Extent> random_extents(Dice& dice, Extent range) {
    std::vector<Extent> extents;
    auto const longest = Size{1} << dice.upto(14);
    for (auto at = range.offset + dice.upto(20);;) {
        auto const length = 1 + dice.upto(longest);
        if (at + length > range.end()) return extents;
        extents.push_back({at, length});
        at += length + 1 + dice.upto(Size{1} << dice.upto(15));
    }
}

TEST(StoreWindow, changes_exactly_the_covered_bytes) {
    TemporaryFile const file{"/dev/shm"};
    for (unsigned seed = 0; seed < 300; ++seed) {
        Dice dice{seed};
        Extent const range{dice.upto(3000), 1 + dice.upto(200 * kibi)};
        auto const before = filled(0, dice.upto(250 * kibi), old_byte);
        auto const covered = random_extents(dice, range);
        HolePolicy const policy{static_cast<int>(dice.upto(1) == 0 ? dice.upto(20) : 512), dice.upto(1) == 0};
        file.write(before);
        auto opened = open_posix(file.path(), {});
        ASSERT_TRUE(opened.ok());
        CountingStorage storage{std::move(*opened)};
        auto const outcome = store(storage, range, covered, policy);
        ASSERT_TRUE(outcome.ok()) << outcome.status().text();
        ASSERT_EQ(file.read(), with_extents(before, covered)) << "seed " << seed;
        ASSERT_LE(storage.counts().writes, std::max(policy.max_writes, 1)) << "seed " << seed;
        ASSERT_EQ(storage.counts().writes, outcome->separate_writes + outcome->read_modify_writes);
        ASSERT_EQ(storage.counts().locks, policy.lock ? outcome->read_modify_writes : 0);
    }
}

// --- somebody else writes into the holes ---

// Counts up the bytes of the holes, one at a time, and checks that each still has its last value.
void count_in_holes(std::string const& path, std::vector<Extent> const& holes, std::atomic<bool> const& stop) {
    auto const storage = std::move(*open_posix(path, {}));
    std::vector<unsigned char> expected(holes.size(), 0);
    for (std::size_t i = 0; !stop; i = (i + 1) % holes.size()) {
        Bytes byte(1);
        ASSERT_EQ(*read_fully(*storage, holes[i].offset, byte), 1);
        ASSERT_EQ(byte[0], std::byte{expected[i]}) << "a byte was lost at " << holes[i].offset;
        byte[0] = std::byte{++expected[i]};
        ASSERT_TRUE(store_window(*storage, {byte, holes[i].offset, {&holes[i], 1}}, {}).ok());
    }
}

TEST(StoreWindow, loses_no_bytes_that_others_write_into_the_holes) {
    TemporaryFile const file{"/dev/shm"};
    auto const covered = comb({0, 8}, 50, 16);
    auto const holes = comb({8, 1}, 10, 80);
    file.write(Bytes(800));
    std::atomic<bool> stop{false};
    std::thread other{[&] { count_in_holes(file.path(), holes, stop); }};
    // The delay opens a gap between reading and writing, in which bytes would be lost without a lock.
    auto const storage = inject_faults(std::move(*open_posix(file.path(), {})), *parse_faults("write:*:delay=1@*"), 0);
    for (int i = 0; i < 100; ++i) {
        EXPECT_EQ(store(*storage, {0, 800}, covered)->read_modify_writes, 1);
        std::this_thread::sleep_for(std::chrono::microseconds{300});
    }
    stop = true;
    other.join();
}

// --- loading ---

Bytes load(Storage& storage, Extent range, std::vector<Extent> const& wanted, Size expected_to_exist) {
    Bytes window(static_cast<std::size_t>(range.length), std::byte{255});
    auto const exists = load_window(storage, window, range.offset, wanted);
    EXPECT_TRUE(exists.ok()) << exists.status().text();
    EXPECT_EQ(exists ? *exists : -1, expected_to_exist);
    return window;
}

// The wanted bytes only, as they must be in a file of `size` old bytes.
void expect_wanted(Bytes const& window, Offset start, std::vector<Extent> const& wanted, Size size) {
    for (auto const& extent : wanted)
        for (auto at = extent.offset; at < extent.end(); ++at)
            ASSERT_EQ(window[static_cast<std::size_t>(at - start)], at < size ? old_byte(at) : std::byte{0}) << at;
}

TEST(LoadWindow, reads_nothing_when_nothing_is_wanted) {
    NotingStorage storage{filled(0, 100, old_byte)};
    (void)load(storage, {10, 50}, {}, 50);
    EXPECT_EQ(storage.notes, "");
}

TEST(LoadWindow, reads_through_small_holes_and_around_large_ones) {
    NotingStorage storage{filled(0, mebi, old_byte)};
    std::vector<Extent> const wanted{{100, 10}, {64 * kibi, 10}, {64 * kibi + 10 + 64 * kibi, 5}};
    auto const window = load(storage, {50, mebi - 50}, wanted, mebi - 50);
    EXPECT_EQ(storage.notes, "read 100+65446; read 131082+5");
    expect_wanted(window, 50, wanted, mebi);
}

TEST(LoadWindow, tells_where_the_file_ends_and_gives_zeros_beyond) {
    NotingStorage storage{filled(0, 60, old_byte)};
    std::vector<Extent> const wanted{{10, 20}, {50, 30}, {200 * kibi, 10}};
    auto const window = load(storage, {5, 300 * kibi}, wanted, 55);
    expect_wanted(window, 5, wanted, 60);
    EXPECT_EQ(storage.notes, "read 10+70; read 60+20") << "nothing is read beyond the end";
}

TEST(LoadWindow, finds_the_end_of_the_file_in_a_hole) {
    NotingStorage storage{filled(0, 60, old_byte)};
    std::vector<Extent> const wanted{{10, 20}, {200 * kibi, 10}};
    expect_wanted(load(storage, {5, 300 * kibi}, wanted, 55), 5, wanted, 60);
}

TEST(LoadWindow, of_an_empty_file_is_all_zeros) {
    NotingStorage storage;
    expect_wanted(load(storage, {5, 100}, {{10, 20}, {40, 5}}, 0), 5, {{10, 20}, {40, 5}}, 0);
}

TEST(LoadWindow, passes_errors_on) {
    auto const storage = inject_faults(std::make_unique<NotingStorage>(Bytes(10)), *parse_faults("read:1:EIO@*"), 0);
    Bytes window(10);
    std::vector<Extent> const wanted{{0, 10}};
    EXPECT_EQ(load_window(*storage, window, 0, wanted).status().system_error(), EIO);
}

TEST(LoadWindow, reads_all_wanted_bytes_whatever_the_window) {
    TemporaryFile const file;
    for (unsigned seed = 0; seed < 200; ++seed) {
        Dice dice{seed};
        Extent const range{dice.upto(3000), 1 + dice.upto(300 * kibi)};
        auto const size = dice.upto(400 * kibi);
        auto const wanted = random_extents(dice, range);
        file.write(filled(0, size, old_byte));
        auto opened = open_posix(file.path(), {.mode = AccessMode::read});
        auto const storage = inject_faults(std::move(*opened), *parse_faults("read:1:short@*;read:3:short@*"), 0);
        bool const met_end = !wanted.empty() && wanted.back().end() > size;
        auto const exists = met_end ? std::max(size - range.offset, Size{0}) : range.length;
        expect_wanted(load(*storage, range, wanted, exists), range.offset, wanted, size);
    }
}

}  // namespace
}  // namespace muster
