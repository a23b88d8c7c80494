#include "access/access.hpp"

#include <gtest/gtest.h>

#include "access/copy.hpp"
#include "mpi/datatype.hpp"

namespace muster {
namespace {

MPI_Aint address_of(void const* data) {
    MPI_Aint address = 0;
    MPI_Get_address(data, &address);
    return address;
}

template <class Value>
std::vector<Value> gathered(Memory const& memory) {
    std::vector<Value> values(static_cast<std::size_t>(memory.stream.size()) / sizeof(Value));
    gather(memory.stream, memory.base, reinterpret_cast<std::byte*>(values.data()));
    return values;
}

TEST(Memory, of_contiguous_elements_is_one_piece) {
    double values[10] = {};
    auto const memory = memory_stream(values, 10, MPI_DOUBLE);
    EXPECT_EQ(memory->stream.shape.text(), "80");
    EXPECT_EQ(memory->base, reinterpret_cast<std::byte*>(values));
}

TEST(Memory, takes_more_elements_than_an_int_can_count) {
    auto const buffer = 'x';  // nothing is touched
    auto const memory = memory_stream(&buffer, Size{5} << 32, MPI_DOUBLE);
    EXPECT_EQ(memory->stream.size(), Size{40} << 32);
    EXPECT_TRUE(memory->stream.shape.contiguous());
    EXPECT_EQ(memory_stream(&buffer, Size{5} << 32, MPI_DOUBLE_INT)->stream.shape.text(),
              "strip 21474836480 x 12 by 16");
}

TEST(Memory, of_no_elements_is_empty) {
    EXPECT_EQ(memory_stream(nullptr, 0, MPI_DOUBLE)->stream.size(), 0);
    EXPECT_EQ(memory_stream(nullptr, -1, MPI_DOUBLE).status().code(), Code::invalid_argument);
    EXPECT_EQ(memory_stream(nullptr, 1, MPI_DATATYPE_NULL).status().code(), Code::invalid_argument);
}

TEST(Memory, from_mpi_bottom_has_absolute_addresses) {
    std::vector<int> const first{1, 2, 3}, second{4, 5};
    int const lengths[] = {3, 2};
    MPI_Aint const places[] = {address_of(first.data()), address_of(second.data())};
    Datatype type;
    MPI_Type_create_hindexed(2, lengths, places, MPI_INT, type.receive());
    auto const memory = memory_stream(MPI_BOTTOM, 1, type.get());
    EXPECT_EQ(memory->stream.shape.low(), 0);
    EXPECT_EQ(gathered<int>(*memory), (std::vector<int>{1, 2, 3, 4, 5}));
}

TEST(Memory, runs_backwards_with_negative_strides) {
    int const values[] = {1, 2, 3, 4, 5};
    Datatype type;
    MPI_Type_vector(5, 1, -1, MPI_INT, type.receive());
    EXPECT_EQ(gathered<int>(*memory_stream(&values[4], 1, type.get())), (std::vector<int>{5, 4, 3, 2, 1}));
}

TEST(Memory, may_begin_below_its_buffer) {
    int const values[] = {1, 2, 3, 4, 5, 6};
    int const lengths[] = {1, 1};
    int const places[] = {-1, 1};
    Datatype pair, type;
    MPI_Type_indexed(2, lengths, places, MPI_INT, pair.receive());
    MPI_Type_create_resized(pair.get(), -4, 8, type.receive());
    EXPECT_EQ(gathered<int>(*memory_stream(&values[1], 2, type.get())), (std::vector<int>{1, 3, 3, 5}));
}

TEST(Access, matches_extents_with_segments_in_the_order_given) {
    std::vector<char> const first{'a', 'b', 'c'}, second{'d', 'e', 'f', 'g', 'h'};
    Extent const extents[] = {{100, 4}, {10, 4}};
    Segment const segments[] = {{second.data(), 5}, {nullptr, 0}, {first.data(), 3}};
    auto const access = make_access(extents, segments);
    std::vector<char> file(104, '.');
    place(*access, 0, 8, {std::as_writable_bytes(std::span{file}), 0});
    EXPECT_EQ((std::string{file.begin() + 100, file.end()}), "defg");
    EXPECT_EQ((std::string{file.begin() + 10, file.begin() + 14}), "habc");
}

TEST(Access, may_be_empty) {
    auto const access = make_access(std::span<Extent const>{}, std::span<Segment const>{});
    EXPECT_EQ(access->size(), 0);
    EXPECT_EQ(ordered(*access, Overlap::last_wins)->size(), 0);
}

std::string refusal(std::vector<Extent> const& extents, std::vector<Segment> const& segments) {
    return make_access(extents, segments).status().text();
}

TEST(Access, needs_as_many_bytes_in_memory_as_in_the_file) {
    char memory[10] = {};
    EXPECT_EQ(refusal({{0, 8}}, {{memory, 7}}),
              "invalid_argument: 8 bytes of the file cannot be matched with 7 bytes of memory");
    EXPECT_EQ(refusal({{-1, 8}}, {{memory, 8}}), "invalid_argument: an extent of 8 bytes at -1 does not exist");
    EXPECT_EQ(refusal({{1, -8}}, {{memory, 8}}), "invalid_argument: an extent of -8 bytes at 1 does not exist");
    EXPECT_EQ(refusal({{0, 8}}, {{nullptr, 8}}), "invalid_argument: a memory segment has no address");
    EXPECT_EQ(refusal({{0, 8}}, {{memory, -8}}), "invalid_argument: a memory segment has a negative length");
}

TEST(Access, joins_a_view_with_a_datatype) {
    int const values[] = {1, 2, 3, 4};
    Datatype type, filetype;
    MPI_Type_vector(2, 1, 2, MPI_INT, type.receive());
    MPI_Type_create_resized(MPI_INT, 0, 12, filetype.receive());
    auto const view = make_view(4, MPI_INT, filetype.get());
    auto const access = make_access(*file_stream(*view, 1, 8), *memory_stream(values, 1, type.get()));
    std::vector<int> file(8, 0);
    place(*access, 0, access->size(), {std::as_writable_bytes(std::span{file}), 0});
    EXPECT_EQ(file, (std::vector<int>{0, 0, 0, 0, 1, 0, 0, 3}));
}

}  // namespace
}  // namespace muster
