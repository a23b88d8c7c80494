#include "access/view.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "mpi/datatype.hpp"

namespace muster {
namespace {

// The pieces of a stream: "4@0 4@8".
std::string pieces(Result<Stream> const& stream) {
    if (!stream) return stream.status().text();
    std::string text;
    stream->for_each([&](Offset offset, Size length) {
        text += (text.empty() ? "" : " ") + std::to_string(length) + "@" + std::to_string(offset);
    });
    return text;
}

Datatype every_second_int(int count) {
    Datatype type;
    MPI_Type_vector(count, 1, 2, MPI_INT, type.receive());
    return type;
}

Datatype resized(MPI_Datatype of, MPI_Aint low, MPI_Aint extent) {
    Datatype type;
    MPI_Type_create_resized(of, low, extent, type.receive());
    return type;
}

Datatype hindexed(std::vector<int> const& lengths, std::vector<MPI_Aint> const& places, MPI_Datatype of) {
    Datatype type;
    MPI_Type_create_hindexed(static_cast<int>(lengths.size()), lengths.data(), places.data(), of, type.receive());
    return type;
}

std::string refusal(Offset displacement, MPI_Datatype etype, MPI_Datatype filetype) {
    auto const view = make_view(displacement, etype, filetype);
    return view ? "accepted" : view.status().text();
}

TEST(View, shows_all_bytes_when_nothing_is_said) {
    EXPECT_EQ(pieces(file_stream(View{}, 10, 100)), "100@10");
    EXPECT_EQ(pieces(file_stream(View{}, 10, 0)), "");
    EXPECT_TRUE(file_stream(View{}, 3, Size{1} << 50)->shape.contiguous());
}

TEST(View, counts_offsets_in_etypes_from_its_displacement) {
    auto const view = make_view(1000, MPI_DOUBLE, MPI_DOUBLE);
    EXPECT_EQ(pieces(file_stream(*view, 3, 16)), "16@1024");
}

TEST(View, tiles_the_file_with_its_filetype) {
    auto const type = resized(every_second_int(2).get(), 0, 16);
    auto const view = make_view(100, MPI_INT, type.get());
    EXPECT_EQ(pieces(file_stream(*view, 0, 20)), "4@100 4@108 4@116 4@124 4@132");
    EXPECT_EQ(file_stream(*view, 0, 4000)->shape.text(), "strip 1000 x 4 by 8 at 100");
}

TEST(View, begins_in_the_middle_of_a_tile_and_of_an_etype_run) {
    auto const type = resized(every_second_int(3).get(), 0, 40);  // 4@0 4@8 4@16, then 20 bytes of hole
    auto const view = make_view(0, MPI_INT, type.get());
    EXPECT_EQ(pieces(file_stream(*view, 1, 16)), "4@8 4@16 4@40 4@48");
    EXPECT_EQ(pieces(file_stream(*view, 5, 4)), "4@56");
    EXPECT_EQ(pieces(file_stream(*view, 7, 6)), "4@88 2@96");
}

TEST(View, has_holes_at_both_ends_of_a_resized_filetype) {
    Datatype block;
    int const sizes[] = {10}, subsizes[] = {2}, starts[] = {4};
    MPI_Type_create_subarray(1, sizes, subsizes, starts, MPI_ORDER_C, MPI_INT, block.receive());
    auto const view = make_view(8, MPI_INT, block.get());
    EXPECT_EQ(pieces(file_stream(*view, 0, 20)), "8@24 8@64 4@104");
    auto const shifted = resized(MPI_INT, -4, 12);  // the lower bound counts for the extent alone
    EXPECT_EQ(pieces(file_stream(*make_view(8, MPI_INT, shifted.get()), 0, 12)), "4@8 4@20 4@32");
}

TEST(View, with_interleaving_tiles_is_not_in_file_order) {
    auto const type = resized(every_second_int(2).get(), 0, 4);  // 4@0 4@8, tiled by 4
    auto const stream = file_stream(*make_view(0, MPI_INT, type.get()), 0, 16);
    EXPECT_EQ(pieces(stream), "4@0 4@8 4@4 4@12");
    EXPECT_FALSE(stream->shape.ordered());
}

TEST(View, reaches_far_into_large_files) {
    auto const type = resized(every_second_int(1000).get(), 0, 1 << 20);
    auto const view = make_view(Offset{1} << 40, MPI_INT, type.get());
    EXPECT_EQ(
        pieces(file_stream(*view, Offset{3} << 32, 4)), "4@" + [] {
            auto const etype = Offset{3} << 32;
            return std::to_string((Offset{1} << 40) + etype / 1000 * (1 << 20) + etype % 1000 * 8);
        }());
    auto const many = file_stream(*view, 0, Size{4000} << 30);
    EXPECT_EQ(many->piece_count(), Size{1000} << 30);
}

TEST(View, refuses_offsets_beyond_the_largest) {
    auto const largest = std::numeric_limits<Offset>::max();
    auto const doubles = make_view(0, MPI_DOUBLE, MPI_DOUBLE);
    EXPECT_EQ(file_stream(*doubles, largest / 4, 8).status().code(), Code::invalid_argument);
    auto const sparse = make_view(0, MPI_INT, resized(MPI_INT, 0, 1 << 20).get());
    EXPECT_EQ(file_stream(*sparse, largest / 1000, 8).status().code(), Code::invalid_argument);
    EXPECT_EQ(file_stream(View{}, -1, 8).status().code(), Code::invalid_argument);
    EXPECT_EQ(file_stream(View{}, 0, -8).status().code(), Code::invalid_argument);
    EXPECT_EQ(file_stream(View{}, largest, 1).status().code(), Code::invalid_argument);
}

TEST(View, of_an_empty_filetype_gives_no_bytes) {
    auto const view = make_view(0, MPI_INT, hindexed({}, {}, MPI_INT).get());
    ASSERT_TRUE(view.ok());
    EXPECT_EQ(pieces(file_stream(*view, 5, 0)), "");
    EXPECT_EQ(file_stream(*view, 0, 4).status().code(), Code::invalid_argument);
}

TEST(View, must_not_begin_before_the_file) {
    EXPECT_EQ(refusal(-1, MPI_BYTE, MPI_BYTE), "invalid_argument: the displacement -1 is negative");
    EXPECT_EQ(refusal(100, MPI_INT, hindexed({1, 1}, {-8, 0}, MPI_INT).get()),
              "invalid_argument: the filetype has the negative offset -8");
}

TEST(View, must_have_whole_etypes) {
    EXPECT_EQ(refusal(0, MPI_INT, hindexed({3}, {0}, MPI_SHORT).get()),
              "invalid_argument: the filetype's 6 bytes are not a multiple of the etype's 4");
    EXPECT_EQ(refusal(0, hindexed({}, {}, MPI_INT).get(), MPI_INT), "invalid_argument: the etype has no bytes");
    EXPECT_EQ(refusal(0, MPI_DATATYPE_NULL, MPI_INT),
              "invalid_argument: a view needs an etype and a filetype, not MPI_DATATYPE_NULL");
}

TEST(View, must_not_run_backwards) {
    EXPECT_EQ(refusal(0, MPI_INT, hindexed({1, 1}, {8, 0}, MPI_INT).get()),
              "invalid_argument: the filetype's offsets must not decrease: 0 comes after 8");
    EXPECT_EQ(refusal(0, MPI_INT, hindexed({1, 1, 1}, {0, 4, 2}, MPI_INT).get()),
              "invalid_argument: the filetype's offsets must not decrease: 2 comes after 0");
}

TEST(View, may_show_bytes_twice) {
    EXPECT_EQ(refusal(0, MPI_INT, hindexed({1, 1, 1}, {0, 2, 2}, MPI_INT).get()), "accepted");
}

}  // namespace
}  // namespace muster
