// What a collective read brings into memory.
#include <unistd.h>

#include "engine/testing.hpp"

namespace muster {
namespace {

using namespace test;

constexpr int nobody = 1000;  // a writer that is no rank

std::string file_of(Size size) { return marks(nobody, {{0, size}}); }

struct Example {
    std::string name;
    Deal deal;
};

Deal same_for_all(Extents const& extents) { return Deal(static_cast<std::size_t>(ranks()), extents); }

std::vector<Example> examples() {
    auto only_last = same_for_all({});
    only_last.back() = {{100, 1}, {300, 70}};
    std::vector<Example> all{{"nobody wants anything", same_for_all({})},
                             {"only the last rank wants something", only_last},
                             {"all want the same byte", same_for_all({{63, 1}})},
                             {"all want the same bytes", same_for_all({{10, 90}, {150, 3}, {160, 200}})},
                             {"in turn", rotate({5, 20, 0, 3})},
                             {"in turn with holes", rotate({3, 30, 4, 0})},
                             {"descending", same_for_all({{200, 20}, {130, 10}, {5, 9}})},
                             {"twice", same_for_all({{7, 20}, {15, 30}, {7, 20}, {0, 1}})}};
    for (auto const size : {63, 64, 65}) all.push_back({"blocks of " + std::to_string(size), rotate({size, 1, 0, 0})});
    return all;
}

TEST(Read, brings_every_byte_to_everyone_who_wants_it) {
    SharedPath path;
    auto const file_bytes = file_of(300 * ranks() + 400);
    path.fill(file_bytes);
    for (auto const& [setting, hints] : settings()) {
        OpenFile file{path.get(), Mode::read, hints};
        for (auto const& [name, deal] : examples()) {
            SCOPED_TRACE(setting + ": " + name);
            std::string memory(static_cast<std::size_t>(size_of(mine(deal))), '#');
            auto const done = read_pieces(*file, mine(deal), memory);
            ASSERT_TRUE(done.ok()) << done.status().text();
            EXPECT_EQ(*done, size_of(mine(deal)));
            EXPECT_EQ(memory, cut_out(file_bytes, mine(deal)));
        }
    }
}

// Copying such rows past the caches begins where a core's own cache would be full, which its ranks share.
TEST(Read, brings_more_than_a_cache_holds) {
    SharedPath path;
    constexpr int row = 1001;
    auto const cores = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
    auto const cache = std::max<long>(sysconf(_SC_LEVEL2_CACHE_SIZE), 1 << 20);
    auto const sharers = (ranks() - 1) / cores + 1;
    auto const rows = static_cast<int>(cache / sharers / row + 10);
    auto const deal = rotate({row, rows, 0, 0});
    auto const file_bytes = file_of(Size{row} * rows * ranks());
    path.fill(file_bytes);
    OpenFile file{path.get(), Mode::read, {}};
    std::string memory(static_cast<std::size_t>(size_of(mine(deal))), '#');
    EXPECT_OK(read_pieces(*file, mine(deal), memory));
    EXPECT_TRUE(memory == cut_out(file_bytes, mine(deal)));
    EXPECT_EQ(find_decision(file->report(), "route")->choice, ranks() == 1 ? "direct" : "shared");
}

TEST(Read, gets_what_others_have_just_written) {
    SharedPath path;
    for (auto const& [setting, hints] : settings()) {
        SCOPED_TRACE(setting);
        OpenFile file{path.get(), Mode::create, hints};
        auto const deal = rotate({11, 7, 0, 0});
        EXPECT_OK(write_marks(*file, deal));
        auto const& next = deal[static_cast<std::size_t>((rank() + 1) % ranks())];
        std::string memory(static_cast<std::size_t>(size_of(next)), '#');
        EXPECT_OK(read_pieces(*file, next, memory));
        EXPECT_EQ(memory, marks((rank() + 1) % ranks(), next));
    }
}

TEST(Read, stops_at_the_end_of_the_file_and_leaves_memory_behind_it_alone) {
    SharedPath path;
    for (auto const& [setting, hints] : settings()) {
        SCOPED_TRACE(setting);
        for (Size const size : {0, 1, 63, 64, 65, 200}) {
            SCOPED_TRACE(size);
            path.fill(file_of(size));
            OpenFile file{path.get(), Mode::read, hints};
            Extent const wanted{50 * rank() + 3, 90};
            std::string memory(90, '#');
            auto const done = read_pieces(*file, {wanted}, memory);
            ASSERT_TRUE(done.ok()) << done.status().text();
            auto const exists = std::clamp<Size>(size - wanted.offset, 0, 90);
            EXPECT_EQ(*done, exists);
            EXPECT_EQ(memory, marks(nobody, {{wanted.offset, exists}}) +
                                  std::string(static_cast<std::size_t>(90 - exists), '#'));
        }
    }
}

TEST(Read, of_extents_out_of_order_leaves_just_those_bytes_alone_that_do_not_exist) {
    SharedPath path;
    path.fill(file_of(100));
    for (auto const& [setting, hints] : settings()) {
        SCOPED_TRACE(setting);
        OpenFile file{path.get(), Mode::read, hints};
        std::string memory(40, '#');
        auto const done = read_pieces(*file, {{95, 10}, {20, 10}, {200, 10}, {0, 10}}, memory);
        ASSERT_TRUE(done.ok()) << done.status().text();
        EXPECT_EQ(*done, 25);
        EXPECT_EQ(memory, marks(nobody, {{95, 5}}) + "#####" + marks(nobody, {{20, 10}}) + "##########" +
                              marks(nobody, {{0, 10}}));
    }
}

TEST(Read, of_the_same_bytes_twice_stops_at_the_end_of_the_file_both_times) {
    SharedPath path;
    path.fill(file_of(100));
    for (auto const& [setting, hints] : settings()) {
        SCOPED_TRACE(setting);
        OpenFile file{path.get(), Mode::read, hints};
        std::string memory(20, '#');
        std::fill(memory.begin() + 10, memory.end(), '%');
        auto const done = read_pieces(*file, {{95, 10}, {93, 10}}, memory);
        ASSERT_TRUE(done.ok()) << done.status().text();
        EXPECT_EQ(*done, 12);
        EXPECT_EQ(memory, marks(nobody, {{95, 5}}) + "#####" + marks(nobody, {{93, 7}}) + "%%%");
    }
}

TEST(Read, sees_a_file_that_has_grown_since_it_was_opened) {
    SharedPath path;
    path.fill("");
    OpenFile file{path.get(), Mode::read, all_aggregate()};
    std::string memory(10, '#');
    auto const empty = read_pieces(*file, {{0, 10}}, memory);
    path.fill(file_of(8));
    auto const full = read_pieces(*file, {{0, 10}}, memory);
    ASSERT_TRUE(empty.ok() && full.ok());
    EXPECT_EQ(*empty, 0);
    EXPECT_EQ(*full, 8);
    EXPECT_EQ(memory, file_of(8) + "##");
}

TEST(Read, brings_bytes_into_scattered_memory) {
    SharedPath path;
    auto const file_bytes = file_of(100 * ranks());
    path.fill(file_bytes);
    for (auto const& [setting, hints] : settings()) {
        SCOPED_TRACE(setting);
        OpenFile file{path.get(), Mode::read, hints};
        std::string memory(40, '#');
        std::vector<Segment> const segments{{&memory[30], 6}, {&memory[2], 9}, {&memory[20], 1}};
        Extents const extents{{rank() * 100, 10}, {rank() * 100 + 50, 6}};
        EXPECT_OK(file->read_all(Pieces{extents, segments}));
        auto const bytes = cut_out(file_bytes, extents);
        std::string wanted(40, '#');
        wanted.replace(30, 6, bytes, 0, 6).replace(2, 9, bytes, 6, 9).replace(20, 1, bytes, 15, 1);
        EXPECT_EQ(memory, wanted);
    }
}

}  // namespace
}  // namespace muster
