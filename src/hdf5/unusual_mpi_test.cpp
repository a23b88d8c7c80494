// Dataspaces, layouts and files that are allowed and seldom met, against HDF5 itself.
#include <gmock/gmock.h>
#include <unistd.h>

#include <algorithm>
#include <numeric>

#include "hdf5/testing.hpp"

namespace muster::hdf5::test {

namespace {

using testing::HasSubstr;

hsize_t me() { return static_cast<hsize_t>(rank()); }
hsize_t everybody() { return static_cast<hsize_t>(ranks()); }

std::vector<int> numbers(hsize_t count, int from) {
    std::vector<int> values(count);
    std::iota(values.begin(), values.end(), from);
    return values;
}

Handle nothing_in_memory() { return nothing_of({1}); }

TEST(Unusual, datasets_of_two_files_in_one_call) {
    SharedPath const path, other;
    auto const file = create_file(path.get());
    auto const second = create_file(other.get());
    auto const here = create_dataset(file, "v", H5T_NATIVE_INT, {3 * everybody()});
    auto const there = create_dataset(second, "w", H5T_NATIVE_INT, {3 * everybody()});
    auto const place = box({3 * everybody()}, {3 * me()}, {3});
    auto const memory = simple_space({3});
    auto values = numbers(3, 3 * rank()), more = numbers(3, 100 + 3 * rank());
    Call call;
    call.add(here, H5T_NATIVE_INT, memory, place, values.data());
    call.add(there, H5T_NATIVE_INT, memory, place, more.data());
    EXPECT_EQ(call.write(collective()), 0) << muster_last_message();
    barrier(world());
    EXPECT_EQ(contents<int>(here, H5T_NATIVE_INT), numbers(3 * everybody(), 0));
    EXPECT_EQ(contents<int>(there, H5T_NATIVE_INT), numbers(3 * everybody(), 100));
    EXPECT_THAT(report_of(file), HasSubstr(R"({"dataset":"/w","reason":"in another file than the first dataset"})"));
    std::fill(more.begin(), more.end(), -1);
    EXPECT_EQ(call.read(collective()), 0) << muster_last_message();
    EXPECT_EQ(more, numbers(3, 100 + 3 * rank()));
}

TEST(Unusual, scalar_null_and_empty_dataspaces) {
    SharedPath const path;
    auto const file = create_file(path.get());
    Handle const scalar{H5Screate(H5S_SCALAR), H5Sclose};
    Handle const null{H5Screate(H5S_NULL), H5Sclose};
    hsize_t const none = 0, unlimited = H5S_UNLIMITED;
    Handle const empty{H5Screate_simple(1, &none, &unlimited), H5Sclose};
    auto const layout = chunked_layout({4});
    auto const make = [&](char const* name, hid_t space, hid_t plist) {
        return Handle{H5Dcreate2(file, name, H5T_NATIVE_INT, space, H5P_DEFAULT, plist, H5P_DEFAULT), H5Dclose};
    };
    auto const one = make("scalar", scalar, H5P_DEFAULT);
    auto const nothing = make("null", null, H5P_DEFAULT);
    auto const nobody = make("empty", empty, layout);
    auto const plain = create_dataset(file, "plain", H5T_NATIVE_INT, {2});
    int value = 42;
    std::vector<int> two{7, 8};
    auto const no_elements = nothing_in_memory();
    Handle const none_of_scalar{H5Screate(H5S_SCALAR), H5Sclose};
    H5Sselect_none(none_of_scalar);
    auto const none_of_two = nothing_of({2});
    Call call;
    call.add(one, H5T_NATIVE_INT, is_last() ? H5S_ALL : static_cast<hid_t>(no_elements),
             is_last() ? H5S_ALL : static_cast<hid_t>(none_of_scalar), &value);
    call.add(nothing, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, nullptr);
    call.add(nobody, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, nullptr);
    call.add(plain, H5T_NATIVE_INT, is_last() ? H5S_ALL : static_cast<hid_t>(no_elements),
             is_last() ? H5S_ALL : static_cast<hid_t>(none_of_two), two.data());
    EXPECT_EQ(call.write(collective()), 0) << muster_last_message();
    barrier(world());
    EXPECT_EQ(contents<int>(one, H5T_NATIVE_INT), (std::vector<int>{42}));
    EXPECT_EQ(contents<int>(plain, H5T_NATIVE_INT), two);
    value = -1;
    EXPECT_EQ(call.read(collective()), 0) << muster_last_message();
    EXPECT_EQ(value, is_last() ? 42 : -1);
}

TEST(Unusual, a_scalar_in_memory_pairs_with_an_element_of_the_file) {
    SharedPath const path;
    auto const file = create_file(path.get());
    auto const dataset = create_dataset(file, "v", H5T_NATIVE_INT, {everybody(), 2});
    auto const other = create_dataset(file, "w", H5T_NATIVE_INT, {everybody(), 2}, chunked_layout({1, 2}));
    Handle const scalar{H5Screate(H5S_SCALAR), H5Sclose};
    auto const place = box({everybody(), 2}, {me(), 1}, {1, 1});
    int value = rank() + 1, second = rank() + 100;
    Call call;
    call.add(dataset, H5T_NATIVE_INT, scalar, place, &value);
    call.add(other, H5T_NATIVE_INT, scalar, place, &second);
    EXPECT_EQ(call.write(collective()), 0) << muster_last_message();
    barrier(world());
    for (int i = 0; i < ranks(); ++i) {
        auto const at = static_cast<std::size_t>(2 * i + 1);
        EXPECT_EQ(contents<int>(dataset, H5T_NATIVE_INT)[at], i + 1);
        EXPECT_EQ(contents<int>(other, H5T_NATIVE_INT)[at], i + 100);
    }
}

// A table that grows by a row of each rank in every step, with a value where nobody writes.
void grow(bool latest) {
    SharedPath const path;
    Handle const access = parallel_access({});
    if (latest) H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
    Handle const file{H5Fcreate(path.get().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose};
    Numbers extent{everybody(), 5};
    Numbers const most{H5S_UNLIMITED, latest ? 5 : H5S_UNLIMITED};
    Handle const start{H5Screate_simple(2, extent.data(), most.data()), H5Sclose};
    auto layout = chunked_layout({3, 2});
    int const fill = -7;
    H5Pset_fill_value(layout, H5T_NATIVE_INT, &fill);
    Handle const table{H5Dcreate2(file, "t", H5T_NATIVE_INT, start, H5P_DEFAULT, layout, H5P_DEFAULT), H5Dclose};
    auto const plain = create_dataset(file, "plain", H5T_NATIVE_INT, {everybody()});
    auto const memory = simple_space({3}), one = simple_space({1});
    auto const mine = box({everybody()}, {me()}, {1});
    std::vector<int> expected;
    for (int step = 0; step < 4; ++step) {
        auto const row = static_cast<hsize_t>(step) * everybody() + me();
        extent[0] = static_cast<hsize_t>(step + 1) * everybody();
        EXPECT_GE(H5Dset_extent(table, extent.data()), 0);
        auto const place = box(extent, {row, 1}, {1, 3});
        auto values = numbers(3, static_cast<int>(10 * row));
        int number = step * 1000 + rank();
        Call call;
        call.add(table, H5T_NATIVE_INT, memory, place, values.data());
        call.add(plain, H5T_NATIVE_INT, one, mine, &number);
        EXPECT_EQ(call.write(collective()), 0) << muster_last_message();
        EXPECT_THAT(report_of(file), HasSubstr(R"("datasets":2,"one_by_one":0)"));
        barrier(world());
        for (auto i = expected.size() / 5; i < extent[0]; ++i) {
            auto const first = static_cast<int>(10 * i);
            expected.insert(expected.end(), {fill, first, first + 1, first + 2, fill});
        }
        EXPECT_EQ(contents<int>(table, H5T_NATIVE_INT), expected);
        std::vector<int> all(expected.size());
        Call read;
        read.add(table, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, all.data());
        EXPECT_EQ(read.read(collective()), 0) << muster_last_message();
        EXPECT_EQ(all, expected);
        barrier(world());
    }
}

TEST(Unusual, a_table_grows_and_keeps_its_fill_value) { grow(false); }
TEST(Unusual, a_table_grows_in_the_latest_format) { grow(true); }

// HDF5's latest format finds chunks in five ways.
struct Index {
    Numbers extent;
    Numbers most;
    Numbers chunk;
};

TEST(Unusual, all_indices_of_chunks_are_understood) {
    constexpr hsize_t any = H5S_UNLIMITED;
    hsize_t const rows = 4 * everybody();
    std::vector<Index> const indices{
        {{rows, 6}, {rows, 6}, {rows, 6}},  // a single chunk
        {{rows, 6}, {rows, 6}, {3, 4}},     // implicit, or a fixed array
        {{rows, 6}, {any, 6}, {3, 4}},      // an extensible array
        {{rows, 6}, {any, any}, {3, 4}},    // a tree
    };
    SharedPath const path;
    Handle const access = parallel_access({});
    H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
    H5Pset_all_coll_metadata_ops(access, true);
    H5Pset_coll_metadata_write(access, true);
    auto const place = box({rows, 6}, {4 * me(), 1}, {4, 3});
    auto const none = nothing_of({rows, 6}), empty = nothing_in_memory();
    auto const memory = simple_space({12});
    std::vector<std::vector<int>> values(indices.size());
    {
        Handle const file{H5Fcreate(path.get().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose};
        std::vector<Handle> datasets;
        Call call;
        for (std::size_t i = 0; i < indices.size(); ++i) {
            Handle const space{H5Screate_simple(2, indices[i].extent.data(), indices[i].most.data()), H5Sclose};
            auto const name = "v" + std::to_string(i);
            auto const layout = chunked_layout(indices[i].chunk);
            datasets.emplace_back(
                H5Dcreate2(file, name.c_str(), H5T_NATIVE_INT, space, H5P_DEFAULT, layout, H5P_DEFAULT), H5Dclose);
            values[i] = numbers(12, static_cast<int>(1000 * i) + 12 * rank());
            call.add(datasets.back(), H5T_NATIVE_INT, memory, place, values[i].data());
        }
        EXPECT_EQ(call.write(collective()), 0) << muster_last_message();
        EXPECT_THAT(report_of(file), HasSubstr(R"("datasets":4,"one_by_one":0)"));
    }
    Handle const file{H5Fopen(path.get().c_str(), H5F_ACC_RDONLY, access), H5Fclose};
    for (std::size_t i = 0; i < indices.size(); ++i) {  // only the last rank looks up chunks
        Handle const dataset{H5Dopen2(file, ("v" + std::to_string(i)).c_str(), H5P_DEFAULT), H5Dclose};
        std::vector<int> ours(12, -1), theirs(12, -1);
        Call call;
        call.add(dataset, H5T_NATIVE_INT, is_last() ? memory : empty, is_last() ? place : none, ours.data());
        EXPECT_EQ(call.read(collective()), 0) << muster_last_message();
        call.buffers[0] = theirs.data();
        EXPECT_EQ(call.read_by_hdf5(collective()), 0);
        EXPECT_EQ(ours, theirs) << i;
        EXPECT_EQ(ours, is_last() ? values[i] : std::vector<int>(12, -1)) << i;
    }
}

TEST(Unusual, alignment_and_pages_move_datasets) {
    for (bool const pages : {false, true}) {
        SharedPath const path;
        Handle const access = parallel_access({});
        H5Pset_alignment(access, 1, 4096);
        Handle const creation{H5Pcreate(H5P_FILE_CREATE), H5Pclose};
        if (pages) H5Pset_file_space_strategy(creation, H5F_FSPACE_STRATEGY_PAGE, false, 1);
        Handle const file{H5Fcreate(path.get().c_str(), H5F_ACC_TRUNC, creation, access), H5Fclose};
        auto const place = box({5 * everybody()}, {5 * me()}, {5});
        auto const memory = simple_space({5});
        std::vector<Handle> datasets;
        std::vector<std::vector<int>> values;
        Call call;
        for (int i = 0; i < 6; ++i) {
            auto const layout = i % 2 == 0 ? contiguous_layout() : chunked_layout({3});
            datasets.push_back(
                create_dataset(file, "v" + std::to_string(i), H5T_NATIVE_INT, {5 * everybody()}, layout));
            values.push_back(numbers(5, 1000 * i + 5 * rank()));
        }
        for (std::size_t i = 0; i < 6; ++i) call.add(datasets[i], H5T_NATIVE_INT, memory, place, values[i].data());
        EXPECT_EQ(call.write(collective()), 0) << muster_last_message();
        EXPECT_THAT(report_of(file), HasSubstr(R"("one_by_one":0)"));
        barrier(world());
        for (int i = 0; i < 6; ++i) {
            EXPECT_EQ(contents<int>(datasets[static_cast<std::size_t>(i)], H5T_NATIVE_INT),
                      numbers(5 * everybody(), 1000 * i));
        }
    }
}

TEST(Unusual, points_named_twice_and_blocks_that_overlap) {
    SharedPath const path, other;
    auto const file = create_file(path.get());
    auto const reference = create_file(other.get());
    hsize_t const width = 6;
    auto const points = simple_space({everybody(), width}), blocks = simple_space({everybody(), width});
    Numbers const places{me(), 4, me(), 1, me(), 4, me(), 0, me(), 1};
    H5Sselect_elements(points, H5S_SELECT_SET, 5, places.data());
    for (hsize_t from : {hsize_t{0}, hsize_t{2}}) {
        Numbers const start{me(), from}, size{1, 4};
        H5Sselect_hyperslab(blocks, from == 0 ? H5S_SELECT_SET : H5S_SELECT_OR, start.data(), nullptr, size.data(),
                            nullptr);
    }
    auto const five = simple_space({5}), six = simple_space({6});
    auto first = numbers(5, 10 * rank()), second = numbers(6, 100 * rank());
    std::vector<Handle> datasets;
    for (auto const* const where : {&file, &reference}) {
        auto layout = contiguous_layout();
        H5Pset_fill_time(layout, H5D_FILL_TIME_ALLOC);
        datasets.push_back(create_dataset(*where, "p", H5T_NATIVE_INT, {everybody(), width}, layout));
        datasets.push_back(create_dataset(*where, "b", H5T_NATIVE_INT, {everybody(), width}, layout));
    }
    Call ours, theirs;
    ours.add(datasets[0], H5T_NATIVE_INT, five, points, first.data());
    ours.add(datasets[1], H5T_NATIVE_INT, six, blocks, second.data());
    theirs = ours;
    theirs.datasets = {datasets[2], datasets[3]};
    EXPECT_EQ(ours.write(collective()), 0) << muster_last_message();
    EXPECT_EQ(theirs.write_by_hdf5(H5P_DEFAULT), 0);
    barrier(world());
    EXPECT_EQ(contents<int>(datasets[0], H5T_NATIVE_INT), contents<int>(datasets[2], H5T_NATIVE_INT));
    EXPECT_EQ(contents<int>(datasets[1], H5T_NATIVE_INT), contents<int>(datasets[3], H5T_NATIVE_INT));
    std::vector<int> read(5, -1), expected(5, -1);
    ours.buffers[0] = read.data();
    theirs.buffers[0] = expected.data();
    EXPECT_EQ(ours.read(collective()), 0) << muster_last_message();
    EXPECT_EQ(theirs.read_by_hdf5(H5P_DEFAULT), 0);
    EXPECT_EQ(read, expected);
}

TEST(Unusual, drivers_without_mpi_are_left_to_hdf5_even_with_a_collective_list) {
    std::string const path = "/tmp/muster_hdf5_driver_" + std::to_string(::getpid());
    for (int driver = 0; driver < 3; ++driver) {
        Handle const access{H5Pcreate(H5P_FILE_ACCESS), H5Pclose};
        if (driver == 1) H5Pset_fapl_core(access, 1 << 16, true);
        if (driver == 2) H5Pset_fapl_split(access, ".meta", H5P_DEFAULT, ".raw", H5P_DEFAULT);
        {
            Handle const file{H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose};
            auto const dataset = create_dataset(file, "v", H5T_NATIVE_INT, {4});
            auto values = numbers(4, 5);
            Call call;
            call.add(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, values.data());
            EXPECT_EQ(call.write(collective()), 0) << muster_last_message();
            EXPECT_EQ(contents<int>(dataset, H5T_NATIVE_INT), values) << driver;
            EXPECT_THAT(report_of(file), HasSubstr("the file is not open in parallel")) << driver;
        }
        for (auto const* const end : {"", ".meta", ".raw"}) ::unlink((path + end).c_str());
    }
    barrier(world());
}

TEST(Unusual, text_of_any_length_is_read_by_hdf5) {
    SharedPath const path;
    Handle const type{H5Tcopy(H5T_C_S1), H5Tclose};
    H5Tset_size(type, H5T_VARIABLE);
    if (rank() == 0) {
        Handle const file{H5Fcreate(path.get().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose};
        auto const dataset = create_dataset(file, "text", type, {2});
        std::vector<char const*> const words{"one", "twenty-two"};
        H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, words.data());
    }
    barrier(world());
    auto const file = open_file(path.get(), H5F_ACC_RDONLY);
    Handle const dataset{H5Dopen2(file, "text", H5P_DEFAULT), H5Dclose};
    std::vector<char*> words(2, nullptr);
    Call call;
    call.add(dataset, type, H5S_ALL, H5S_ALL, words.data());
    EXPECT_EQ(call.read(collective()), 0) << muster_last_message();
    EXPECT_STREQ(words[1], "twenty-two");
    EXPECT_THAT(report_of(file), HasSubstr("values of variable length, or references"));
    for (auto* const word : words) H5free_memory(word);
}

TEST(Unusual, in_atomic_mode_hdf5_does_everything) {
    SharedPath const path;
    auto const file = create_file(path.get());
    EXPECT_GE(H5Fset_mpi_atomicity(file, true), 0);
    auto const dataset = create_dataset(file, "v", H5T_NATIVE_INT, {everybody()});
    auto const place = box({everybody()}, {me()}, {1});
    auto const one = simple_space({1});
    int value = rank();
    Call call;
    call.add(dataset, H5T_NATIVE_INT, one, place, &value);
    EXPECT_EQ(call.write(collective()), 0) << muster_last_message();
    barrier(world());
    EXPECT_EQ(contents<int>(dataset, H5T_NATIVE_INT), numbers(everybody(), 0));
    EXPECT_THAT(report_of(file), HasSubstr("the file is in atomic mode"));
}

// A name that leads to another file by now.
TEST(Unusual, a_file_that_was_moved_is_left_to_hdf5) {
    SharedPath const path, elsewhere;
    std::string const untouched(64, 'x');
    {
        auto const file = create_file(path.get());
        auto const first = create_dataset(file, "v", H5T_NATIVE_INT, {everybody()});
        auto const second = create_dataset(file, "w", H5T_NATIVE_INT, {everybody()});
        barrier(world());
        if (rank() == 0) {
            EXPECT_EQ(::rename(path.get().c_str(), elsewhere.get().c_str()), 0);
            auto* const other = std::fopen(path.get().c_str(), "w");
            std::fputs(untouched.c_str(), other);
            std::fclose(other);
        }
        barrier(world());
        auto const place = box({everybody()}, {me()}, {1});
        auto const one = simple_space({1});
        int value = rank(), more = rank() + 50;
        Call call;
        call.add(first, H5T_NATIVE_INT, one, place, &value);
        call.add(second, H5T_NATIVE_INT, one, place, &more);
        EXPECT_EQ(call.write(collective()), 0) << muster_last_message();
        EXPECT_THAT(report_of(file), HasSubstr("the file cannot be opened beside HDF5"));
        barrier(world());
        EXPECT_EQ(contents<int>(second, H5T_NATIVE_INT), numbers(everybody(), 50));
    }
    barrier(world());
    std::string found(200, '\0');
    auto* const other = std::fopen(path.get().c_str(), "r");
    found.resize(std::fread(found.data(), 1, found.size(), other));
    std::fclose(other);
    EXPECT_EQ(found, untouched);
}

// --- where the time went ---

double seconds(std::string const& json, std::string const& part) {
    auto const from = json.find("\"" + part + "\":", json.find("\"seconds\":"));
    return std::stod(json.substr(from + part.size() + 3));
}

void expect_complete(hid_t file) {
    auto const json = report_of(file);
    auto const apart = seconds(json, "communication") + seconds(json, "collective") + seconds(json, "hdf5");
    constexpr double clock = 1e-6;
    EXPECT_GT(seconds(json, "total"), 0);
    EXPECT_GE(apart + seconds(json, "file") + clock, seconds(json, "total")) << json;
    EXPECT_LE(apart, seconds(json, "total") + clock) << json;  // file access alone may overlap with the others
}

TEST(TimeSplit, adds_up_to_the_whole_call_in_both_modes) {
    SharedPath const path;
    auto const file = create_file(path.get());
    hsize_t const rows = 8, columns = 500;
    auto const turns = simple_space({rows, columns * everybody()});
    Numbers const from{0, me()}, stride{1, everybody()}, count{rows, columns};
    H5Sselect_hyperslab(turns, H5S_SELECT_SET, from.data(), stride.data(), count.data(), nullptr);
    auto const memory = simple_space({rows * columns});
    auto values = numbers(rows * columns, rank());
    std::vector<Handle> datasets;
    Call all;
    for (int i = 0; i < 8; ++i) {
        datasets.push_back(
            create_dataset(file, "v" + std::to_string(i), H5T_NATIVE_INT, {rows, columns * everybody()}));
        all.add(datasets.back(), H5T_NATIVE_INT, memory, turns, values.data());
    }
    auto const dxpl = collective();
    for (bool const write : {true, false}) {
        EXPECT_EQ(write ? all.write(dxpl) : all.read(dxpl), 0) << muster_last_message();
        expect_complete(file);
        Call one;
        one.add(datasets[3], H5T_NATIVE_INT, memory, turns, values.data());
        auto const start = MPI_Wtime();
        EXPECT_EQ(write ? one.write(dxpl) : one.read(dxpl), 0) << muster_last_message();
        auto const took = MPI_Wtime() - start;
        expect_complete(file);
        EXPECT_LE(seconds(report_of(file), "total"), took + 1e-6);
    }
    EXPECT_EQ(all.write(H5P_DEFAULT), 0);
    expect_complete(file);
}

}  // namespace

}  // namespace muster::hdf5::test
