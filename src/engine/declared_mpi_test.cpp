// Declared I/O: whatever the order, the size and the moment of the pieces, the file holds what was put, and nobody hangs.
#include <chrono>
#include <limits>
#include <numeric>
#include <random>
#include <thread>

#include "engine/testing.hpp"
#include "muster/declared.hpp"

namespace muster {
namespace {

using namespace test;

using Parts = std::vector<Part>;

// All settings; on many ranks, which take turns on few cores, the two that differ most.
std::vector<Setting> fitting_settings() {
    auto all = settings();
    if (ranks() > 4) all.resize(2);
    return all;
}

// Each rank's extents dealt to parts, one after the other.
Parts parts_of(Extents const& extents, std::size_t count) {
    Parts parts(count);
    for (std::size_t i = 0; i < extents.size(); ++i) parts[i % count].extents.push_back(extents[i]);
    return parts;
}

// Ranks of very different size: none, little, much.
Deal uneven(Size scale) {
    Deal deal(static_cast<std::size_t>(ranks()));
    std::mt19937 random{42};
    Offset at = 5;
    for (int turn = 0; turn < 6; ++turn) {
        for (int i = 0; i < ranks(); ++i) {
            auto const length = (i + turn) % 3 == 0 ? 0 : static_cast<Size>(random() % static_cast<unsigned>(scale));
            deal[static_cast<std::size_t>(i)].push_back({at, length});
            at += length;
        }
    }
    return deal;
}

struct Chunk {
    std::size_t part;
    Size from;
    Size length;
};

// All bytes of all parts in pieces of a few lengths, in any order.
std::vector<Chunk> shuffled_chunks(Parts const& parts, unsigned seed) {
    std::vector<Chunk> chunks;
    std::mt19937 random{seed + static_cast<unsigned>(rank())};
    for (std::size_t i = 0; i < parts.size(); ++i) {
        auto const size = size_of(parts[i].extents);
        for (Size from = 0; from < size;) {
            auto const length = std::min<Size>(size - from, 1 + static_cast<Size>(random() % 300));
            chunks.push_back({i, from, length});
            from += length;
        }
    }
    std::shuffle(chunks.begin(), chunks.end(), random);
    return chunks;
}

void put_chunks(Declared& declared, Parts const& parts, std::vector<Chunk> const& chunks) {
    for (auto const& [part, from, length] : chunks) {
        auto bytes =
            marks(rank(), parts[part].extents).substr(static_cast<std::size_t>(from), static_cast<std::size_t>(length));
        EXPECT_OK(declared.put(part, bytes.data(), from, length));
        std::fill(bytes.begin(), bytes.end(), '!');  // ours again
    }
}

TEST(DeclaredWrite, parts_in_order_are_in_the_file) {
    for (auto const& setting : fitting_settings()) {
        SharedPath const path;
        auto const deal = rotate({50, 9, 4});
        auto const parts = parts_of(mine(deal), 3);
        OpenFile file{path.get(), Mode::create, setting.hints};
        auto declared = Declared::write(*file, parts);
        ASSERT_TRUE(declared.ok()) << setting.name << declared.status().text();
        for (std::size_t i = 0; i < 3; ++i) EXPECT_OK(declared->put(i, marks(rank(), parts[i].extents).data()));
        auto const done = declared->finish();
        EXPECT_OK(done);
        if (done) {
            EXPECT_EQ(*done, size_of(mine(deal)));
        }
        path.expect(written({}, deal));
    }
}

TEST(DeclaredWrite, pieces_in_any_order_and_across_rounds_are_in_the_file) {
    for (auto const& setting : fitting_settings()) {
        for (Size const scale : {90, 700}) {
            SharedPath const path;
            auto const deal = uneven(scale);
            auto const parts = parts_of(mine(deal), 2);
            OpenFile file{path.get(), Mode::create, setting.hints};
            auto declared = Declared::write(*file, parts);
            ASSERT_TRUE(declared.ok()) << setting.name << declared.status().text();
            put_chunks(*declared, parts, shuffled_chunks(parts, 7));
            EXPECT_OK(declared->finish());
            path.expect(written({}, deal));
        }
    }
}

TEST(DeclaredWrite, what_lies_between_and_what_is_never_put_stays_as_it_was) {
    for (auto const& setting : fitting_settings()) {
        SharedPath const path;
        auto const deal = rotate({40, 6, 13});
        std::string const before(3000, untouched);
        path.fill(before);
        auto const parts = parts_of(mine(deal), 6);
        OpenFile file{path.get(), Mode::update, setting.hints};
        auto declared = Declared::write(*file, parts);
        ASSERT_TRUE(declared.ok()) << setting.name << declared.status().text();
        // Part 1 by none, half of part 4 by odd ranks.
        auto came = deal;
        for (int i = 0; i < ranks(); ++i) {
            auto& extents = came[static_cast<std::size_t>(i)];
            extents[1].length = 0;
            if (i % 2 == 1) extents[4].length /= 2;
        }
        for (std::size_t i = 0; i < 6; ++i) {
            auto const bytes = marks(rank(), parts[i].extents);
            if (i != 1) EXPECT_OK(declared->put(i, bytes.data(), 0, mine(came)[i].length));
        }
        auto const done = declared->finish();
        EXPECT_OK(done);
        if (done) {
            EXPECT_EQ(*done, size_of(mine(came)));
        }
        path.expect(written(before, came));
    }
}

// Rank 0 puts its last piece first and then lets rank 1 go on: nobody may wait for a window.
TEST(DeclaredWrite, ranks_that_wait_for_each_other_between_pieces_do_not_hang) {
    for (auto const& setting : fitting_settings()) {
        SharedPath const path;
        auto const deal = rotate({64, 20});
        auto const parts = parts_of(mine(deal), 20);
        OpenFile file{path.get(), Mode::create, setting.hints};
        auto declared = Declared::write(*file, parts);
        ASSERT_TRUE(declared.ok()) << declared.status().text();
        for (int turn = 0; turn < ranks(); ++turn) {
            if (turn == rank()) {
                for (std::size_t i = 20; i-- > 0;) EXPECT_OK(declared->put(i, marks(rank(), parts[i].extents).data()));
            }
            barrier(world());
        }
        EXPECT_OK(declared->finish());
        path.expect(written({}, deal));
    }
}

TEST(DeclaredWrite, misuse_is_refused_and_does_no_harm) {
    SharedPath const path;
    auto const deal = rotate({100, 2});
    auto const parts = parts_of(mine(deal), 2);
    OpenFile file{path.get(), Mode::create, settings()[0].hints};
    auto declared = Declared::write(*file, parts);
    ASSERT_TRUE(declared.ok());
    auto const bytes = marks(rank(), parts[0].extents);
    EXPECT_EQ(declared->put(2, bytes.data()).code(), Code::invalid_argument);
    EXPECT_EQ(declared->put(0, bytes.data(), 50, 51).code(), Code::invalid_argument);
    EXPECT_EQ(declared->put(0, bytes.data(), -1, 5).code(), Code::invalid_argument);
    auto const far = declared->put(0, bytes.data(), std::numeric_limits<Size>::min());
    EXPECT_EQ(far.text(), "invalid_argument: byte -9223372036854775808 of part 0, which has 100");
    EXPECT_EQ(declared->put(0, bytes.data(), 101).code(), Code::invalid_argument);
    EXPECT_EQ(declared->put(0, nullptr).code(), Code::invalid_argument);
    EXPECT_OK(declared->put(0, bytes.data(), 0, 60));
    EXPECT_EQ(declared->put(0, bytes.data(), 59, 10).code(), Code::invalid_argument);
    std::string taken(100, ' ');
    EXPECT_EQ(declared->get(0, taken.data()).status().code(), Code::invalid_argument);
    EXPECT_OK(declared->put(0, bytes.data() + 60, 60));
    EXPECT_OK(declared->put(1, marks(rank(), parts[1].extents).data()));
    EXPECT_OK(declared->finish());
    EXPECT_FALSE(declared->finish().ok());
    EXPECT_FALSE(declared->put(0, bytes.data(), 0, 0).ok());
    path.expect(written({}, deal));
}

TEST(DeclaredWrite, what_cannot_be_declared_is_refused_by_all) {
    SharedPath const path;
    OpenFile file{path.get(), Mode::create};
    auto const twice = is_last() ? Parts{{{{0, 10}}}, {{{5, 10}}}} : Parts{};
    expect_failure_of(ranks() - 1, Declared::write(*file, twice).status(), Code::invalid_argument);
    auto const negative = is_last() ? Parts{{{{-3, 10}}}} : Parts{};
    expect_failure_of(ranks() - 1, Declared::read(*file, negative).status(), Code::invalid_argument);
}

TEST(DeclaredWrite, a_full_disk_is_told_to_all) {
    for (auto const& setting : fitting_settings()) {
        SharedPath const path;
        auto hints = setting.hints;
        hints.aggregators = 0;
        hints.aggregator_list = {ranks() - 1};
        hints.faults = "write:2:ENOSPC@" + std::to_string(ranks() - 1);
        auto const deal = rotate({64, 12});
        auto const parts = parts_of(mine(deal), 12);
        OpenFile file{path.get(), Mode::create, hints};
        auto declared = Declared::write(*file, parts);
        ASSERT_TRUE(declared.ok());
        for (std::size_t i = 0; i < 12; ++i) (void)declared->put(i, marks(rank(), parts[i].extents).data());
        expect_failure(declared->finish().status(), Code::no_space);
    }
}

// Collective. All of a declaration is put, and rank 0 has begun to store it.
Result<Declared> begun(File& file, Deal const& deal) {
    auto declared = Declared::write(file, parts_of(mine(deal), 1));
    if (!declared) return declared;
    EXPECT_OK(declared->put(0, marks(rank(), mine(deal)).data()));
    barrier(world());
    declared->progress();
    barrier(world());
    return declared;
}

TEST(DeclaredWrite, a_failure_is_told_by_the_declaration_that_has_it_and_by_no_other_call) {
    auto hints = all_aggregate();
    hints.window = 64 << 10;
    hints.aggregators = 0;
    hints.aggregator_list = {0};
    hints.faults = "write:1:EIO@0";
    auto const lost = rotate({64, 16});
    auto const later = rotate({64, 16, 0, 1 << 20});
    SharedPath const path;
    path.fill(written({}, later));
    OpenFile file{path.get(), Mode::update, hints};
    auto failing = begun(*file, lost);
    ASSERT_TRUE(failing.ok()) << failing.status().text();
    EXPECT_OK(write_marks(*file, later));
    std::string memory(static_cast<std::size_t>(size_of(mine(later))), '#');
    EXPECT_OK(read_pieces(*file, mine(later), memory));
    auto other = begun(*file, later);
    ASSERT_TRUE(other.ok()) << other.status().text();
    EXPECT_OK(other->finish());
    expect_failure(failing->finish().status(), Code::io);
    EXPECT_OK(write_marks(*file, lost));
    path.expect(written(written({}, later), lost));
}

TEST(DeclaredWrite, nothing_at_all_is_fine) {
    SharedPath const path;
    OpenFile file{path.get(), Mode::create};
    auto declared = Declared::write(*file, Parts{});
    ASSERT_TRUE(declared.ok()) << declared.status().text();
    auto const done = declared->finish();
    ASSERT_TRUE(done.ok());
    EXPECT_EQ(*done, 0);
}

TEST(DeclaredWrite, declarations_may_follow_each_other) {
    SharedPath const path;
    auto const deal = uneven(200);
    OpenFile file{path.get(), Mode::create, settings()[1].hints};
    for (int turn = 0; turn < 3; ++turn) {
        auto const parts = parts_of(mine(deal), 1);
        auto declared = Declared::write(*file, parts);
        ASSERT_TRUE(declared.ok());
        EXPECT_OK(declared->put(0, marks(rank(), parts[0].extents).data()));
        EXPECT_OK(declared->finish());
    }
    path.expect(written({}, deal));
}

// --- reading ---

void expect_chunks(Declared& declared, Parts const& parts, std::vector<Chunk> const& chunks) {
    for (auto const& [part, from, length] : chunks) {
        std::string bytes(static_cast<std::size_t>(length), ' ');
        auto const got = declared.get(part, bytes.data(), from, length);
        EXPECT_OK(got);
        if (got) {
            EXPECT_EQ(*got, length);
        }
        EXPECT_EQ(bytes, marks(rank(), parts[part].extents)
                             .substr(static_cast<std::size_t>(from), static_cast<std::size_t>(length)));
    }
}

TEST(DeclaredRead, pieces_in_any_order_are_read) {
    for (auto const& setting : fitting_settings()) {
        SharedPath const path;
        auto const deal = uneven(500);
        path.fill(written({}, deal));
        auto const parts = parts_of(mine(deal), 2);
        OpenFile file{path.get(), Mode::read, setting.hints};
        for (unsigned const seed : {0U, 1U}) {
            auto declared = Declared::read(*file, parts);
            ASSERT_TRUE(declared.ok()) << setting.name << declared.status().text();
            auto chunks = shuffled_chunks(parts, seed);
            if (seed == 0) {
                std::sort(chunks.begin(), chunks.end(), [](Chunk const& a, Chunk const& b) {
                    return std::pair{a.part, a.from} < std::pair{b.part, b.from};
                });
            }
            expect_chunks(*declared, parts, chunks);
            expect_chunks(*declared, parts, {chunks.begin(), chunks.begin() + std::min<long>(3, std::ssize(chunks))});
            EXPECT_OK(declared->finish());
        }
    }
}

TEST(DeclaredRead, ranks_that_wait_for_each_other_between_pieces_do_not_hang) {
    for (auto const& setting : fitting_settings()) {
        SharedPath const path;
        auto const deal = rotate({64, 8});
        path.fill(written({}, deal));
        auto const parts = parts_of(mine(deal), 8);
        OpenFile file{path.get(), Mode::read, setting.hints};
        auto declared = Declared::read(*file, parts);
        ASSERT_TRUE(declared.ok()) << declared.status().text();
        for (int turn = 0; turn < ranks(); ++turn) {
            if (turn == rank()) {
                for (std::size_t i = 8; i-- > 0;) expect_chunks(*declared, parts, {{i, 0, 64}});
            }
            barrier(world());
        }
        EXPECT_OK(declared->finish());
    }
}

TEST(DeclaredRead, what_lies_behind_the_end_stays_as_it_was) {
    for (auto const& setting : fitting_settings()) {
        SharedPath const path;
        path.fill(std::string(100, 'x'));
        OpenFile file{path.get(), Mode::read, setting.hints};
        Parts const parts{{{{90, 5}, {98, 40}}}, {{{10, 20}}}, {{{500, 7}}}};
        auto declared = Declared::read(*file, parts);
        ASSERT_TRUE(declared.ok()) << declared.status().text();
        std::string bytes(45, '-');
        EXPECT_EQ(*declared->get(0, bytes.data()), 7);
        EXPECT_EQ(bytes, "xxxxxxx" + std::string(38, '-'));
        EXPECT_EQ(*declared->get(2, bytes.data()), 0);
        std::string inside(20, '-');
        EXPECT_EQ(*declared->get(1, inside.data()), 20);
        EXPECT_EQ(inside, std::string(20, 'x'));
        EXPECT_OK(declared->finish());
    }
}

TEST(DeclaredRead, what_is_never_taken_does_not_matter) {
    for (auto const& setting : fitting_settings()) {
        SharedPath const path;
        auto const deal = rotate({64, 10});
        path.fill(written({}, deal));
        auto const parts = parts_of(mine(deal), 10);
        OpenFile file{path.get(), Mode::read, setting.hints};
        auto declared = Declared::read(*file, parts);
        ASSERT_TRUE(declared.ok());
        if (rank() % 2 == 0) expect_chunks(*declared, parts, {{0, 0, 64}});
        EXPECT_OK(declared->finish());
    }
}

// Rows of one piece for each rank; two of them are in windows at a time.
Hints two_rows_at_a_time(Toggle shared_memory) {
    Hints hints;
    hints.window = 8 * ranks();
    hints.windows = 2;
    hints.aggregator_list = {0};
    hints.direct_read = 0;
    hints.shared_memory = shared_memory;
    return hints;
}

TEST(DeclaredRead, what_failed_and_is_taken_again_takes_nothing_from_others) {
    if (ranks() == 1) GTEST_SKIP() << "needs two ranks";
    for (auto const shared_memory : {Toggle::automatic, Toggle::off}) {
        SharedPath const path;
        auto const deal = rotate({8, 8});
        path.fill(written({}, deal));
        auto hints = two_rows_at_a_time(shared_memory);
        for (int i = 1; i <= ranks(); ++i) hints.faults += (i > 1 ? ";read:" : "read:") + std::to_string(i) + ":EIO@1";
        OpenFile file{path.get(), Mode::read, hints};
        auto const parts = parts_of(mine(deal), 8);
        auto declared = Declared::read(*file, parts);
        ASSERT_TRUE(declared.ok()) << declared.status().text();
        std::string bytes(8, ' ');
        for (int i = 0; rank() == 1 && i < ranks(); ++i) EXPECT_FALSE(declared->get(2, bytes.data()).ok());
        if (rank() == 1) expect_chunks(*declared, parts, {{2, 0, 8}});
        expect_chunks(*declared, parts, {{0, 0, 8}, {1, 0, 8}});
        for (int i = 0; i < 20; ++i) {  // until row 2 is there, and rank 1 has said that it wants it no more
            std::this_thread::sleep_for(std::chrono::milliseconds{1});
            declared->progress();
            barrier(world());
        }
        for (std::size_t part = rank() == 1 ? 3 : 2; part < 8; ++part) expect_chunks(*declared, parts, {{part, 0, 8}});
        EXPECT_OK(declared->finish());
    }
}

}  // namespace
}  // namespace muster
