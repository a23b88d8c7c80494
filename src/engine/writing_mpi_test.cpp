// What a collective write leaves in the file.
#include "engine/testing.hpp"

namespace muster {
namespace {

using namespace test;

constexpr Size window = 64;  // of most settings

struct Example {
    std::string name;
    Deal deal;
};

Deal nobody() { return Deal(static_cast<std::size_t>(ranks())); }

Deal only(int writer, Extents extents) {
    auto deal = nobody();
    deal[static_cast<std::size_t>(writer)] = std::move(extents);
    return deal;
}

// Rank r has r pieces of r bytes: the first none, the last most.
Deal staircase() {
    auto deal = nobody();
    Offset at = 3;
    for (int writer = 0; writer < ranks(); ++writer) {
        for (int i = 0; i < writer; ++i, at += writer + i % 2) {
            deal[static_cast<std::size_t>(writer)].push_back({at, writer});
        }
    }
    return deal;
}

Deal backwards(Deal deal) {
    for (auto& extents : deal) std::reverse(extents.begin(), extents.end());
    return deal;
}

std::vector<Example> examples() {
    std::vector<Example> all{{"nobody has data", nobody()},
                             {"one byte of rank 0", only(0, {{0, 1}})},
                             {"one byte of the last rank, far away", only(ranks() - 1, {{5000, 1}})},
                             {"pieces without bytes", only(0, {{7, 0}, {9, 2}, {11, 0}})},
                             {"bytes in turn", rotate({1, 40, 0, 0})},
                             {"blocks in turn with holes", rotate({7, 9, 3, 5})},
                             {"more and more", staircase()},
                             {"pieces in descending order", backwards(rotate({5, 12, 2, 1}))}};
    for (auto const size : {window - 1, window, window + 1}) {
        all.push_back({"each rank has " + std::to_string(size) + " bytes", rotate({size, 1, 0, 0})});
        all.push_back({"one rank has " + std::to_string(size) + " bytes", only(ranks() - 1, {{window, size}})});
    }
    return all;
}

TEST(Write, puts_every_byte_in_its_place_and_no_other) {
    SharedPath path;
    for (auto const& [setting, hints] : settings()) {
        OpenFile file{path.get(), Mode::create, hints};
        for (auto const& [name, deal] : examples()) {
            SCOPED_TRACE(setting + ": " + name);
            std::string const old(static_cast<std::size_t>(end_of(deal)) + 10, untouched);
            path.fill(old);
            auto const done = write_marks(*file, deal);
            ASSERT_TRUE(done.ok()) << done.status().text();
            EXPECT_EQ(*done, size_of(mine(deal)));
            path.expect(written(old, deal));
        }
    }
}

TEST(Write, to_a_new_file_leaves_zeros_in_the_holes) {
    SharedPath path;
    for (auto const& [setting, hints] : settings()) {
        SCOPED_TRACE(setting);
        auto const deal = rotate({7, 9, 3, 5});
        OpenFile file{path.get(), Mode::create, hints};
        EXPECT_OK(write_marks(*file, deal));
        path.expect(written("", deal));
    }
}

TEST(Write, keeps_old_bytes_also_where_windows_are_read_and_modified) {
    SharedPath path;
    auto hints = all_aggregate();
    for (auto const lock : {Toggle::on, Toggle::off}) {
        for (auto const writes : {0, 1, 512}) {
            hints.file_lock = lock;
            hints.hole_writes = writes;
            auto const deal = rotate({3, 30, 2, 1});
            std::string const old(static_cast<std::size_t>(end_of(deal)) + 10, untouched);
            path.fill(old);
            OpenFile file{path.get(), Mode::update, hints};
            EXPECT_OK(write_marks(*file, deal));
            EXPECT_GT(file->gather_report().total.read_modify_writes, 0);
            path.expect(written(old, deal));
        }
    }
}

bool covers(Extents const& extents, Offset at) {
    return std::any_of(extents.begin(), extents.end(),
                       [&](Extent const& extent) { return extent.offset <= at && at < extent.end(); });
}

bool by_one_of_its_writers(Deal const& deal, Offset at, char found) {
    bool covered = false;
    for (std::size_t writer = 0; writer < deal.size(); ++writer) {
        if (!covers(deal[writer], at)) continue;
        covered = true;
        if (found == mark(static_cast<int>(writer), at)) return true;
    }
    return !covered && found == untouched;
}

// Every rank shares bytes with its neighbours, all share some, and there are holes between.
Deal overlapping() {
    auto deal = rotate({30, 3, 10, 0});
    for (std::size_t i = 0; i < deal.size(); ++i) {
        deal[i].push_back({deal[(i + 1) % deal.size()].front().offset + 13, 9});
        deal[i].push_back({end_of(rotate({30, 3, 10, 0})) + 50, 77});
    }
    return deal;
}

// Collective. Twice: a pattern that comes again is not looked at again.
void expect_one_of_the_writers(Deal const& deal) {
    SharedPath path;
    for (auto const& [setting, hints] : settings()) {
        SCOPED_TRACE(setting);
        OpenFile file{path.get(), Mode::update, hints};
        for (int run = 0; run < 2; ++run) {
            path.fill(std::string(static_cast<std::size_t>(end_of(deal)) + 5, untouched));
            EXPECT_OK(write_marks(*file, deal));
            auto const found = path.contents();
            std::size_t right = 0;
            while (right < found.size() && by_one_of_its_writers(deal, static_cast<Offset>(right), found[right]))
                ++right;
            EXPECT_EQ(right, found.size()) << "run " << run;
        }
    }
}

TEST(Write, of_overlapping_extents_leaves_the_bytes_of_one_of_the_writers) { expect_one_of_the_writers(overlapping()); }

// In every other window, beside windows that are covered from end to end.
Deal holes_as_large_as_overlaps() {
    auto deal = nobody();
    auto& second = deal[deal.size() > 1 ? 1 : 0];
    for (Offset base = 0; base < 20 * window; base += 2 * window) {
        deal[0].push_back({base, window / 2});
        second.push_back({base + window / 2, window / 2});
        deal[0].push_back({base + window, window / 2});
        second.push_back({base + window + window / 4, window / 2});
    }
    deal[0].push_back({20 * window, 1});
    return deal;
}

TEST(Write, is_not_deceived_by_holes_that_are_as_large_as_overlaps) {
    auto const deal = holes_as_large_as_overlaps();
    expect_one_of_the_writers(deal);
    SharedPath path;
    Hints hints;
    hints.direct_write = 0;
    hints.window = window;
    OpenFile file{path.get(), Mode::create, hints};
    EXPECT_OK(write_marks(*file, deal));
    auto const report = file->gather_report();
    Size handed = 0;
    for (auto const bytes : report.flow.by_round) handed += bytes;
    EXPECT_EQ(handed, report.total.bytes);
}

TEST(Write, of_overlapping_extents_of_one_rank_keeps_the_last_and_counts_all) {
    SharedPath path;
    for (auto const& [setting, hints] : settings()) {
        SCOPED_TRACE(setting);
        path.fill("..............");
        OpenFile file{path.get(), Mode::update, hints};
        auto const writes = is_last();
        Extents const extents = writes ? Extents{{4, 6}, {2, 4}, {9, 2}} : Extents{};
        auto const done = write_pieces(*file, extents, writes ? "aaaaaabbbbcc" : "");
        ASSERT_TRUE(done.ok()) << done.status().text();
        EXPECT_EQ(*done, writes ? 12 : 0);
        path.expect("..bbbbaaacc...");
    }
}

TEST(Write, takes_memory_in_any_number_of_segments) {
    SharedPath path;
    auto const deal = rotate({10, 4, 1, 0});
    auto const bytes = marks(rank(), mine(deal));
    std::vector<std::string> parts;
    std::vector<Segment> segments;
    for (std::size_t at = 0, length = 0; at < bytes.size(); at += length, ++length)
        parts.push_back(bytes.substr(at, length));
    for (auto const& part : parts) segments.push_back({part.data(), static_cast<Size>(part.size())});
    for (auto const& [setting, hints] : settings()) {
        SCOPED_TRACE(setting);
        OpenFile file{path.get(), Mode::create, hints};
        EXPECT_OK(file->write_all(Pieces{mine(deal), segments}));
        path.expect(written("", deal));
    }
}

TEST(Write, does_not_shorten_a_file_that_is_longer) {
    SharedPath path;
    path.fill(std::string(1000, untouched));
    OpenFile file{path.get(), Mode::update, all_aggregate()};
    EXPECT_OK(write_marks(*file, rotate({1, 1, 0, 0})));
    auto const size = file->size();
    ASSERT_TRUE(size.ok());
    EXPECT_EQ(*size, std::max(1000, ranks()));
}

TEST(Write, by_mode_create_begins_with_an_empty_file) {
    SharedPath path;
    path.fill("old");
    { OpenFile file{path.get(), Mode::create}; }
    path.expect("");
}

TEST(Write, by_mode_exclusive_makes_the_file) {
    SharedPath path;
    {
        OpenFile file{path.get(), Mode::exclusive, all_aggregate()};
        EXPECT_OK(write_marks(*file, rotate({4, 1, 0, 0})));
    }
    path.expect(written("", rotate({4, 1, 0, 0})));
}

// Rounds for all that lies between the pieces would take days.
TEST(Write, and_read_of_few_bytes_far_apart_end_soon_whatever_hints_say) {
    auto hints = all_aggregate();
    auto on = hints;
    on.collective_write = on.collective_read = Toggle::on;
    for (auto const& asked : {hints, on}) {
        SharedPath path;
        OpenFile file{path.get(), Mode::create, asked};
        Extents const own{{Offset{rank()} * 4096, 64}, {(Offset{1} << 40) + Offset{rank()} * 4096, 64}};
        EXPECT_OK(write_pieces(*file, own, marks(rank(), own)));
        EXPECT_EQ(find_decision(file->report(), "route")->choice, "direct");
        std::string memory(128, '#');
        EXPECT_OK(read_pieces(*file, own, memory));
        EXPECT_EQ(find_decision(file->report(), "route")->choice, "direct");
        EXPECT_EQ(memory, marks(rank(), own));
    }
}

TEST(Size, can_be_changed_and_reserved) {
    SharedPath path;
    OpenFile file{path.get(), Mode::create, all_aggregate()};
    EXPECT_EQ(*file->size(), 0);
    EXPECT_OK(file->resize(100));
    EXPECT_EQ(*file->size(), 100);
    EXPECT_OK(file->reserve(5000));
    EXPECT_OK(write_marks(*file, rotate({4, 1, 0, 0})));
    EXPECT_OK(file->sync());
    EXPECT_OK(file->resize(2));
    EXPECT_EQ(*file->size(), 2);
}

}  // namespace
}  // namespace muster
