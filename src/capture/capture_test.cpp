#include "capture/capture.hpp"

#include <gtest/gtest.h>

namespace muster {
namespace {

using Bytes = std::vector<std::byte>;

Bytes join(std::vector<Bytes> const& sections) {
    auto all = capture_head(static_cast<int>(sections.size()));
    for (auto const& section : sections) all.insert(all.end(), section.begin(), section.end());
    return all;
}

// Two ranks with a column each, in three steps one behind the other.
Bytes two_ranks(Size limit = Recorder::most_bytes) {
    std::vector<Bytes> sections;
    for (Rank rank = 0; rank < 2; ++rank) {
        Recorder recorder{rank == 1 ? limit : Recorder::most_bytes};
        auto const file = recorder.open({{0, 0}, rank, 2, rank == 0 ? "state.bin" : ""});
        for (Size step = 0; step < 3; ++step) {
            recorder.add(file, true, Stream::whole(Shape::strip({step * 1000 + rank * 8, 8}, 10, 16)));
        }
        recorder.add(file, false, Stream::whole(Shape::block(rank * 100, rank == 0 ? 0 : 50)));
        recorder.count(file, true, 7);
        if (rank == 0) recorder.set_hints(file, {{"muster_window", "1MiB"}});
        sections.push_back(recorder.section("node" + std::to_string(rank)));
    }
    return join(sections);
}

TEST(Capture, has_every_access_of_every_rank_again) {
    auto const capture = Capture::parse(two_ranks());
    ASSERT_TRUE(capture.ok()) << capture.status().text();
    ASSERT_EQ(capture->files().size(), 1U);
    auto const& file = capture->files()[0];
    EXPECT_EQ(file.path, "state.bin");
    EXPECT_EQ(file.ranks(), 2);
    EXPECT_EQ(file.hints, (std::vector<HintPair>{{"muster_window", "1MiB"}}));
    ASSERT_EQ(file.calls.size(), 4U);
    EXPECT_TRUE(file.calls[2].write);
    EXPECT_FALSE(file.calls[3].write);
    EXPECT_EQ(capture->part(file, file.calls[2], 1).text(), Shape::strip({2008, 8}, 10, 16).text());
    EXPECT_TRUE(capture->part(file, file.calls[3], 0).empty());
    EXPECT_EQ(capture->bytes(file, true), 3 * 2 * 80);
    EXPECT_EQ(capture->pieces(file, file.calls[0]), 20);
    EXPECT_EQ(file.alone[1], 2);
    EXPECT_EQ(file.alone_bytes[1], 14);
    EXPECT_EQ(capture->node_of(file), (std::vector<int>{0, 1}));
    EXPECT_TRUE(capture->complete());
}

TEST(Capture, stores_what_returns_elsewhere_once) {
    Recorder once, often;
    auto const pattern = [](Offset base) {
        std::vector<Extent> pieces;
        for (Size i = 0; i < 1000; ++i) pieces.push_back({base + i * 37 + i * i % 19, 5 + i % 3});
        return Stream::whole(Shape::pieces(pieces));
    };
    for (auto* recorder : {&once, &often}) recorder->open({{0, 0}, 0, 1, "a"});
    once.add(0, true, pattern(0));
    for (Size step = 0; step < 100; ++step) often.add(0, true, pattern(step * 50000));
    EXPECT_LT(often.section("n").size(), once.section("n").size() + 100 * 5);
}

TEST(Capture, keeps_files_of_several_communicators_apart) {
    std::vector<Bytes> sections;
    for (Rank rank = 0; rank < 4; ++rank) {
        Recorder recorder;
        Rank const leader = rank / 2 * 2;
        auto const file =
            recorder.open({{leader, 5}, rank % 2, 2, rank == leader ? "half" + std::to_string(rank) : ""});
        recorder.add(file, true, Stream::whole(Shape::block(rank * 10, 10)));
        sections.push_back(recorder.section("n"));
    }
    auto const capture = Capture::parse(join(sections));
    ASSERT_TRUE(capture.ok()) << capture.status().text();
    ASSERT_EQ(capture->files().size(), 2U);
    EXPECT_EQ(capture->files()[1].path, "half2");
    EXPECT_EQ(capture->files()[1].members, (std::vector<Rank>{2, 3}));
    auto const& file = capture->files()[1];
    EXPECT_EQ(capture->part(file, file.calls[0], 1).text(), Shape::block(30, 10).text());
}

TEST(Capture, ends_where_a_rank_had_to_stop) {
    auto const capture = Capture::parse(two_ranks(30));
    ASSERT_TRUE(capture.ok()) << capture.status().text();
    EXPECT_FALSE(capture->complete());
    EXPECT_LT(capture->files()[0].calls.size(), 4U);
    EXPECT_GE(capture->files()[0].calls.size(), 1U);
}

TEST(Capture, orders_what_runs_backwards) {
    Recorder recorder;
    recorder.open({{0, 0}, 0, 1, "a"});
    recorder.add(0, true, Stream::whole(Shape::pieces({{100, 10}, {0, 10}, {5, 10}})));
    auto const capture = Capture::parse(join({recorder.section("n")}));
    ASSERT_TRUE(capture.ok());
    auto const& file = capture->files()[0];
    EXPECT_EQ(capture->bytes(file, true), 25);
    EXPECT_TRUE(capture->part(file, file.calls[0], 0).ordered());
}

TEST(Capture, refuses_ranks_that_speak_for_each_other) {
    std::vector<Bytes> sections;
    for (Rank rank = 0; rank < 2; ++rank) {
        Recorder recorder;
        recorder.open({{0, 0}, 0, 2, "a"});  // both say that they are the first
        for (Size i = 0; i < 3 - rank; ++i) recorder.add(0, true, Stream::whole(Shape::block(0, i + 1)));
        sections.push_back(recorder.section("n"));
    }
    EXPECT_FALSE(Capture::parse(join(sections)).ok());
}

TEST(Capture, refuses_what_is_damaged) {
    auto const good = two_ranks();
    for (std::size_t size = 0; size < good.size(); ++size) {
        EXPECT_FALSE(Capture::parse(std::span{good}.first(size)).ok()) << size;
    }
    for (std::size_t at = 0; at < good.size(); ++at) {
        auto bad = good;
        bad[at] ^= std::byte{0x41};
        EXPECT_FALSE(Capture::parse(bad).ok()) << at;
    }
}

}  // namespace
}  // namespace muster
