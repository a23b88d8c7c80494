// Lists of blocks, and the tools that read what comes of them.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <random>

#include "hdf5/testing.hpp"

namespace muster::hdf5::test {

namespace {

using testing::HasSubstr;

// Blocks of one dataset and their elements.
struct List {
    Numbers start;
    Numbers size;
    std::vector<double> values;

    std::size_t count(std::size_t dimensions) const { return start.size() / dimensions; }
};

muster_h5_blocks blocks_of(hid_t dataset, hid_t type, List& list, void* buffer) {
    Handle const space{H5Dget_space(dataset), H5Sclose};
    auto const dimensions = static_cast<std::size_t>(H5Sget_simple_extent_ndims(space));
    return {dataset, type, list.count(dimensions), list.start.data(), list.size.data(), buffer};
}

TEST(BlockLists, the_papers_figure_lies_in_the_file_as_drawn) {
    // Two ranks; the first has a block of 2 x 2 and one of 1 x 2, the second what is left.
    SharedPath const path;
    auto const file = create_file(path.get());
    auto const dataset = create_dataset(file, "v", H5T_NATIVE_DOUBLE, {2, 4});
    List mine;
    if (rank() == 0) mine = {{0, 0, 0, 2}, {2, 2, 1, 2}, {0, 1, 2, 3, 4, 5}};
    if (is_last()) {
        mine.start.insert(mine.start.end(), {1, 2});
        mine.size.insert(mine.size.end(), {1, 2});
        mine.values.insert(mine.values.end(), {6, 7});
    }
    auto const blocks = blocks_of(dataset, H5T_NATIVE_DOUBLE, mine, mine.values.data());
    EXPECT_EQ(muster_h5d_write_blocks(1, &blocks, collective()), 0) << muster_last_message();
    barrier(world());
    EXPECT_EQ(contents<double>(dataset, H5T_NATIVE_DOUBLE), (std::vector<double>{0, 1, 4, 5, 2, 3, 6, 7}));
}

// Cubes of a grid, dealt to the ranks at random; the last row of them is cut off at the edge.
List deal_cubes(unsigned seed, Numbers const& extent, hsize_t side) {
    std::mt19937 random{seed};
    std::vector<Numbers> corners;
    for (hsize_t z = 0; z < extent[0]; z += side) {
        for (hsize_t y = 0; y < extent[1]; y += side) {
            for (hsize_t x = 0; x < extent[2]; x += side) corners.push_back({z, y, x});
        }
    }
    std::shuffle(corners.begin(), corners.end(), random);
    List mine;
    for (std::size_t i = static_cast<std::size_t>(rank()); i < corners.size(); i += static_cast<std::size_t>(ranks())) {
        hsize_t elements = 1;
        for (std::size_t d = 0; d < 3; ++d) {
            mine.start.push_back(corners[i][d]);
            mine.size.push_back(std::min(side, extent[d] - corners[i][d]));
            elements *= mine.size.back();
        }
        for (hsize_t k = 0; k < elements; ++k) mine.values.push_back(static_cast<double>(i * 10000 + k));
    }
    return mine;
}

// The same by HDF5, block by block.
void write_by_hdf5(hid_t dataset, List& list) {
    auto* values = list.values.data();
    for (std::size_t i = 0; i < list.count(3); ++i) {
        Handle const space{H5Dget_space(dataset), H5Sclose};
        H5Sselect_hyperslab(space, H5S_SELECT_SET, &list.start[i * 3], nullptr, &list.size[i * 3], nullptr);
        auto const elements = static_cast<hsize_t>(H5Sget_select_npoints(space));
        auto const memory = simple_space({elements});
        H5Dwrite(dataset, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, values);
        values += elements;
    }
}

struct Written {
    hid_t type;
    Handle layout;
    char const* report;
};

void expect_cubes(Written const& written) {
    SharedPath const path;
    auto const file = create_file(path.get());
    Numbers const extent{9, 12, 10};
    std::vector<Handle> datasets;
    std::vector<List> lists;
    std::vector<muster_h5_blocks> blocks;
    for (unsigned i = 0; i < 3; ++i) {
        datasets.push_back(create_dataset(file, "v" + std::to_string(i), written.type, extent, written.layout));
        lists.push_back(deal_cubes(i, extent, 4));
    }
    for (std::size_t i = 0; i < 3; ++i) {
        blocks.push_back(blocks_of(datasets[i], H5T_NATIVE_DOUBLE, lists[i], lists[i].values.data()));
    }
    EXPECT_EQ(muster_h5d_write_blocks(3, blocks.data(), collective()), 0) << muster_last_message();
    EXPECT_THAT(report_of(file), HasSubstr(written.report));
    auto const reference = create_dataset(file, "reference", H5T_NATIVE_DOUBLE, extent);
    write_by_hdf5(reference, lists[1]);
    barrier(world());
    EXPECT_EQ(contents<double>(datasets[1], H5T_NATIVE_DOUBLE), contents<double>(reference, H5T_NATIVE_DOUBLE));
    for (std::size_t i = 0; i < 3; ++i) {
        auto const values = lists[i].values;
        std::fill(lists[i].values.begin(), lists[i].values.end(), -1);
        EXPECT_EQ(muster_h5d_read_blocks(1, &blocks[i], collective()), 0) << muster_last_message();
        EXPECT_EQ(lists[i].values, values);
    }
}

TEST(BlockLists, cubes_dealt_at_random_are_written_and_read) {
    expect_cubes({H5T_NATIVE_DOUBLE, contiguous_layout(), R"("collective_calls":1)"});
}

TEST(BlockLists, chunked_datasets_take_blocks) {
    expect_cubes({H5T_NATIVE_DOUBLE, chunked_layout({5, 3, 7}), R"("datasets":3,"one_by_one":0)"});
}

TEST(BlockLists, datasets_that_hdf5_has_to_do_take_blocks) {
    expect_cubes({H5T_NATIVE_FLOAT, contiguous_layout(), R"("datasets":3,"one_by_one":3)"});
}

TEST(BlockLists, independent_calls_take_blocks) {
    SharedPath const path;
    auto const file = create_file(path.get());
    auto const dataset = create_dataset(file, "v", H5T_NATIVE_DOUBLE, {4});
    List mine{{2, 0}, {2, 1}, {1, 2, 3}};
    auto const blocks = blocks_of(dataset, H5T_NATIVE_DOUBLE, mine, mine.values.data());
    if (is_last()) {
        EXPECT_EQ(muster_h5d_write_blocks(1, &blocks, H5P_DEFAULT), 0) << muster_last_message();
    }
    barrier(world());
    EXPECT_EQ(contents<double>(dataset, H5T_NATIVE_DOUBLE), (std::vector<double>{3, 0, 1, 2}));
}

TEST(BlockLists, of_overlapping_blocks_the_last_is_kept) {
    SharedPath const path;
    auto const file = create_file(path.get());
    auto const dataset = create_dataset(file, "v", H5T_NATIVE_DOUBLE, {4});
    List mine;
    if (is_last()) mine = {{1, 0}, {3, 3}, {1, 2, 3, 4, 5, 6}};
    auto const blocks = blocks_of(dataset, H5T_NATIVE_DOUBLE, mine, mine.values.data());
    EXPECT_EQ(muster_h5d_write_blocks(1, &blocks, collective()), 0) << muster_last_message();
    barrier(world());
    EXPECT_EQ(contents<double>(dataset, H5T_NATIVE_DOUBLE), (std::vector<double>{4, 5, 6, 3}));
}

TEST(BlockLists, a_block_outside_is_refused_on_all_ranks) {
    SharedPath const path;
    auto const file = create_file(path.get());
    auto const dataset = create_dataset(file, "v", H5T_NATIVE_DOUBLE, {4});
    List mine{{0}, {1}, {1}};
    if (is_last()) mine.start = {4};
    auto const blocks = blocks_of(dataset, H5T_NATIVE_DOUBLE, mine, mine.values.data());
    expect_refused(muster_h5d_write_blocks(1, &blocks, collective()),
                   "block 0 reaches out of the dataset in dimension 0");
}

// --- the file for others ---

bool there_is(char const* program) {
    return std::system((std::string{"command -v "} + program + " > /dev/null 2>&1").c_str()) == 0;
}

// Collective. Runs on rank 0 while the others wait.
int run(std::string const& command) {
    barrier(world());
    auto outcome = Size{rank() == 0 ? std::system(command.c_str()) : 0};
    reduce_all(world(), {&outcome, 1}, MPI_MAX);
    return static_cast<int>(outcome);
}

void write_file(std::string const& path, bool by_muster) {
    auto const file = create_file(path);
    for (unsigned i = 0; i < 5; ++i) {
        auto const layout = i % 2 == 0 ? contiguous_layout() : chunked_layout({4, 4, 4});
        auto const dataset = create_dataset(file, "v" + std::to_string(i), H5T_NATIVE_DOUBLE, {9, 12, 10}, layout);
        auto list = deal_cubes(i, {9, 12, 10}, 4);
        auto const blocks = blocks_of(dataset, H5T_NATIVE_DOUBLE, list, list.values.data());
        if (by_muster)
            EXPECT_EQ(muster_h5d_write_blocks(1, &blocks, collective()), 0) << muster_last_message();
        else
            write_by_hdf5(dataset, list);
    }
}

TEST(OrdinaryFile, is_read_by_the_tools_of_hdf5) {
    if (!there_is("h5diff") || !there_is("h5dump")) GTEST_SKIP() << "no tools of HDF5 here";
    SharedPath const path;
    SharedPath const other;
    write_file(path.get(), true);
    write_file(other.get(), false);
    EXPECT_EQ(run("h5diff " + path.get() + " " + other.get()), 0);
    EXPECT_EQ(run("h5dump -d /v1 -s 8,11,9 -c 1,1,1 " + path.get() + " | grep -q '(8,11,9): [0-9]'"), 0);
    {
        auto const file = open_file(path.get());
        Handle const dataset{H5Dopen2(file, "v3", H5P_DEFAULT), H5Dclose};
        auto list = deal_cubes(77, {9, 12, 10}, 4);
        auto const blocks = blocks_of(dataset, H5T_NATIVE_DOUBLE, list, list.values.data());
        EXPECT_EQ(muster_h5d_write_blocks(1, &blocks, collective()), 0) << muster_last_message();
    }
    EXPECT_NE(run("h5diff -q " + path.get() + " " + other.get()), 0);  // it can tell a difference
}

// A serial one: its variables are not those of this MPI's ranks.
std::string python(std::string const& program) {
    return "env -i PATH=/usr/bin:/bin python3 -c \"" + program + "\" 2> /dev/null";
}

TEST(OrdinaryFile, is_read_by_h5py) {
    if (run(python("import h5py")) != 0) GTEST_SKIP() << "no h5py here";
    SharedPath const path;
    SharedPath const other;
    write_file(path.get(), true);
    write_file(other.get(), false);
    auto const compare = "import h5py; a, b = (h5py.File(p, 'r') for p in ('" + path.get() + "', '" + other.get() +
                         "')); assert len(a) == 5 and all((a[k][:] == b[k][:]).all() for k in b)";
    EXPECT_EQ(run(python(compare)), 0);
    EXPECT_NE(run(python(compare + " and a['v1'][8, 11, 9] == -1")), 0);  // it looks at the values
}

}  // namespace

}  // namespace muster::hdf5::test
