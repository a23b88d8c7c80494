#include "datatypes.hpp"

#include <gtest/gtest.h>

#include "access/datatype.hpp"
#include "core/shape_testing.hpp"
#include "workloads/registry.hpp"

namespace muster::bench {
namespace {

std::vector<Extent> pieces_of(Shape const& shape) { return testing::joined_pieces_of(shape); }

std::vector<Extent> pieces_of(Datatype const& type) {
    auto const shape = flatten(type.get());
    EXPECT_TRUE(shape.ok());
    return shape.ok() ? pieces_of(*shape) : std::vector<Extent>{};
}

void expect_same_bytes(Shape const& shape) {
    EXPECT_EQ(pieces_of(structured_type(shape)), pieces_of(shape)) << shape.text();
    EXPECT_EQ(pieces_of(flat_type(shape)), pieces_of(shape)) << shape.text();
}

TEST(Datatypes, of_every_kind_of_shape_have_its_bytes) {
    auto const strip = Shape::strip({16, 8}, 3, 24);
    auto const pieces = Shape::pieces({{3, 2}, {10, 1}, {40, 7}});
    expect_same_bytes(Shape::block(100, 5));
    expect_same_bytes(strip);
    expect_same_bytes(pieces.shifted(9));
    expect_same_bytes(Shape::repeat(pieces, 4, 100));
    expect_same_bytes(
        Shape::chain({strip, pieces.shifted(200), Shape::repeat(strip, 2, 1000).shifted(300)}).shifted(7));
}

TEST(Datatypes, of_workloads_have_their_bytes) {
    int rank = 0;
    int size = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    auto const expect = [&](std::string const& name, std::vector<OptionPair> const& options) {
        auto const workload = make_workload(name, size, options);
        ASSERT_TRUE(workload.ok());
        expect_same_bytes(workload->file_of(rank).shape);
    };
    expect("e3sm-f", {{"ne", "2"}, {"levels", "3"}, {"d2", "3"}, {"d3", "2"}});
    expect("s3d", {{"grid", "12"}});
    expect("flash", {{"blocks", "2"}, {"variables", "3"}});
}

TEST(Datatypes, follow_each_other_by_the_extent_given) {
    auto const type = with_extent(flat_type(Shape::block(2, 3)), 50);
    EXPECT_EQ(extent_of(type.get()), 50);
    EXPECT_EQ(size_of(type.get()), 3);
}

}  // namespace
}  // namespace muster::bench
