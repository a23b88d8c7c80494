#include "hdf5/selection.hpp"

#include <gtest/gtest.h>

#include <random>

#include "hdf5/handle.hpp"

namespace muster::hdf5 {

namespace {

using Numbers = std::vector<hsize_t>;

Handle space_of(Numbers const& extent) {
    return {H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr), H5Sclose};
}

// What HDF5 itself says: it visits the selected elements of a buffer in its own order.
std::vector<Offset> visited_by_hdf5(hid_t space) {
    auto const elements = static_cast<std::size_t>(H5Sget_simple_extent_npoints(space));
    std::vector<int> buffer(elements);
    for (std::size_t i = 0; i < elements; ++i) buffer[i] = static_cast<int>(i);
    std::vector<Offset> visited;
    auto const note = [](void* element, hid_t, unsigned, hsize_t const*, void* list) -> herr_t {
        static_cast<std::vector<Offset>*>(list)->push_back(*static_cast<int*>(element));
        return 0;
    };
    H5Diterate(buffer.data(), H5T_NATIVE_INT, space, note, &visited);
    return visited;
}

std::vector<Offset> elements_of(Shape const& shape, Size element) {
    std::vector<Offset> elements;
    shape.for_each([&](Offset offset, Size length) {
        for (Size i = 0; i < length; i += element) elements.push_back((offset + i) / element);
    });
    return elements;
}

void expect_same(hid_t space) {
    auto const shape = shape_of_selection(space, 4);
    ASSERT_TRUE(shape.ok()) << shape.status().text();
    EXPECT_EQ(elements_of(*shape, 4), visited_by_hdf5(space));
}

TEST(Selection, everything_is_one_block) {
    auto const space = space_of({3, 5});
    EXPECT_EQ(shape_of_selection(space, 8)->text(), Shape::block(0, 120).text());
    EXPECT_EQ(list_bytes(space), 0);
}

TEST(Selection, none_is_empty) {
    auto const space = space_of({3, 5});
    H5Sselect_none(space);
    EXPECT_TRUE(shape_of_selection(space, 8)->empty());
}

TEST(Selection, a_scalar_is_one_element) {
    Handle const space{H5Screate(H5S_SCALAR), H5Sclose};
    EXPECT_EQ(shape_of_selection(space, 8)->size(), 8);
    Handle const null{H5Screate(H5S_NULL), H5Sclose};
    EXPECT_EQ(shape_of_selection(null, 8)->size(), 0);
}

TEST(Selection, a_regular_hyperslab_of_any_size_takes_no_list) {
    auto const space = space_of({1000000, 1000000});
    Numbers const start{1, 2}, stride{10, 20}, count{90000, 40000}, block{2, 3};
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), stride.data(), count.data(), block.data());
    auto const shape = shape_of_selection(space, 8);
    ASSERT_TRUE(shape.ok());
    EXPECT_EQ(shape->size(), Size{8} * 90000 * 40000 * 6);
    EXPECT_LT(shape->text().size(), 200U);
    EXPECT_EQ(list_bytes(space), 0);
}

TEST(Selection, points_keep_their_order) {
    auto const space = space_of({4, 4});
    Numbers const points{3, 3, 0, 1, 0, 0, 2, 2};
    H5Sselect_elements(space, H5S_SELECT_SET, 4, points.data());
    EXPECT_EQ(elements_of(*shape_of_selection(space, 4), 4), (std::vector<Offset>{15, 1, 0, 10}));
    EXPECT_GT(list_bytes(space), 0);
    expect_same(space);
}

TEST(Selection, is_moved_by_an_offset) {
    auto const space = space_of({6, 6});
    Numbers const start{0, 1}, count{2, 2}, stride{2, 2};
    std::vector<hssize_t> const offset{1, 2};
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), stride.data(), count.data(), nullptr);
    H5Soffset_simple(space, offset.data());
    EXPECT_EQ(elements_of(*shape_of_selection(space, 4), 4), (std::vector<Offset>{9, 11, 21, 23}));
    expect_same(space);
}

// A union of some boxes and lattices, now and then without others, now and then moved.
void select_at_random(std::mt19937& random, hid_t space, Numbers const& extent) {
    auto const steps = 1 + random() % 5;
    for (unsigned i = 0; i < steps; ++i) {
        Numbers start, stride, count, block;
        for (auto const size : extent) {
            block.push_back(1 + random() % 2);
            stride.push_back(block.back() + random() % 3);
            start.push_back(random() % size);
            auto const room = size - start.back();
            if (room < block.back()) block.back() = 1;
            count.push_back(1 + random() % (1 + (room - block.back()) / stride.back()));
        }
        constexpr H5S_seloper_t operations[] = {H5S_SELECT_OR, H5S_SELECT_OR, H5S_SELECT_XOR, H5S_SELECT_NOTB};
        auto const operation = i == 0 ? H5S_SELECT_SET : operations[random() % 4];
        H5Sselect_hyperslab(space, operation, start.data(), stride.data(), count.data(), block.data());
    }
}

TEST(Selection, unions_of_any_kind_are_taken_as_hdf5_takes_them) {
    std::mt19937 random{3};
    int compared = 0;
    for (int i = 0; i < 2000; ++i) {
        Numbers extent(1 + random() % 4);
        for (auto& size : extent) size = 1 + random() % 8;
        auto const space = space_of(extent);
        select_at_random(random, space, extent);
        if (shape_of_selection(space, 4).status().code() == Code::unsupported) continue;
        expect_same(space);
        ASSERT_FALSE(testing::Test::HasFailure()) << i;
        ++compared;
    }
    EXPECT_GT(compared, 1900);  // HDF5 1.10 loses count in some
}

TEST(Selection, the_same_dataspace_has_one_shape) {
    auto const space = space_of({4, 4});
    Selections selections;
    auto const first = selections.shape(space, 4);
    auto const again = selections.shape(space, 4);
    auto const wider = selections.shape(space, 8);
    EXPECT_EQ(*first, *again);
    EXPECT_EQ(wider->size(), 2 * first->size());
}

}  // namespace

}  // namespace muster::hdf5
