// What HDF5 has to do itself, and what is refused.
#include <gmock/gmock.h>
#include <unistd.h>

#include <algorithm>

#include "hdf5/testing.hpp"

namespace muster::hdf5::test {

namespace {

using testing::HasSubstr;
using testing::Matcher;
using testing::Not;

constexpr hsize_t per_rank = 4;

hsize_t all() { return per_rank * static_cast<hsize_t>(ranks()); }
Handle mine() { return box({all()}, {per_rank * static_cast<hsize_t>(rank())}, {per_rank}); }

std::vector<int> my_values(int from) {
    std::vector<int> values;
    for (hsize_t i = 0; i < per_rank; ++i) {
        values.push_back(from + static_cast<int>(per_rank) * rank() + static_cast<int>(i));
    }
    return values;
}

std::vector<int> all_values(int from) {
    std::vector<int> values;
    for (hsize_t i = 0; i < all(); ++i) values.push_back(from + static_cast<int>(i));
    return values;
}

// One plain dataset and one that is an exception, written and read in one call.
void expect_exception(Handle const& layout, hid_t file_type, char const* reason) {
    SharedPath const path;
    auto const file = create_file(path.get());
    auto const plain = create_dataset(file, "plain", H5T_NATIVE_INT, {all()});
    auto const special = create_dataset(file, "special", file_type, {all()}, layout);
    auto const place = mine();
    auto const memory = simple_space({per_rank});
    auto first = my_values(100);
    auto second = my_values(500);
    Call call;
    call.add(plain, H5T_NATIVE_INT, memory, place, first.data());
    call.add(special, H5T_NATIVE_INT, memory, place, second.data());
    EXPECT_EQ(call.write(collective()), 0) << muster_last_message();
    EXPECT_THAT(report_of(file), HasSubstr(std::string{R"({"dataset":"/special","reason":")"} + reason));
    EXPECT_THAT(report_of(file), HasSubstr(R"("datasets":2,"one_by_one":1)"));
    barrier(world());
    EXPECT_EQ(contents<int>(plain, H5T_NATIVE_INT), all_values(100));
    EXPECT_EQ(contents<int>(special, H5T_NATIVE_INT), all_values(500));
    barrier(world());
    std::fill(first.begin(), first.end(), -1);
    std::fill(second.begin(), second.end(), -1);
    EXPECT_EQ(call.read(collective()), 0) << muster_last_message();
    EXPECT_EQ(first, my_values(100));
    EXPECT_EQ(second, my_values(500));
}

TEST(Exceptions, other_types_are_converted_by_hdf5) {
    expect_exception(contiguous_layout(), H5T_NATIVE_DOUBLE, "memory and file have different types");
    expect_exception(contiguous_layout(), H5T_STD_I32BE, "memory and file have different types");
}

TEST(Exceptions, filters_are_run_by_hdf5) {
    auto layout = chunked_layout({2});
    H5Pset_shuffle(layout);
    expect_exception(layout, H5T_NATIVE_INT, "the dataset has filters");
}

TEST(Exceptions, compact_datasets_are_left_to_hdf5) {
    SharedPath const path;
    auto const file = create_file(path.get());
    auto layout = contiguous_layout();
    H5Pset_layout(layout, H5D_COMPACT);
    auto const dataset = create_dataset(file, "small", H5T_NATIVE_INT, {3}, layout);
    std::vector<int> values{1, 2, 3};  // the same on all ranks, as HDF5 wants it
    Call call;
    call.add(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, values.data());
    EXPECT_EQ(call.write(collective()), 0) << muster_last_message();
    EXPECT_EQ(contents<int>(dataset, H5T_NATIVE_INT), values);
    EXPECT_THAT(report_of(file), HasSubstr(R"({"dataset":"/small","reason":"compact layout"})"));
}

TEST(Exceptions, a_dataset_named_twice_is_written_in_turn) {
    SharedPath const path;
    auto const file = create_file(path.get());
    auto const dataset = create_dataset(file, "v", H5T_NATIVE_INT, {all()});
    auto const place = mine();
    auto const memory = simple_space({per_rank});
    auto first = my_values(100);
    auto second = my_values(200);
    Call call;
    call.add(dataset, H5T_NATIVE_INT, memory, place, first.data());
    call.add(dataset, H5T_NATIVE_INT, memory, place, second.data());
    EXPECT_EQ(call.write(collective()), 0) << muster_last_message();
    barrier(world());
    EXPECT_EQ(contents<int>(dataset, H5T_NATIVE_INT), all_values(200));
    EXPECT_THAT(report_of(file), HasSubstr("the dataset is named twice"));
}

TEST(Exceptions, a_transform_is_computed_by_hdf5) {
    SharedPath const path;
    auto const file = create_file(path.get());
    auto const dataset = create_dataset(file, "v", H5T_NATIVE_INT, {all()});
    auto const place = mine();
    auto const memory = simple_space({per_rank});
    auto values = my_values(0);
    auto const dxpl = collective();
    H5Pset_data_transform(dxpl, "x+7");
    Call call;
    call.add(dataset, H5T_NATIVE_INT, memory, place, values.data());
    EXPECT_EQ(call.write(dxpl), 0) << muster_last_message();
    barrier(world());
    EXPECT_EQ(contents<int>(dataset, H5T_NATIVE_INT), all_values(7));
    EXPECT_THAT(report_of(file), HasSubstr("data transform"));
}

TEST(Exceptions, chunks_that_a_serial_program_left_out_are_filled_by_hdf5) {
    SharedPath const path;
    if (rank() == 0) {
        Handle const file{H5Fcreate(path.get().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose};
        auto layout = chunked_layout({2});
        int const fill = 42;
        H5Pset_fill_value(layout, H5T_NATIVE_INT, &fill);
        auto const dataset = create_dataset(file, "v", H5T_NATIVE_INT, {100}, layout);
        auto const some = box({100}, {4}, {2});
        auto const memory = simple_space({2});
        std::vector<int> const two{1, 2};
        H5Dwrite(dataset, H5T_NATIVE_INT, memory, some, H5P_DEFAULT, two.data());
    }
    barrier(world());
    auto const file = open_file(path.get(), H5F_ACC_RDONLY);
    Handle const dataset{H5Dopen2(file, "v", H5P_DEFAULT), H5Dclose};
    std::vector<int> values(100);
    Call call;
    call.add(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, values.data());
    EXPECT_EQ(call.read(collective()), 0) << muster_last_message();
    EXPECT_EQ(values[3], 42);
    EXPECT_EQ(values[4], 1);
    EXPECT_EQ(values[6], 42);
    EXPECT_THAT(report_of(file), HasSubstr("not all of its space is allocated"));
}

// A serial program makes a file with a dataset that consists of another one, and one that lies in a file of its own.
void make_unusual_file(std::string const& path) {
    if (rank() == 0) {
        Handle const file{H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose};
        auto const source = create_dataset(file, "source", H5T_NATIVE_INT, {all()});
        auto const whole = simple_space({all()});
        auto made_of_it = contiguous_layout();
        H5Pset_virtual(made_of_it, whole, ".", "source", whole);
        auto const made = create_dataset(file, "virtual", H5T_NATIVE_INT, {all()}, made_of_it);
        auto elsewhere = contiguous_layout();
        H5Pset_external(elsewhere, (path + ".external").c_str(), 0, all() * sizeof(int));
        auto const outside = create_dataset(file, "external", H5T_NATIVE_INT, {all()}, elsewhere);
        H5Dwrite(source, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, all_values(100).data());
        H5Dwrite(outside, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, all_values(300).data());
    }
    barrier(world());
}

TEST(Exceptions, external_storage_is_left_to_hdf5) {
    SharedPath const path;
    make_unusual_file(path.get());
    auto const file = open_file(path.get(), H5F_ACC_RDWR);
    auto const place = mine();
    auto const memory = simple_space({per_rank});
    Handle const inside{H5Dopen2(file, "source", H5P_DEFAULT), H5Dclose};
    Handle const outside{H5Dopen2(file, "external", H5P_DEFAULT), H5Dclose};
    std::vector<int> first(per_rank, -1), second(per_rank, -1);
    Call call;
    call.add(inside, H5T_NATIVE_INT, memory, place, first.data());
    call.add(outside, H5T_NATIVE_INT, memory, place, second.data());
    EXPECT_EQ(call.read(collective()), 0) << muster_last_message();
    EXPECT_EQ(first, my_values(100));
    EXPECT_EQ(second, my_values(300));
    EXPECT_THAT(report_of(file), HasSubstr(R"("one_by_one":[{"dataset":"/external","reason":"external storage"}])"));
    barrier(world());
    std::ranges::copy(my_values(700), second.begin());
    EXPECT_EQ(call.write(collective()), 0) << muster_last_message();
    barrier(world());
    EXPECT_EQ(contents<int>(outside, H5T_NATIVE_INT), all_values(700));
    barrier(world());
    if (rank() == 0) ::unlink((path.get() + ".external").c_str());
}

// HDF5 1.10 cannot read them in parallel; whatever it says holds.
TEST(Exceptions, virtual_datasets_are_left_to_hdf5) {
    SharedPath const path;
    make_unusual_file(path.get());
    Quiet const quiet;
    auto const file = open_file(path.get(), H5F_ACC_RDONLY);
    auto const place = mine();
    auto const memory = simple_space({per_rank});
    Handle const dataset{H5Dopen2(file, "virtual", H5P_DEFAULT), H5Dclose};
    std::vector<int> values(per_rank, -1), expected(per_rank, -1);
    Call call;
    call.add(dataset, H5T_NATIVE_INT, memory, place, expected.data());
    auto const by_hdf5 = call.read_by_hdf5(collective());
    call.buffers[0] = values.data();
    EXPECT_EQ(call.read(collective()), by_hdf5);
    EXPECT_EQ(values, expected);
    if (by_hdf5 < 0) {
        EXPECT_THAT(muster_last_message(), HasSubstr("HDF5 cannot read /virtual"));
    }
    EXPECT_THAT(report_of(file), HasSubstr(R"("one_by_one":[{"dataset":"/virtual","reason":"virtual layout"}])"));
    barrier(world());
    if (rank() == 0) ::unlink((path.get() + ".external").c_str());
}

TEST(Exceptions, what_differs_on_one_rank_is_decided_by_all) {
    SharedPath const path;
    auto const file = create_file(path.get());
    auto const dataset = create_dataset(file, "v", H5T_NATIVE_INT, {all()});
    auto const place = mine();
    auto const memory = simple_space({per_rank});
    auto values = my_values(0);
    std::vector<double> doubles(values.begin(), values.end());
    Call call;
    if (is_last())
        call.add(dataset, H5T_NATIVE_DOUBLE, memory, place, doubles.data());
    else
        call.add(dataset, H5T_NATIVE_INT, memory, place, values.data());
    EXPECT_EQ(call.write(collective()), 0) << muster_last_message();
    barrier(world());
    EXPECT_EQ(contents<int>(dataset, H5T_NATIVE_INT), all_values(0));
    EXPECT_THAT(report_of(file), HasSubstr("memory and file have different types"));
}

// --- what is refused ---

// A file with two datasets, the first of which was written to, and a call that one rank can spoil.
class Refusal : public testing::Test {
protected:
    void SetUp() override {
        call.add(first, H5T_NATIVE_INT, memory, place, values.data());
        call.add(second, H5T_NATIVE_INT, memory, place, values.data());
        EXPECT_EQ(call.write(collective()), 0) << muster_last_message();
        values = my_values(1000);
    }
    // Nobody wrote anything.
    void expect_untouched() {
        barrier(world());
        EXPECT_EQ(contents<int>(first, H5T_NATIVE_INT), all_values(0));
        EXPECT_EQ(contents<int>(second, H5T_NATIVE_INT), all_values(0));
        barrier(world());
    }

    SharedPath path;
    Handle file{create_file(path.get())};
    Handle first{create_dataset(file, "first", H5T_NATIVE_INT, {all()})};
    Handle second{create_dataset(file, "second", H5T_NATIVE_INT, {all()})};
    Handle place{mine()};
    Handle memory{simple_space({per_rank})};
    std::vector<int> values{my_values(0)};
    Call call;
};

std::string last_rank() { return "rank " + std::to_string(ranks() - 1) + ": "; }

TEST_F(Refusal, a_wrong_dataset_on_one_rank_is_known_to_all) {
    if (is_last()) call.datasets[1] = memory;
    expect_refused(call.write(collective()), (last_rank() + "an identifier is not that of a dataset").c_str());
    expect_untouched();
}

TEST_F(Refusal, a_rank_that_names_no_dataset_at_all_is_known_to_all) {
    if (is_last()) call.datasets = {H5I_INVALID_HID, H5I_INVALID_HID};
    expect_refused(call.write(collective()), (last_rank() + "an identifier is not that of a dataset").c_str());
    expect_untouched();
}

TEST_F(Refusal, selections_must_have_the_same_number_of_elements) {
    auto const less = simple_space({per_rank - 1});
    if (is_last()) call.memory_spaces[1] = less;
    expect_refused(call.write(collective()), "4 elements are selected in the file and 3 in memory");
    expect_untouched();
}

TEST_F(Refusal, selections_must_lie_in_their_dataspace) {
    std::vector<hssize_t> const offset{static_cast<hssize_t>(all())};
    if (is_last()) H5Soffset_simple(place, offset.data());
    expect_refused(call.write(collective()), "the selection in the file reaches out of its dataspace");
    expect_untouched();
}

TEST_F(Refusal, a_buffer_must_be_there) {
    if (is_last()) call.buffers[0] = nullptr;
    expect_refused(call.write(collective()), "a null pointer for a buffer");
    expect_untouched();
}

TEST_F(Refusal, the_property_list_must_be_one) {
    auto const dxpl = collective();
    expect_refused(call.write(is_last() ? static_cast<hid_t>(memory) : static_cast<hid_t>(dxpl)),
                   "not that of a transfer property list");
    expect_untouched();
}

TEST_F(Refusal, all_ranks_name_the_same_datasets) {
    if (ranks() == 1) GTEST_SKIP() << "one rank agrees with itself";
    if (is_last()) std::swap(call.datasets[0], call.datasets[1]);
    expect_refused(call.write(collective()), "the ranks named different datasets, or in a different order");
    if (is_last()) {
        call.datasets.pop_back();
    }
    expect_refused(call.write(collective()), "different numbers of datasets");
    expect_untouched();
}

TEST_F(Refusal, all_ranks_call_the_same) {
    if (ranks() == 1) GTEST_SKIP() << "one rank agrees with itself";
    auto const dxpl = collective();
    expect_refused(is_last() ? call.read(dxpl) : call.write(dxpl), "the ranks called different operations");
    expect_untouched();
}

TEST_F(Refusal, a_failing_write_is_told_to_all) {
    SharedPath const other;
    MPI_Info info = MPI_INFO_NULL;
    MPI_Info_create(&info);
    MPI_Info_set(info, "muster_faults", "write:1:ENOSPC@*");
    auto const full = create_file(other.get(), {info});
    MPI_Info_free(&info);
    auto const one = create_dataset(full, "v", H5T_NATIVE_INT, {all()});
    auto const two = create_dataset(full, "w", H5T_NATIVE_INT, {all()});
    Call write;
    write.add(one, H5T_NATIVE_INT, memory, place, values.data());
    write.add(two, H5T_NATIVE_INT, memory, place, values.data());
    expect_refused(write.write(collective()), "No space left on device");
}

// The ranks have met over another file. To open this one for a single piece of each would take longer than to write it.
void write_pieces(MPI_Info info, int straight_ones) {
    constexpr int steps = 11;
    SharedPath const other;
    auto const fresh = create_file(other.get(), {info});
    auto const dataset = create_dataset(fresh, "v", H5T_NATIVE_INT, {all()});
    auto const place = mine();
    auto const memory = simple_space({2 * per_rank});
    hsize_t const from = 1, stride = 2;  // every second element in memory
    H5Sselect_hyperslab(memory, H5S_SELECT_SET, &from, &stride, &per_rank, nullptr);
    for (int step = 0; step < steps; ++step) {
        std::vector<int> values(2 * per_rank, -1);
        for (std::size_t i = 0; i < per_rank; ++i) values[2 * i + 1] = my_values(10 * step)[i];
        Call call;
        call.add(dataset, H5T_NATIVE_INT, memory, place, values.data());
        EXPECT_EQ(call.write(collective()), 0) << muster_last_message();
        auto const straight = HasSubstr(R"("choice":"straight")");
        EXPECT_THAT(report_of(fresh), step < straight_ones ? Matcher<std::string>{straight} : Not(straight)) << step;
        barrier(world());
        EXPECT_EQ(contents<int>(dataset, H5T_NATIVE_INT), all_values(10 * step));
        auto const written = values;
        for (std::size_t i = 0; i < per_rank; ++i) values[2 * i + 1] = -2;
        EXPECT_EQ(call.read(collective()), 0) << muster_last_message();
        EXPECT_EQ(values, written);
        barrier(world());
    }
}

TEST_F(Refusal, a_piece_of_each_rank_of_a_node_goes_straight_to_the_file) { write_pieces(MPI_INFO_NULL, 1000); }

TEST_F(Refusal, pieces_are_gathered_by_hint_when_they_come_often) {
    MPI_Info info = MPI_INFO_NULL;
    MPI_Info_create(&info);
    MPI_Info_set(info, "muster_collective_write", "on");
    write_pieces(info, 4);  // and four reads
    MPI_Info_free(&info);
}

TEST_F(Refusal, a_piece_in_a_fresh_file_is_checked_by_all) {
    SharedPath const other;
    auto const fresh = create_file(other.get());
    auto const dataset = create_dataset(fresh, "v", H5T_NATIVE_INT, {all()});
    Call write;
    write.add(dataset, H5T_NATIVE_INT, memory, place, is_last() ? nullptr : values.data());
    expect_refused(write.write(collective()), "a null pointer for a buffer");
}

// Every rank has every ranks()-th element: nothing that HDF5 does as well.
TEST_F(Refusal, scattered_elements_in_a_fresh_file_are_gathered) {
    if (ranks() == 1) GTEST_SKIP() << "one rank has them all";
    SharedPath const other;
    auto const fresh = create_file(other.get());
    auto const dataset = create_dataset(fresh, "v", H5T_NATIVE_INT, {all()});
    auto const turns = simple_space({all()});
    hsize_t const from = static_cast<hsize_t>(rank()), stride = static_cast<hsize_t>(ranks());
    H5Sselect_hyperslab(turns, H5S_SELECT_SET, &from, &stride, &per_rank, nullptr);
    for (std::size_t i = 0; i < per_rank; ++i) values[i] = rank() + static_cast<int>(i) * ranks();
    Call write;
    write.add(dataset, H5T_NATIVE_INT, memory, turns, values.data());
    EXPECT_EQ(write.write(collective()), 0) << muster_last_message();
    barrier(world());
    EXPECT_EQ(contents<int>(dataset, H5T_NATIVE_INT), all_values(0));
    EXPECT_THAT(report_of(fresh), HasSubstr(R"("one_by_one":[])"));
}

TEST_F(Refusal, there_is_no_report_before_the_first_call) {
    SharedPath const other;
    auto const fresh = create_file(other.get());
    EXPECT_THAT(report_of(fresh), HasSubstr("no call was made on this file yet"));
    EXPECT_THAT(report_of(file), Not(HasSubstr("no call")));
}

}  // namespace

}  // namespace muster::hdf5::test
