// The ways to say what is accessed: views, the file pointer, sub-arrays, and plans that are kept.
#include "engine/testing.hpp"
#include "mpi/datatype.hpp"

namespace muster {
namespace {

using namespace test;

// Blocks of so many bytes in turn: this rank's block of each turn.
Datatype turns(Size block) {
    auto const length = static_cast<int>(block);
    MPI_Aint const place = rank() * block;
    Datatype own, type;
    MPI_Type_create_hindexed(1, &length, &place, MPI_BYTE, own.receive());
    MPI_Type_create_resized(own.get(), 0, ranks() * block, type.receive());
    return type;
}

Extents in_turn(int writer, Size block, Size first, Size count, Offset start = 0) {
    Extents extents;
    for (auto i = first; i < first + count; ++i) extents.push_back({start + (i * ranks() + writer) * block, block});
    return extents;
}

Deal all_in_turn(Size block, Size first, Size count, Offset start = 0) {
    Deal deal;
    for (int writer = 0; writer < ranks(); ++writer) deal.push_back(in_turn(writer, block, first, count, start));
    return deal;
}

TEST(View, places_the_bytes_of_each_rank_from_its_displacement_on) {
    SharedPath path;
    auto const filetype = turns(6);
    auto const deal = all_in_turn(6, 2, 5, 17);
    auto const bytes = marks(rank(), mine(deal));
    for (auto const& [setting, hints] : settings()) {
        SCOPED_TRACE(setting);
        path.fill(std::string(50, untouched));
        OpenFile file{path.get(), Mode::update, hints};
        ASSERT_TRUE(file->set_view(17, MPI_SHORT, filetype.get()).ok());
        EXPECT_OK(file->write_at_all(6, bytes.data(), 15, MPI_SHORT));
        path.expect(written(std::string(50, untouched), deal));
        std::string memory(bytes.size(), '#');
        auto const done = file->read_at_all(6, memory.data(), 30, MPI_BYTE);
        ASSERT_TRUE(done.ok()) << done.status().text();
        EXPECT_EQ(*done, 30);
        EXPECT_EQ(memory, bytes);
        EXPECT_EQ(file->position(), 0);
    }
}

TEST(View, may_differ_from_rank_to_rank) {
    SharedPath path;
    auto const deal = all_in_turn(5, 0, 8);
    for (auto const& [setting, hints] : settings()) {
        SCOPED_TRACE(setting);
        OpenFile file{path.get(), Mode::create, hints};
        // Even ranks see turns of blocks, odd ranks plain bytes, of which they write one block only.
        auto const even = rank() % 2 == 0;
        auto const filetype = turns(5);
        ASSERT_TRUE(file->set_view(even ? 0 : rank() * 5, MPI_BYTE, even ? filetype.get() : MPI_BYTE).ok());
        auto const count = even ? 40 : 5;
        auto const bytes = marks(rank(), mine(deal));
        EXPECT_OK(file->write_at_all(0, bytes.data(), count, MPI_BYTE));
        auto wanted = deal;
        for (std::size_t odd = 1; odd < wanted.size(); odd += 2) wanted[odd].resize(1);
        path.expect(written("", wanted));
    }
}

TEST(View, of_a_datatype_with_gaps_in_memory_and_in_the_file) {
    SharedPath path;
    Datatype every_second, filetype;
    MPI_Type_vector(10, 1, 2, MPI_INT, every_second.receive());
    MPI_Type_create_resized(MPI_INT, 0, 4 * ranks(), filetype.receive());
    std::vector<int> memory(20);
    for (int i = 0; i < 20; ++i) memory[static_cast<std::size_t>(i)] = 1000 * rank() + i;
    OpenFile file{path.get(), Mode::create, all_aggregate()};
    ASSERT_TRUE(file->set_view(4 * rank(), MPI_INT, filetype.get()).ok());
    EXPECT_OK(file->write_at_all(0, memory.data(), 1, every_second.get()));
    ASSERT_TRUE(file->set_view(0, MPI_INT, MPI_INT).ok());
    std::vector<int> all(static_cast<std::size_t>(10 * ranks()), -1);
    EXPECT_OK(file->read_at_all(0, all.data(), 10 * ranks(), MPI_INT));
    for (int i = 0; i < 10 * ranks(); ++i) {
        EXPECT_EQ(all[static_cast<std::size_t>(i)], 1000 * (i % ranks()) + i / ranks() * 2);
    }
}

TEST(FilePointer, moves_on_by_what_was_asked_for) {
    SharedPath path;
    auto const filetype = turns(4);
    auto const bytes = marks(rank(), in_turn(rank(), 4, 0, 6));
    for (auto const& [setting, hints] : settings()) {
        SCOPED_TRACE(setting);
        OpenFile file{path.get(), Mode::create, hints};
        ASSERT_TRUE(file->set_view(0, MPI_SHORT, filetype.get()).ok());
        for (int step = 0; step < 3; ++step) {
            EXPECT_EQ(file->position(), 4 * step);
            EXPECT_OK(file->write_all(&bytes[static_cast<std::size_t>(8 * step)], 2, MPI_INT));
        }
        path.expect(written("", all_in_turn(4, 0, 6)));
        file->seek(10);
        std::string memory(16, '#');
        auto const done = file->read_all(memory.data(), 8, MPI_SHORT);  // of which four bytes exist
        ASSERT_TRUE(done.ok()) << done.status().text();
        EXPECT_EQ(*done, 4);
        EXPECT_EQ(file->position(), 18);
        EXPECT_EQ(memory, bytes.substr(20) + std::string(12, '#'));
        ASSERT_TRUE(file->set_view(0, MPI_BYTE, MPI_BYTE).ok());
        EXPECT_EQ(file->position(), 0);
    }
}

TEST(FilePointer, is_each_ranks_own) {
    SharedPath path;
    OpenFile file{path.get(), Mode::create, all_aggregate()};
    file->seek(20 * rank());
    auto const bytes = marks(rank(), {{20 * rank(), rank()}});
    EXPECT_OK(file->write_all(bytes.data(), rank(), MPI_BYTE));
    EXPECT_EQ(file->position(), 21 * rank());
    Deal deal;
    for (int writer = 0; writer < ranks(); ++writer) deal.push_back({{20 * writer, writer}});
    auto wanted = written("", deal);
    wanted.resize(ranks() == 1 ? 0 : static_cast<std::size_t>(21 * (ranks() - 1)));
    path.expect(wanted);
}

TEST(FilePointer, counts_whole_etypes_and_refuses_parts_of_them) {
    SharedPath path;
    path.fill("");
    OpenFile file{path.get(), Mode::update, all_aggregate()};
    ASSERT_TRUE(file->set_view(0, MPI_INT, MPI_INT).ok());
    std::string memory(16, 'x');
    file->seek(5 * rank());
    expect_failure_of(ranks() - 1, file->write_all(memory.data(), is_last() ? 3 : 4, MPI_BYTE).status(),
                      Code::invalid_argument);
    expect_failure_of(ranks() - 1, file->read_all(memory.data(), is_last() ? 15 : 16, MPI_BYTE).status(),
                      Code::invalid_argument);
    EXPECT_EQ(file->position(), 5 * rank());
    path.expect("");
}

TEST(FilePointer, stays_where_it_is_when_the_call_fails) {
    SharedPath path;
    OpenFile file{path.get(), Mode::create, all_aggregate()};
    file->seek(7);
    char const byte = 'x';
    EXPECT_FALSE(file->write_all(&byte, is_last() ? -1 : 1, MPI_BYTE).ok());
    EXPECT_EQ(file->position(), 7);
}

// A global array of rows x columns; every rank has a band of columns, the last what is left.
struct Band {
    Size rows{5};
    Size columns;
    Size element{3};
    Size first;
    Size count;

    explicit Band(int of) : columns{7 * ranks() + 2}, first{7 * of}, count{of == ranks() - 1 ? Size{9} : Size{7}} {}
    Subarray block(Offset offset) const { return {{rows, columns}, {rows, count}, {0, first}, element, offset, false}; }
    Extents extents(Offset offset) const {
        Extents all;
        for (Size row = 0; row < rows; ++row)
            all.push_back({offset + (row * columns + first) * element, count * element});
        return all;
    }
};

Deal bands(Offset offset) {
    Deal deal;
    for (int of = 0; of < ranks(); ++of) deal.push_back(Band{of}.extents(offset));
    return deal;
}

TEST(Blocks, of_a_global_array_go_to_their_places_and_come_back) {
    SharedPath path;
    auto const deal = bands(11);
    auto const bytes = marks(rank(), mine(deal));
    for (auto const& [setting, hints] : settings()) {
        SCOPED_TRACE(setting);
        path.fill(std::string(20, untouched));
        OpenFile file{path.get(), Mode::update, hints};
        EXPECT_OK(file->write_all(Band{rank()}.block(11), bytes.data()));
        path.expect(written(std::string(20, untouched), deal));
        std::string memory(bytes.size(), '#');
        EXPECT_OK(file->read_all(Band{rank()}.block(11), memory.data()));
        EXPECT_EQ(memory, bytes);
    }
}

TEST(Blocks, in_fortran_order_have_the_first_index_vary_fastest) {
    SharedPath path;
    OpenFile file{path.get(), Mode::create, all_aggregate()};
    Subarray const block{{2 * ranks(), 3}, {2, 3}, {2 * rank(), 0}, 1, 0, true};
    auto const extents = rotate({2, 3, 0, 0});
    EXPECT_OK(file->write_all(block, marks(rank(), mine(extents)).data()));
    path.expect(written("", extents));
}

TEST(Blocks, may_be_empty_on_some_ranks) {
    SharedPath path;
    OpenFile file{path.get(), Mode::create, all_aggregate()};
    auto const has = is_last();
    Subarray const block{{4, 4}, {has ? 2 : 0, has ? 2 : 0}, {0, 0}, 1, 0, false};
    auto const done = file->write_all(block, has ? "abcd" : nullptr);
    ASSERT_TRUE(done.ok()) << done.status().text();
    EXPECT_EQ(*done, has ? 4 : 0);
    path.expect(std::string{"ab\0\0cd", 6});
}

TEST(KeptPlan, writes_steps_one_after_the_other) {
    SharedPath path;
    auto const step = end_of(bands(0));
    for (auto const& [setting, hints] : settings()) {
        SCOPED_TRACE(setting);
        OpenFile file{path.get(), Mode::create, hints};
        auto plan = file->plan_write(Band{rank()}.block(0));
        ASSERT_TRUE(plan.ok()) << plan.status().text();
        std::string wanted;
        for (int i = 0; i < 4; ++i) {
            auto const deal = bands(i * step);
            auto const done = plan->write(marks(rank(), mine(deal)).data(), i * step);
            ASSERT_TRUE(done.ok()) << done.status().text();
            EXPECT_EQ(*done, size_of(mine(deal)));
            wanted = written(wanted, deal);
        }
        path.expect(wanted);
    }
}

TEST(KeptPlan, reads_steps_in_any_order_and_stops_at_the_end_of_the_file) {
    SharedPath path;
    auto const step = end_of(bands(0));
    auto const file_bytes = marks(99, {{0, 2 * step + step / 2}});
    path.fill(file_bytes);
    for (auto const& [setting, hints] : settings()) {
        SCOPED_TRACE(setting);
        OpenFile file{path.get(), Mode::read, hints};
        auto plan = file->plan_read(Band{rank()}.block(0));
        ASSERT_TRUE(plan.ok()) << plan.status().text();
        for (Offset const shift : {step, Offset{0}, 2 * step, Offset{7}, 9 * step, step}) {
            auto const extents = Band{rank()}.extents(shift);
            std::string memory(static_cast<std::size_t>(size_of(extents)), '#');
            std::string wanted;
            for (auto const& extent : extents) {
                for (auto at = extent.offset; at < extent.end(); ++at) {
                    wanted +=
                        at < static_cast<Offset>(file_bytes.size()) ? file_bytes[static_cast<std::size_t>(at)] : '#';
                }
            }
            auto const done = plan->read(memory.data(), shift);
            ASSERT_TRUE(done.ok()) << done.status().text();
            EXPECT_EQ(*done,
                      static_cast<Size>(std::count_if(wanted.begin(), wanted.end(), [](char c) { return c != '#'; })));
            EXPECT_EQ(memory, wanted) << "shift " << shift;
        }
    }
}

TEST(KeptPlan, made_through_a_view_or_from_pieces_may_move_backwards) {
    SharedPath path;
    auto const deal = all_in_turn(6, 0, 4, 200);
    auto const low = all_in_turn(6, 0, 4, 150);
    auto const bytes = marks(rank(), mine(low));
    auto const filetype = turns(6);
    for (auto const& [setting, hints] : settings()) {
        SCOPED_TRACE(setting);
        OpenFile file{path.get(), Mode::create, hints};
        ASSERT_TRUE(file->set_view(200, MPI_BYTE, filetype.get()).ok());
        auto through_view = file->plan_write(bytes.data(), 24, MPI_BYTE);
        ASSERT_TRUE(through_view.ok()) << through_view.status().text();
        EXPECT_OK(through_view->write(bytes.data(), -50));
        path.expect(written("", low));
        std::string memory(24, '#');
        Segment const segment{memory.data(), 24};
        auto from_pieces = file->plan_read(Pieces{mine(deal), {&segment, 1}});
        ASSERT_TRUE(from_pieces.ok()) << from_pieces.status().text();
        EXPECT_OK(from_pieces->read(memory.data(), -50));
        EXPECT_EQ(memory, bytes);
    }
}

TEST(KeptPlan, of_scattered_memory_takes_another_buffer_of_the_same_layout) {
    SharedPath path;
    OpenFile file{path.get(), Mode::create, all_aggregate()};
    std::string const planned(30, 'p');
    std::vector<Segment> const segments{{&planned[0], 4}, {&planned[20], 5}};
    Extents const extents{{9 * rank(), 9}};
    auto plan = file->plan_write(Pieces{extents, segments});
    ASSERT_TRUE(plan.ok()) << plan.status().text();
    auto const marked = marks(rank(), extents);
    auto const other = marked.substr(0, 4) + std::string(16, '!') + marked.substr(4) + "!!!!!";
    EXPECT_OK(plan->write(other.data()));
    path.expect(written("", rotate({9, 1, 0, 0})));
}

// Six integers, of which two in the middle count.
Datatype inner_pair() {
    int const sizes[] = {6}, subsizes[] = {2}, starts[] = {3};
    Datatype type;
    MPI_Type_create_subarray(1, sizes, subsizes, starts, MPI_ORDER_C, MPI_INT, type.receive());
    return type;
}

TEST(KeptPlan, made_without_a_buffer_takes_bytes_from_their_places_in_the_one_it_runs_with) {
    SharedPath path;
    OpenFile file{path.get(), Mode::create, all_aggregate()};
    auto const type = inner_pair();
    auto write = file->plan_write(nullptr, 2, type.get(), 16 * rank());
    auto read = file->plan_read(nullptr, 2, type.get(), 16 * rank());
    ASSERT_TRUE(write.ok() && read.ok());
    std::vector<int> memory(12), back(12, -1), expected(12, -1);
    for (std::size_t i = 0; i < 12; ++i) memory[i] = 100 * rank() + static_cast<int>(i);
    for (auto const i : {3u, 4u, 9u, 10u}) expected[i] = memory[i];
    EXPECT_OK(write->write(memory.data()));
    EXPECT_OK(read->read(back.data()));
    EXPECT_EQ(back, expected);
    expect_failure(write->write(nullptr).status(), Code::invalid_argument);
}

TEST(KeptPlan, of_absolute_addresses_runs_with_them) {
    SharedPath path;
    OpenFile file{path.get(), Mode::create, all_aggregate()};
    std::vector<int> memory{rank(), rank() + 1}, back(2);
    auto const absolute = [](int* first) {
        int const lengths[] = {1, 1};
        MPI_Datatype const types[] = {MPI_INT, MPI_INT};
        MPI_Aint places[2];
        MPI_Get_address(first, &places[0]);
        MPI_Get_address(first + 1, &places[1]);
        Datatype type;
        MPI_Type_create_struct(2, lengths, places, types, type.receive());
        return type;
    };
    auto const from = absolute(memory.data()), to = absolute(back.data());
    auto write = file->plan_write(MPI_BOTTOM, 1, from.get(), 8 * rank());
    auto read = file->plan_read(MPI_BOTTOM, 1, to.get(), 8 * rank());
    ASSERT_TRUE(write.ok() && read.ok());
    EXPECT_OK(write->write(MPI_BOTTOM));
    EXPECT_OK(read->read(MPI_BOTTOM));
    EXPECT_EQ(back, memory);
}

TEST(KeptPlan, of_nothing_does_nothing) {
    SharedPath path;
    path.fill("old");
    OpenFile file{path.get(), Mode::update, all_aggregate()};
    auto plan = file->plan_write(nullptr, 0, MPI_BYTE);
    ASSERT_TRUE(plan.ok()) << plan.status().text();
    auto const done = plan->write(nullptr, 1000);
    ASSERT_TRUE(done.ok()) << done.status().text();
    EXPECT_EQ(*done, 0);
    path.expect("old");
}

TEST(KeptPlan, stays_right_when_other_calls_come_between) {
    SharedPath path;
    OpenFile file{path.get(), Mode::create, all_aggregate()};
    auto const first = rotate({9, 4, 0, 0});
    auto const second = rotate({5, 40, 3, 1});
    auto const shifted = rotate({9, 4, 0, 900});
    auto bytes = marks(rank(), mine(first));
    Segment const segment{bytes.data(), static_cast<Size>(bytes.size())};
    auto plan = file->plan_write(Pieces{mine(first), {&segment, 1}});
    ASSERT_TRUE(plan.ok()) << plan.status().text();
    EXPECT_OK(plan->write(bytes.data()));
    EXPECT_OK(write_marks(*file, second));
    bytes = marks(rank(), mine(shifted));
    EXPECT_OK(plan->write(bytes.data(), 900));
    path.expect(written(written(written("", first), second), shifted));
}

TEST(KeptPlan, is_the_same_text_on_all_ranks) {
    SharedPath path;
    OpenFile file{path.get(), Mode::create, all_aggregate()};
    auto const plan = file->plan_write(Band{rank()}.block(0));
    ASSERT_TRUE(plan.ok()) << plan.status().text();
    EXPECT_NE(plan->text().find("aggregators: " + std::to_string(ranks())), std::string::npos) << plan->text();
    EXPECT_EQ(plan->text(), of_first_rank(plan->text()));
}

}  // namespace
}  // namespace muster
