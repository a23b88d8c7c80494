#include <gmock/gmock.h>

#include <numeric>

#include "hdf5/testing.hpp"

namespace muster::hdf5::test {

namespace {

using testing::HasSubstr;

hsize_t unsigned_rank() { return static_cast<hsize_t>(rank()); }
hsize_t unsigned_ranks() { return static_cast<hsize_t>(ranks()); }

// `count` variables of `rows` rows per rank and 5 columns; each rank writes its rows.
struct Variables {
    Variables(hid_t file, int count, hsize_t rows = 2, Handle const& layout = contiguous_layout())
        : extent{rows * unsigned_ranks(), 5},
          mine{box(extent, {rows * unsigned_rank(), 0}, {rows, 5})},
          memory{simple_space({rows, 5})} {
        for (int i = 0; i < count; ++i) {
            datasets.push_back(create_dataset(file, "v" + std::to_string(i), H5T_NATIVE_INT, extent, layout));
            values.emplace_back(rows * 5);
            for (std::size_t k = 0; k < values.back().size(); ++k) {
                values.back()[k] = value(i, static_cast<int>(rows * 5) * rank() + static_cast<int>(k));
            }
        }
    }
    static int value(int variable, int element) { return variable * 100000 + element; }

    Call call() {
        Call made;
        for (std::size_t i = 0; i < datasets.size(); ++i) {
            made.add(datasets[i], H5T_NATIVE_INT, memory, mine, values[i].data());
        }
        return made;
    }
    std::vector<int> expected(int variable) const {
        std::vector<int> all(extent[0] * extent[1]);
        std::iota(all.begin(), all.end(), value(variable, 0));
        return all;
    }
    void expect_written() const {
        barrier(world());
        for (std::size_t i = 0; i < datasets.size(); ++i) {
            EXPECT_EQ(contents<int>(datasets[i], H5T_NATIVE_INT), expected(static_cast<int>(i))) << i;
        }
        barrier(world());
    }

    Numbers extent;
    Handle mine;
    Handle memory;
    std::vector<Handle> datasets;
    std::vector<std::vector<int>> values;
};

TEST(Multi, many_datasets_go_in_one_collective_call) {
    SharedPath const path;
    auto const file = create_file(path.get());
    Variables variables{file, 40};
    EXPECT_EQ(variables.call().write(collective()), 0) << muster_last_message();
    variables.expect_written();
    EXPECT_THAT(report_of(file), HasSubstr(R"("last":{"calls":1,"collective_calls":1,"rounds":)"));
    EXPECT_THAT(report_of(file), HasSubstr(R"("datasets":40,"one_by_one":0)"));
}

TEST(Multi, reads_what_was_written) {
    SharedPath const path;
    auto const file = create_file(path.get());
    Variables variables{file, 7, 3, chunked_layout({2, 2})};
    EXPECT_EQ(variables.call().write_by_hdf5(collective()), 0);
    auto const written = variables.values;
    for (auto& values : variables.values) std::fill(values.begin(), values.end(), -1);
    EXPECT_EQ(variables.call().read(collective()), 0) << muster_last_message();
    EXPECT_EQ(variables.values, written);
    EXPECT_THAT(report_of(file), HasSubstr(R"("one_by_one":0)"));
}

TEST(Multi, calls_of_muster_and_of_hdf5_mix) {
    SharedPath const path;
    auto const file = create_file(path.get());
    Variables variables{file, 4, 4, chunked_layout({3, 2})};
    auto const dxpl = collective();
    for (int step = 0; step < 4; ++step) {
        for (auto& values : variables.values) {
            for (auto& value : values) value += 1;
        }
        auto const call = variables.call();
        EXPECT_EQ(step % 2 == 0 ? call.write(dxpl) : call.write_by_hdf5(dxpl), 0);
        auto const more = create_dataset(file, "between" + std::to_string(step), H5T_NATIVE_INT, {3});  // metadata
        auto const written = variables.values;
        for (auto& values : variables.values) std::fill(values.begin(), values.end(), -1);
        EXPECT_EQ(step % 2 == 0 ? variables.call().read_by_hdf5(dxpl) : variables.call().read(dxpl), 0);
        EXPECT_EQ(variables.values, written) << step;
        H5Fflush(file, H5F_SCOPE_GLOBAL);
    }
}

TEST(Multi, a_file_that_was_closed_and_opened_again_is_read) {
    SharedPath const path;
    std::vector<std::vector<int>> written;
    {
        auto const file = create_file(path.get());
        Variables variables{file, 3};
        EXPECT_EQ(variables.call().write(collective()), 0);
        written = variables.values;
    }
    auto const file = open_file(path.get(), H5F_ACC_RDONLY);
    Handle const dataset{H5Dopen2(file, "v1", H5P_DEFAULT), H5Dclose};
    auto const mine = box({2 * unsigned_ranks(), 5}, {2 * unsigned_rank(), 0}, {2, 5});
    std::vector<int> values(10);
    Call call;
    call.add(dataset, H5T_NATIVE_INT, simple_space({10}), mine, values.data());
    auto const memory = simple_space({10});
    call.memory_spaces[0] = memory;
    EXPECT_EQ(call.read(collective()), 0) << muster_last_message();
    EXPECT_EQ(values, written[1]);
    expect_refused(call.write(collective()), "open for reading only");
}

TEST(Multi, ranks_may_come_with_nothing) {
    SharedPath const path;
    auto const file = create_file(path.get());
    auto const dataset = create_dataset(file, "v", H5T_NATIVE_INT, {6});
    auto const none = nothing_of({6});
    auto const empty = nothing_of({1});
    std::vector<int> values{1, 2, 3, 4, 5, 6};
    Call call;
    if (is_last())
        call.add(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, values.data());
    else
        call.add(dataset, H5T_NATIVE_INT, empty, none, nullptr);
    EXPECT_EQ(call.write(collective()), 0) << muster_last_message();
    barrier(world());
    EXPECT_EQ(contents<int>(dataset, H5T_NATIVE_INT), values);
}

TEST(Multi, nobody_may_have_anything) {
    SharedPath const path;
    auto const file = create_file(path.get());
    auto const dataset = create_dataset(file, "v", H5T_NATIVE_INT, {6});
    auto const none = nothing_of({6});
    Call call;
    call.add(dataset, H5T_NATIVE_INT, none, none, nullptr);
    EXPECT_EQ(call.write(collective()), 0) << muster_last_message();
    EXPECT_EQ(call.read(collective()), 0) << muster_last_message();
    EXPECT_EQ(Call{}.write(collective()), 0) << muster_last_message();
}

TEST(Multi, what_was_never_written_is_zero) {
    SharedPath const path;
    auto const file = create_file(path.get());
    auto const first = create_dataset(file, "a", H5T_NATIVE_INT, {100});
    auto const last = create_dataset(file, "z", H5T_NATIVE_INT, {5000}, chunked_layout({500}));
    std::vector<int> a(100, -1);
    std::vector<int> z(5000, -1);
    Call call;
    call.add(last, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, z.data());
    call.add(first, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, a.data());
    EXPECT_EQ(call.read(collective()), 0) << muster_last_message();
    EXPECT_EQ(a, std::vector<int>(100, 0));
    EXPECT_EQ(z, std::vector<int>(5000, 0));
    EXPECT_THAT(report_of(file), HasSubstr(R"("one_by_one":0)"));
}

TEST(Multi, memory_stays_as_it_is_where_nothing_is_selected) {
    SharedPath const path;
    auto const file = create_file(path.get());
    auto const dataset = create_dataset(file, "v", H5T_NATIVE_INT, {3});
    std::vector<int> three{7, 8, 9};
    Call write;
    write.add(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, three.data());
    auto const none = nothing_of({3});
    if (rank() != 0) write.file_spaces[0] = write.memory_spaces[0] = none;
    EXPECT_EQ(write.write(collective()), 0);
    std::vector<int> wide(7, -1);
    auto const memory = simple_space({7});
    Numbers const start{1}, stride{2}, count{3};
    H5Sselect_hyperslab(memory, H5S_SELECT_SET, start.data(), stride.data(), count.data(), nullptr);
    Call read;
    read.add(dataset, H5T_NATIVE_INT, memory, H5S_ALL, wide.data());
    EXPECT_EQ(read.read(collective()), 0);
    EXPECT_EQ(wide, (std::vector<int>{-1, 7, -1, 8, -1, 9, -1}));
}

TEST(Multi, a_call_that_needs_too_much_memory_for_lists_becomes_several) {
    SharedPath const path;
    MPI_Info info = MPI_INFO_NULL;
    MPI_Info_create(&info);
    MPI_Info_set(info, "muster_metadata_memory", "4k");
    auto const file = create_file(path.get(), {info});
    MPI_Info_free(&info);
    Variables variables{file, 10, 40};
    std::vector<Handle> points;
    auto call = variables.call();
    for (auto& space : call.file_spaces) {
        points.push_back(simple_space(variables.extent));
        Numbers places;
        for (hsize_t i = 0; i < 200; ++i) places.insert(places.end(), {40 * unsigned_rank() + i / 5, i % 5});
        H5Sselect_elements(points.back(), H5S_SELECT_SET, 200, places.data());
        space = points.back();
    }
    EXPECT_EQ(call.write(collective()), 0) << muster_last_message();
    variables.expect_written();
    EXPECT_THAT(report_of(file), HasSubstr(R"("last":{"calls":1,"collective_calls":10,)"));
    EXPECT_THAT(report_of(file), HasSubstr(R"({"subject":"collective calls","choice":"10","reason":"lists of )"));
    Call one;  // a dataset is not divided, and that is said
    one.add(call.datasets[0], H5T_NATIVE_INT, call.memory_spaces[0], call.file_spaces[0], call.buffers[0]);
    EXPECT_EQ(one.write(collective()), 0) << muster_last_message();
    EXPECT_THAT(report_of(file), HasSubstr("on a rank, of one dataset, more than 4 KiB"));
}

TEST(Multi, rounds_are_counted_per_call_and_in_total) {
    SharedPath const path;
    MPI_Info info = MPI_INFO_NULL;
    MPI_Info_create(&info);
    MPI_Info_set(info, "muster_window", "32k");
    MPI_Info_set(info, "muster_collective_write", "on");
    auto const file = create_file(path.get(), {info});
    MPI_Info_free(&info);
    Variables variables{file, 30, 200};
    auto const dxpl = collective();
    EXPECT_EQ(variables.call().write(dxpl), 0);
    auto const multi = report_of(file);
    for (std::size_t i = 0; i < 30; ++i) {
        Call one;
        one.add(variables.datasets[i], H5T_NATIVE_INT, variables.memory, variables.mine, variables.values[i].data());
        EXPECT_EQ(one.write(dxpl), 0);
    }
    variables.expect_written();
    auto const rounds = [](std::string const& json, char const* tally) {
        auto const from = json.find(R"("rounds":)", json.find(tally));
        return std::stoi(json.substr(from + 9));
    };
    auto const all = report_of(file);
    EXPECT_GT(rounds(multi, R"("last")"), 1);
    EXPECT_EQ(rounds(multi, R"("last")"), rounds(multi, R"("all")"));
    EXPECT_GT(rounds(all, R"("all")") - rounds(multi, R"("all")"), rounds(multi, R"("all")"));
    EXPECT_THAT(all, HasSubstr(R"("all":{"calls":31,"collective_calls":31,)"));
}

TEST(Multi, with_an_independent_property_list_every_rank_is_on_its_own) {
    SharedPath const path;
    auto const file = create_file(path.get());
    auto const dataset = create_dataset(file, "v", H5T_NATIVE_INT, {3});
    std::vector<int> values{4, 5, 6};
    Call call;
    call.add(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, values.data());
    if (is_last()) {
        EXPECT_EQ(call.write(H5P_DEFAULT), 0) << muster_last_message();
        EXPECT_THAT(report_of(file), HasSubstr("independent transfer by the property list"));
    }
    barrier(world());
    EXPECT_EQ(contents<int>(dataset, H5T_NATIVE_INT), values);
}

TEST(Multi, a_file_that_is_not_open_in_parallel_is_left_to_hdf5) {
    if (rank() == 0) {
        std::string const path = "/tmp/muster_hdf5_serial_" + std::to_string(::getpid());
        {
            Handle const file{H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose};
            auto const dataset = create_dataset(file, "v", H5T_NATIVE_INT, {3});
            std::vector<int> values{4, 5, 6};
            Call call;
            call.add(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, values.data());
            EXPECT_EQ(call.write(H5P_DEFAULT), 0) << muster_last_message();
            EXPECT_EQ(contents<int>(dataset, H5T_NATIVE_INT), values);
        }
        ::unlink(path.c_str());
    }
    barrier(world());
}

TEST(Multi, a_user_block_moves_everything) {
    SharedPath const path;
    auto const file = create_file(path.get(), {MPI_INFO_NULL, 1024});
    Variables variables{file, 3};
    EXPECT_EQ(variables.call().write(collective()), 0) << muster_last_message();
    variables.expect_written();
    EXPECT_THAT(report_of(file), HasSubstr(R"("one_by_one":0)"));
    auto const chunked = create_dataset(file, "c", H5T_NATIVE_INT, variables.extent, chunked_layout({2, 2}));
    Call call;
    call.add(chunked, H5T_NATIVE_INT, variables.memory, variables.mine, variables.values[2].data());
    EXPECT_EQ(call.write(collective()), 0) << muster_last_message();
    barrier(world());
    EXPECT_EQ(contents<int>(chunked, H5T_NATIVE_INT), variables.expected(2));
}

TEST(Multi, files_one_after_the_other_and_side_by_side) {
    SharedPath const path;
    SharedPath const other;
    for (int i = 0; i < 5; ++i) {
        auto const file = create_file(path.get());
        auto const second = create_file(other.get());
        Variables variables{file, 2};
        Variables more{second, 3};
        EXPECT_EQ(variables.call().write(collective()), 0) << muster_last_message();
        EXPECT_EQ(more.call().write(collective()), 0) << muster_last_message();
        variables.expect_written();
        more.expect_written();
        if (i % 2 == 0) {
            EXPECT_EQ(muster_h5_release(file), 0) << muster_last_message();
        }
    }
}

TEST(Multi, half_of_the_ranks_have_a_file_of_their_own) {
    MPI_Comm half = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, rank() % 2, 0, &half);
    SharedPath const path;
    auto const own = path.get() + std::to_string(rank() % 2);
    {
        auto const file = create_file(own, {MPI_INFO_NULL, 0, half});
        auto const comm = Comm::of(half);
        auto const each = static_cast<hsize_t>(comm.size);
        auto const dataset = create_dataset(file, "v", H5T_NATIVE_INT, {each});
        auto const mine = box({each}, {static_cast<hsize_t>(comm.rank)}, {1});
        auto const one = simple_space({1});
        int value = comm.rank + 10;
        Call call;
        call.add(dataset, H5T_NATIVE_INT, one, mine, &value);
        EXPECT_EQ(call.write(collective()), 0) << muster_last_message();
        barrier(comm);
        std::vector<int> expected(each);
        std::iota(expected.begin(), expected.end(), 10);
        EXPECT_EQ(contents<int>(dataset, H5T_NATIVE_INT), expected);
    }
    MPI_Comm_free(&half);
    barrier(world());
    ::unlink(own.c_str());
}

TEST(Multi, the_gathered_report_has_the_bytes_of_all_ranks) {
    SharedPath const path;
    auto const file = create_file(path.get());
    Variables variables{file, 2};
    EXPECT_EQ(variables.call().write(collective()), 0);
    char* json = nullptr;
    EXPECT_EQ(muster_h5_gathered_report_json(file, &json), 0);
    EXPECT_THAT(json, HasSubstr(R"("bytes":)" + std::to_string(2 * 10 * sizeof(int) * unsigned_ranks()) + ","));
    muster_free(json);
    char* text = nullptr;
    EXPECT_EQ(muster_h5_report_text(file, &text), 0);
    EXPECT_THAT(text, HasSubstr("last: 1 calls, 2 datasets, 0 of them one by one, 1 collective calls"));
    muster_free(text);
}

}  // namespace

}  // namespace muster::hdf5::test
