#include <cerrno>

#include "c/testing.hpp"

namespace muster::test {
namespace {

// What the ranks' blocks of `each` letters look like one after the other.
std::string in_rank_order(std::size_t each = 4) {
    std::string text;
    for (int i = 0; i < ranks(); ++i) text += letters(i, each);
    return text;
}

// One letter of each rank in turn, `turns` times.
std::string in_turns(int turns) {
    std::string text;
    for (int turn = 0; turn < turns; ++turn) text += in_rank_order(1);
    return text;
}

MPI_Datatype every_nth_byte() {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_create_resized(MPI_BYTE, 0, ranks(), &type);
    MPI_Type_commit(&type);
    return type;
}

TEST(CFile, is_created_written_and_read_back) {
    SharedPath path;
    OpenFile file{path.get()};
    auto const mine = letters(rank());
    int64_t bytes = -1;
    ASSERT_EQ(muster_write_at_all(file, rank() * 4, mine.data(), 4, MPI_CHAR, &bytes), MUSTER_OK)
        << muster_last_message();
    EXPECT_EQ(bytes, 4);
    EXPECT_EQ(path.contents(), in_rank_order());
    std::string back(4, '?');
    ASSERT_EQ(muster_read_at_all(file, (ranks() - 1 - rank()) * 4, back.data(), 4, MPI_CHAR, &bytes), MUSTER_OK);
    EXPECT_EQ(bytes, 4);
    EXPECT_EQ(back, letters(ranks() - 1 - rank()));
}

TEST(CFile, tells_how_many_bytes_lie_before_its_end) {
    SharedPath path;
    OpenFile file{path.get()};
    ASSERT_EQ(muster_write_at_all(file, 0, "abcdef", rank() == 0 ? 6 : 0, MPI_CHAR, nullptr), MUSTER_OK);
    std::string back(10, '?');
    int64_t bytes = -1;
    ASSERT_EQ(muster_read_at_all(file, 2, back.data(), 10, MPI_CHAR, &bytes), MUSTER_OK) << muster_last_message();
    EXPECT_EQ(bytes, 4);
    EXPECT_EQ(back, "cdef??????");
}

TEST(CFile, is_seen_through_a_view_at_a_pointer_that_moves) {
    SharedPath path;
    OpenFile file{path.get()};
    auto type = every_nth_byte();
    ASSERT_EQ(muster_set_view(file, rank(), MPI_BYTE, type), MUSTER_OK) << muster_last_message();
    MPI_Type_free(&type);
    auto const mine = letters(rank());
    for (int turn = 0; turn < 3; ++turn)
        ASSERT_EQ(muster_write_all(file, mine.data(), 2, MPI_CHAR, nullptr), MUSTER_OK);
    int64_t position = -1;
    ASSERT_EQ(muster_position(file, &position), MUSTER_OK);
    EXPECT_EQ(position, 6);
    EXPECT_EQ(path.contents(), in_turns(6));
    ASSERT_EQ(muster_seek(file, 4), MUSTER_OK);
    std::string back(2, '?');
    ASSERT_EQ(muster_read_all(file, back.data(), 2, MPI_CHAR, nullptr), MUSTER_OK) << muster_last_message();
    EXPECT_EQ(back, letters(rank(), 2));
    ASSERT_EQ(muster_position(file, &position), MUSTER_OK);
    EXPECT_EQ(position, 6);
}

TEST(CFile, takes_extents_in_any_order_and_memory_in_segments) {
    SharedPath path;
    OpenFile file{path.get()};
    auto const n = ranks();
    std::string const low(2, static_cast<char>('a' + rank())), high(2, static_cast<char>('A' + rank()));
    std::array<muster_extent, 2> const extents{{{(n + rank()) * 2, 2}, {rank() * 2, 2}}};
    std::array<muster_segment, 2> const segments{{{high.data(), 2}, {low.data(), 2}}};
    muster_pieces const pieces{extents.data(), 2, segments.data(), 2};
    int64_t bytes = -1;
    ASSERT_EQ(muster_write_extents(file, &pieces, &bytes), MUSTER_OK) << muster_last_message();
    EXPECT_EQ(bytes, 4);
    auto const text = path.contents();
    EXPECT_EQ(text.substr(0, static_cast<std::size_t>(2 * n)), in_rank_order(2));
    EXPECT_EQ(text.substr(static_cast<std::size_t>((n + rank()) * 2), 2), high);
    std::string back(4, '?');
    muster_segment const whole{back.data(), 4};
    muster_pieces const again{extents.data(), 2, &whole, 1};
    ASSERT_EQ(muster_read_extents(file, &again, &bytes), MUSTER_OK) << muster_last_message();
    EXPECT_EQ(back, high + low);
}

TEST(CFile, takes_no_extents_from_ranks_that_have_none) {
    SharedPath path;
    OpenFile file{path.get()};
    muster_extent const extent{0, 3};
    muster_segment const segment{"abc", 3};
    muster_pieces const some{&extent, 1, &segment, 1}, none{nullptr, 0, nullptr, 0};
    int64_t bytes = -1;
    ASSERT_EQ(muster_write_extents(file, rank() == 0 ? &some : &none, &bytes), MUSTER_OK) << muster_last_message();
    EXPECT_EQ(bytes, rank() == 0 ? 3 : 0);
    EXPECT_EQ(path.contents(), "abc");
}

TEST(CFile, holds_a_global_array_of_which_each_rank_has_a_column) {
    SharedPath path;
    OpenFile file{path.get()};
    std::array<int64_t, 2> const sizes{3, ranks()}, subsizes{3, 1}, starts{0, rank()};
    muster_subarray const column{2, sizes.data(), subsizes.data(), starts.data(), 1, 0, 0};
    auto const mine = letters(rank(), 3);
    int64_t bytes = -1;
    ASSERT_EQ(muster_write_subarray(file, &column, mine.data(), &bytes), MUSTER_OK) << muster_last_message();
    EXPECT_EQ(bytes, 3);
    EXPECT_EQ(path.contents(), in_turns(3));
    std::string back(3, '?');
    ASSERT_EQ(muster_read_subarray(file, &column, back.data(), &bytes), MUSTER_OK) << muster_last_message();
    EXPECT_EQ(back, mine);
}

TEST(CFile, holds_arrays_in_the_order_of_fortran_behind_a_header) {
    SharedPath path;
    OpenFile file{path.get()};
    std::array<int64_t, 2> const sizes{ranks(), 3}, subsizes{1, 3}, starts{rank(), 0};
    muster_subarray const row{2, sizes.data(), subsizes.data(), starts.data(), 1, 5, 1};
    ASSERT_EQ(muster_write_subarray(file, &row, letters(rank(), 3).data(), nullptr), MUSTER_OK)
        << muster_last_message();
    EXPECT_EQ(path.contents(), std::string(5, '\0') + in_turns(3));
}

TEST(CFile, is_resized_reserved_synced_and_measured) {
    SharedPath path;
    OpenFile file{path.get()};
    int64_t size = -1;
    ASSERT_EQ(muster_resize(file, 100), MUSTER_OK) << muster_last_message();
    ASSERT_EQ(muster_size(file, &size), MUSTER_OK);
    EXPECT_EQ(size, 100);
    ASSERT_EQ(muster_reserve(file, 5000), MUSTER_OK) << muster_last_message();
    ASSERT_EQ(muster_size(file, &size), MUSTER_OK);
    EXPECT_EQ(size, 5000);
    EXPECT_EQ(muster_size(file, nullptr), MUSTER_OK);
    EXPECT_EQ(muster_sync(file), MUSTER_OK) << muster_last_message();
}

TEST(CFile, keeps_its_contents_when_updated_and_loses_them_when_created) {
    SharedPath path;
    { ASSERT_EQ(muster_resize(OpenFile{path.get(), MUSTER_UPDATE}, 7), MUSTER_OK); }
    { OpenFile{path.get(), MUSTER_UPDATE}; }
    EXPECT_EQ(path.contents().size(), 7U);
    { OpenFile{path.get(), MUSTER_CREATE}; }
    EXPECT_EQ(path.contents().size(), 0U);
}

TEST(CFile, is_not_opened_where_there_is_none_or_one_too_many) {
    SharedPath path;
    muster_file* file = nullptr;
    EXPECT_EQ(muster_open(MPI_COMM_WORLD, path.get(), MUSTER_READ, MPI_INFO_NULL, &file), MUSTER_NOT_FOUND);
    EXPECT_EQ(file, nullptr);
    EXPECT_EQ(muster_last_system_error(), ENOENT);
    EXPECT_NE(std::string{muster_last_message()}.find(path.get()), std::string::npos) << muster_last_message();
    { OpenFile{path.get(), MUSTER_EXCLUSIVE}; }
    EXPECT_EQ(muster_open(MPI_COMM_WORLD, path.get(), MUSTER_EXCLUSIVE, MPI_INFO_NULL, &file), MUSTER_EXISTS);
}

TEST(CFile, cannot_be_written_when_opened_for_reading) {
    SharedPath path;
    { OpenFile{path.get(), MUSTER_CREATE}; }
    OpenFile file{path.get(), MUSTER_READ};
    EXPECT_NE(muster_write_at_all(file, rank(), "a", 1, MPI_CHAR, nullptr), MUSTER_OK);
}

}  // namespace
}  // namespace muster::test
