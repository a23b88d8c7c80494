#include "access/datatype.hpp"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <climits>
#include <functional>
#include <string>
#include <vector>

#include "mpi/datatype.hpp"

namespace muster {
namespace {

std::string text(Datatype const& type) {
    auto const shape = flatten(type.get());
    return shape ? shape->text() : shape.status().text();
}

Datatype vector(int count, int length, int stride, MPI_Datatype of) {
    Datatype type;
    MPI_Type_vector(count, length, stride, of, type.receive());
    return type;
}

Datatype resized(MPI_Datatype of, MPI_Aint low, MPI_Aint extent) {
    Datatype type;
    MPI_Type_create_resized(of, low, extent, type.receive());
    return type;
}

Datatype contiguous(int count, MPI_Datatype of) {
    Datatype type;
    MPI_Type_contiguous(count, of, type.receive());
    return type;
}

Datatype hindexed(std::vector<int> const& lengths, std::vector<MPI_Aint> const& places, MPI_Datatype of) {
    Datatype type;
    MPI_Type_create_hindexed(static_cast<int>(lengths.size()), lengths.data(), places.data(), of, type.receive());
    return type;
}

struct Members {
    std::vector<int> lengths;
    std::vector<MPI_Aint> places;
    std::vector<MPI_Datatype> types;
};

Datatype structure(Members const& members) {
    Datatype type;
    MPI_Type_create_struct(static_cast<int>(members.lengths.size()), members.lengths.data(), members.places.data(),
                           members.types.data(), type.receive());
    return type;
}

Datatype subarray(std::array<std::vector<int>, 3> const& box, int order, MPI_Datatype of) {
    Datatype type;
    MPI_Type_create_subarray(static_cast<int>(box[0].size()), box[0].data(), box[1].data(), box[2].data(), order, of,
                             type.receive());
    return type;
}

struct Grid {
    std::vector<int> sizes, kinds, blocks, processes;
    int order{MPI_ORDER_C};
};

Datatype darray(Grid const& grid, int rank, MPI_Datatype of) {
    int processes = 1;
    for (auto const n : grid.processes) processes *= n;
    Datatype type;
    MPI_Type_create_darray(processes, rank, static_cast<int>(grid.sizes.size()), grid.sizes.data(), grid.kinds.data(),
                           grid.blocks.data(), grid.processes.data(), grid.order, of, type.receive());
    return type;
}

constexpr int automatic = MPI_DISTRIBUTE_DFLT_DARG;
constexpr int block = MPI_DISTRIBUTE_BLOCK;
constexpr int cyclic = MPI_DISTRIBUTE_CYCLIC;

TEST(Datatype, predefined_ones_are_their_bytes) {
    EXPECT_EQ(shape_of(MPI_BYTE)->text(), "1");
    EXPECT_EQ(shape_of(MPI_DOUBLE)->text(), "8");
    EXPECT_EQ(shape_of(MPI_LONG_DOUBLE)->text(), "16");
    EXPECT_EQ(shape_of(MPI_2INT)->text(), "8");
}

TEST(Datatype, pairs_have_holes_between_value_and_index_only) {
    EXPECT_EQ(shape_of(MPI_SHORT_INT)->text(), "pieces 2@0 4@4");
    EXPECT_EQ(shape_of(MPI_DOUBLE_INT)->text(), "12");
    EXPECT_EQ(shape_of(MPI_LONG_INT)->text(), "12");
    EXPECT_EQ(shape_of(MPI_FLOAT_INT)->text(), "8");
    EXPECT_EQ(shape_of(MPI_LONG_DOUBLE_INT)->text(), "20");
    EXPECT_EQ(extent_of(MPI_LONG_DOUBLE_INT), 32);
    EXPECT_EQ(text(contiguous(3, MPI_DOUBLE_INT)), "strip 3 x 12 by 16");
    EXPECT_EQ(text(contiguous(2, MPI_SHORT_INT)), "repeat 2 by 8 (pieces 2@0 4@4)");
}

TEST(Datatype, null_is_refused) { EXPECT_EQ(shape_of(MPI_DATATYPE_NULL).status().code(), Code::invalid_argument); }

// MPI may hand out copies of the parts, and give the handle of a freed copy to the next.
TEST(Datatype, parts_of_a_struct_are_not_taken_for_each_other) {
    constexpr int count = 20;
    std::vector<Datatype> parts;
    std::vector<int> const ones(count, 1);
    std::vector<MPI_Aint> places;
    std::vector<MPI_Datatype> types;
    std::vector<Extent> expected;
    for (int i = 0; i < count; ++i) {
        parts.push_back(resized(vector(2, 1, 2 + i, MPI_INT).get(), 0, 900));
        places.push_back(i * 1000);
        types.push_back(parts.back().get());
        expected.push_back({i * 1000, 4});
        expected.push_back({i * 1000 + (2 + i) * 4, 4});
    }
    Datatype type;
    MPI_Type_create_struct(count, ones.data(), places.data(), types.data(), type.receive());
    auto const shape = flatten(type.get());
    ASSERT_TRUE(shape.ok());
    std::vector<Extent> found;
    shape->for_each([&](Offset offset, Size length) { found.push_back({offset, length}); });
    EXPECT_EQ(found, expected);
}

TEST(Datatype, contiguous_is_one_piece) {
    EXPECT_EQ(text(contiguous(10, MPI_INT)), "40");
    EXPECT_EQ(text(contiguous(0, MPI_INT)), "nothing");
    EXPECT_EQ(text(contiguous(2, contiguous(10, MPI_INT).get())), "80");
}

TEST(Datatype, a_vector_is_a_strip) {
    EXPECT_EQ(text(vector(4, 2, 5, MPI_INT)), "strip 4 x 8 by 20");
    EXPECT_EQ(text(vector(4, 2, 2, MPI_INT)), "32");
    EXPECT_EQ(text(vector(4, 2, -5, MPI_INT)), "strip 4 x 8 by -20");
    Datatype bytes;
    MPI_Type_create_hvector(3, 2, 100, MPI_DOUBLE, bytes.receive());
    EXPECT_EQ(text(bytes), "strip 3 x 16 by 100");
}

TEST(Datatype, vectors_of_vectors_nest) {
    auto const inner = vector(3, 1, 2, MPI_INT);  // extent 20
    EXPECT_EQ(text(vector(2, 1, 10, inner.get())), "repeat 2 by 200 (strip 3 x 4 by 8)");
    EXPECT_EQ(text(contiguous(5, resized(inner.get(), 0, 24).get())), "strip 15 x 4 by 8");
}

TEST(Datatype, indexed_ones_are_pieces) {
    int const lengths[] = {1, 0, 3, 2};
    int const places[] = {10, 3, 0, 3};
    Datatype indexed, indexed_block, hindexed_block;
    MPI_Type_indexed(4, lengths, places, MPI_INT, indexed.receive());
    EXPECT_EQ(text(indexed), "pieces 4@40 20@0");
    EXPECT_EQ(text(hindexed({1, 2, 1}, {100, 7, 50}, MPI_INT)), "pieces 4@100 8@7 4@50");
    int const starts[] = {7, 0, 2};
    MPI_Type_create_indexed_block(3, 2, starts, MPI_SHORT, indexed_block.receive());
    EXPECT_EQ(text(indexed_block), "pieces 4@14 8@0");
    MPI_Aint const addresses[] = {70, 1, 20};
    MPI_Type_create_hindexed_block(3, 2, addresses, MPI_SHORT, hindexed_block.receive());
    EXPECT_EQ(text(hindexed_block), "pieces 4@70 4@1 4@20");
}

TEST(Datatype, indexed_blocks_of_holey_parts_are_chained) {
    auto const part = vector(2, 1, 2, MPI_INT);  // 4@0 4@8, extent 12
    EXPECT_EQ(text(hindexed({1, 2}, {100, 0}, part.get())),
              "chain (strip 2 x 4 by 8 at 100, repeat 2 by 12 (strip 2 x 4 by 8))");
}

TEST(Datatype, a_struct_puts_members_where_they_are) {
    auto const holey = vector(2, 1, 2, MPI_INT);
    EXPECT_EQ(text(structure({{1, 1, 1}, {0, 4, 16}, {MPI_INT, MPI_CHAR, MPI_DOUBLE}})), "pieces 5@0 8@16");
    EXPECT_EQ(text(structure({{2, 1, 1}, {0, 16, 100}, {MPI_INT, holey.get(), MPI_DOUBLE}})),
              "chain (8, strip 2 x 4 by 8 at 16, 8 at 100)");
    EXPECT_EQ(text(structure({})), "nothing");
}

TEST(Datatype, a_subarray_is_nested_and_never_expanded) {
    EXPECT_EQ(text(subarray({{{10, 20}, {3, 4}, {5, 6}}}, MPI_ORDER_C, MPI_INT)), "strip 3 x 16 by 80 at 424");
    EXPECT_EQ(text(subarray({{{10, 20}, {3, 4}, {5, 6}}}, MPI_ORDER_FORTRAN, MPI_INT)), "strip 4 x 12 by 40 at 260");
    EXPECT_EQ(text(subarray({{{10, 10, 10}, {2, 3, 4}, {1, 2, 3}}}, MPI_ORDER_C, MPI_BYTE)),
              "repeat 2 by 100 at 100 (strip 3 x 4 by 10 at 23)");
    EXPECT_EQ(text(subarray({{{10, 10, 10}, {2, 10, 10}, {1, 0, 0}}}, MPI_ORDER_C, MPI_BYTE)), "200 at 100");
}

TEST(Datatype, a_block_distribution_cuts_evenly) {
    Grid const grid{{10}, {block}, {automatic}, {4}};
    EXPECT_EQ(text(darray(grid, 0, MPI_BYTE)), "3");
    EXPECT_EQ(text(darray(grid, 3, MPI_BYTE)), "1 at 9");
    Grid const wide{{4}, {block}, {3}, {4}};
    EXPECT_EQ(text(darray(wide, 1, MPI_BYTE)), "1 at 3");
    EXPECT_EQ(text(darray(wide, 2, MPI_BYTE)), "nothing");
}

TEST(Datatype, a_cyclic_distribution_deals_blocks_in_turn) {
    Grid const grid{{11}, {cyclic}, {2}, {2}};
    EXPECT_EQ(text(darray(grid, 0, MPI_BYTE)), "strip 3 x 2 by 4");
    EXPECT_EQ(text(darray(grid, 1, MPI_BYTE)), "chain (strip 2 x 2 by 4 at 2, 1 at 10)");
    Grid const single{{7}, {cyclic}, {automatic}, {3}};
    EXPECT_EQ(text(darray(single, 0, MPI_INT)), "strip 3 x 4 by 12");
    EXPECT_EQ(text(darray(single, 2, MPI_INT)), "strip 2 x 4 by 12 at 8");
}

TEST(Datatype, a_distribution_has_an_order_and_undistributed_dimensions) {
    Grid grid{{4, 6}, {block, MPI_DISTRIBUTE_NONE}, {automatic, automatic}, {2, 1}};
    EXPECT_EQ(text(darray(grid, 1, MPI_BYTE)), "12 at 12");
    grid.order = MPI_ORDER_FORTRAN;
    EXPECT_EQ(text(darray(grid, 1, MPI_BYTE)), "strip 6 x 2 by 4 at 2");
    Grid const both{{4, 6}, {block, cyclic}, {automatic, 1}, {2, 3}};
    EXPECT_EQ(text(darray(both, 5, MPI_BYTE)), "strip 4 x 1 by 3 at 14");
}

TEST(Datatype, resized_and_dup_keep_the_bytes) {
    EXPECT_EQ(text(resized(MPI_INT, -8, 100)), "4");
    EXPECT_EQ(text(contiguous(2, resized(MPI_INT, -8, 100).get())), "strip 2 x 4 by 100");
    EXPECT_EQ(text(contiguous(3, resized(MPI_INT, 0, -4).get())), "strip 3 x 4 by -4");
    Datatype copy;
    MPI_Type_dup(vector(4, 2, 5, MPI_INT).get(), copy.receive());
    EXPECT_EQ(text(copy), "strip 4 x 8 by 20");
}

TEST(Datatype, fortran_types_of_a_precision_are_their_bytes_and_not_freed) {
    MPI_Datatype real = MPI_DATATYPE_NULL;
    MPI_Type_create_f90_real(12, MPI_UNDEFINED, &real);
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(shape_of(real)->text(), "8");
        EXPECT_EQ(text(vector(3, 1, 2, real)), "strip 3 x 8 by 16");
    }
}

TEST(Datatype, parts_without_bytes_do_no_harm) {
    auto const nothing = contiguous(0, MPI_INT);
    auto const wide_nothing = resized(nothing.get(), 0, 16);
    for (auto const* part : {&nothing, &wide_nothing}) {
        EXPECT_EQ(text(contiguous(3, part->get())), "nothing");
        EXPECT_EQ(text(vector(3, 2, 4, part->get())), "nothing");
        EXPECT_EQ(text(hindexed({1, 2}, {8, 100}, part->get())), "nothing");
        EXPECT_EQ(text(structure({{1, 1, 2}, {0, 8, 24}, {MPI_INT, part->get(), MPI_INT}})), "pieces 4@0 8@24");
        EXPECT_EQ(text(subarray({{{4, 4}, {2, 2}, {1, 1}}}, MPI_ORDER_C, part->get())), "nothing");
    }
}

TEST(Datatype, parts_survive_being_freed_by_their_maker) {
    Datatype outer;
    {
        auto const inner = vector(3, 1, 2, MPI_INT);
        outer = contiguous(2, inner.get());
    }
    for (int i = 0; i < 5; ++i) EXPECT_EQ(text(outer), "repeat 2 by 20 (strip 3 x 4 by 8)");
}

TEST(Datatype, a_vector_of_a_billion_is_one_small_node) {
    auto const row = vector(1000000000, 1, 4, MPI_DOUBLE);
    EXPECT_EQ(text(row), "strip 1000000000 x 8 by 32");
    EXPECT_EQ(flatten(row.get())->size(), Size{8000000000});
    auto const plane = contiguous(1000000, resized(row.get(), 0, MPI_Aint{40000000000}).get());
    EXPECT_EQ(text(plane), "repeat 1000000 by 40000000000 (strip 1000000000 x 8 by 32)");
}

TEST(Datatype, displacements_beyond_two_gigabytes_are_kept) {
    EXPECT_EQ(text(hindexed({1, 1}, {MPI_Aint{5} << 32, MPI_Aint{1} << 33}, MPI_DOUBLE)),
              "strip 2 x 8 by -12884901888 at 21474836480");
    int const places[] = {INT_MAX, 0};
    Datatype indexed;
    MPI_Type_create_indexed_block(2, 1, places, MPI_DOUBLE, indexed.receive());
    EXPECT_EQ(text(indexed), "strip 2 x 8 by -17179869176 at 17179869176");
}

#if MPI_VERSION >= 4
TEST(Datatype, constructors_with_large_counts_are_understood) {
    MPI_Count const many = MPI_Count{5} << 32;
    MPI_Count const lengths[] = {many, 1}, places[] = {many, 0}, bytes[] = {many * 8, 0};
    MPI_Datatype const types[] = {MPI_CHAR, MPI_INT};
    MPI_Count const sizes[] = {many, 4}, subsizes[] = {3, 2}, starts[] = {many - 3, 1};
    Datatype type;
    MPI_Type_contiguous_c(many, MPI_CHAR, type.receive());
    EXPECT_EQ(text(type), "21474836480");
    MPI_Type_vector_c(many, 1, 2, MPI_CHAR, type.receive());
    EXPECT_EQ(text(type), "strip 21474836480 x 1 by 2");
    MPI_Type_create_hvector_c(3, 2, many, MPI_CHAR, type.receive());
    EXPECT_EQ(text(type), "strip 3 x 2 by 21474836480");
    MPI_Type_indexed_c(2, lengths, places, MPI_CHAR, type.receive());
    EXPECT_EQ(text(type), "pieces 21474836480@21474836480 1@0");
    MPI_Type_create_hindexed_c(2, lengths, bytes, MPI_CHAR, type.receive());
    EXPECT_EQ(text(type), "pieces 21474836480@171798691840 1@0");
    MPI_Type_create_indexed_block_c(2, 3, places, MPI_CHAR, type.receive());
    EXPECT_EQ(text(type), "strip 2 x 3 by -21474836480 at 21474836480");
    MPI_Type_create_hindexed_block_c(2, 3, bytes, MPI_CHAR, type.receive());
    EXPECT_EQ(text(type), "strip 2 x 3 by -171798691840 at 171798691840");
    MPI_Type_create_struct_c(2, lengths, bytes, types, type.receive());
    EXPECT_EQ(text(type), "pieces 21474836480@171798691840 4@0");
    MPI_Type_create_subarray_c(2, sizes, subsizes, starts, MPI_ORDER_C, MPI_CHAR, type.receive());
    EXPECT_EQ(text(type), "strip 3 x 2 by 4 at 85899345909");
    MPI_Type_create_resized_c(MPI_INT, 0, many, type.receive());
    EXPECT_EQ(text(contiguous(2, type.get())), "strip 2 x 4 by 21474836480");
}

TEST(Datatype, distributed_arrays_with_large_counts_are_understood) {
    MPI_Count const sizes[] = {4, 6};
    int const kinds[] = {block, cyclic}, blocks[] = {automatic, 1}, processes[] = {2, 3};
    Datatype type;
    MPI_Type_create_darray_c(6, 5, 2, sizes, kinds, blocks, processes, MPI_ORDER_C, MPI_BYTE, type.receive());
    EXPECT_EQ(text(type), "strip 4 x 1 by 3 at 14");
}
#endif

double seconds_of(std::function<void()> const& work) {
    auto const start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

TEST(Datatype, a_million_blocks_are_quick) {
    std::size_t const count = 1000000;
    std::vector<int> lengths(count, 1);
    std::vector<MPI_Aint> places(count);
    for (std::size_t i = 0; i < count; ++i) places[i] = static_cast<MPI_Aint>(i * 24 + i % 7);
    auto const type = hindexed(lengths, places, MPI_DOUBLE);
    Shape shape;
    auto const seconds = seconds_of([&] { shape = *flatten(type.get()); });
    RecordProperty("milliseconds", std::to_string(seconds * 1e3));
    EXPECT_EQ(shape.piece_count(), Size{1000000});
    EXPECT_EQ(shape.size(), Size{8000000});
    EXPECT_LT(seconds, 1.0);
}

TEST(Datatype, a_struct_of_a_million_members_is_quick) {
    std::size_t const count = 1000000;
    Members members{std::vector<int>(count, 2), std::vector<MPI_Aint>(count), std::vector<MPI_Datatype>(count)};
    for (std::size_t i = 0; i < count; ++i) {
        members.places[i] = static_cast<MPI_Aint>(i * 40 + i % 7);
        members.types[i] = i % 2 == 0 ? MPI_INT : MPI_DOUBLE;
    }
    auto const type = structure(members);
    Shape shape;
    auto const seconds = seconds_of([&] { shape = *flatten(type.get()); });
    RecordProperty("milliseconds", std::to_string(seconds * 1e3));
    EXPECT_EQ(shape.size(), Size{12000000});
    EXPECT_LT(seconds, 2.0);
}

TEST(Datatype, a_shape_is_kept_with_its_type) {
    std::size_t const count = 300000;
    std::vector<int> lengths(count, 1);
    std::vector<MPI_Aint> places(count);
    for (std::size_t i = 0; i < count; ++i) places[i] = static_cast<MPI_Aint>(i * 24 + i % 7);
    auto const type = hindexed(lengths, places, MPI_DOUBLE);
    auto const first = *shape_of(type.get());
    auto const again = seconds_of([&] {
        for (int i = 0; i < 1000; ++i) EXPECT_EQ(shape_of(type.get())->size(), first.size());
    });
    EXPECT_LT(again, 0.5);  // 1000 times anew would take seconds
}

TEST(Datatype, a_kept_shape_goes_with_its_type) {
    for (int i = 1; i < 100; ++i) {  // handles are used again by MPI
        auto const type = vector(i, 1, 2, MPI_INT);
        EXPECT_EQ(shape_of(type.get())->size(), 4 * i);
        Datatype copy;
        MPI_Type_dup(type.get(), copy.receive());
        EXPECT_EQ(shape_of(copy.get())->size(), 4 * i);
    }
}

TEST(Datatype, a_type_left_to_mpi_finalize_does_no_harm) {
    MPI_Datatype left = MPI_DATATYPE_NULL;
    MPI_Type_vector(3, 1, 2, MPI_INT, &left);
    MPI_Type_commit(&left);
    EXPECT_EQ(shape_of(left)->size(), 12);  // and is never freed
}

}  // namespace
}  // namespace muster
