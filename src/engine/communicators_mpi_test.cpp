// Files on several communicators, several files at once, and messages of the program's own under way meanwhile.
#include <atomic>
#include <optional>

#include "engine/testing.hpp"

namespace {

// Communicators made and not yet freed by anything but MPI itself, on this rank.
std::atomic<int> communicators{0};

int counted(int made, int error) {
    communicators += made;
    return error;
}

}  // namespace

// MPI lets a program put its own functions before those of the library.
extern "C" {
int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* copy) { return counted(1, PMPI_Comm_dup(comm, copy)); }
int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm* part) {
    auto const error = PMPI_Comm_split(comm, color, key, part);
    return counted(*part == MPI_COMM_NULL ? 0 : 1, error);
}
int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* part) {
    auto const error = PMPI_Comm_split_type(comm, type, key, info, part);
    return counted(*part == MPI_COMM_NULL ? 0 : 1, error);
}
int MPI_Comm_free(MPI_Comm* comm) { return counted(-1, PMPI_Comm_free(comm)); }
}

namespace muster {
namespace {

using namespace test;

// 0: the nodes as they are, and what their ranks can share.
Hints with_nodes_of(int ranks_per_node) {
    Hints hints = all_aggregate();
    hints.aggregators = 0;
    hints.ranks_per_node = ranks_per_node;
    hints.shared_memory = ranks_per_node == 0 ? Toggle::automatic : Toggle::off;
    return hints;
}

MPI_Comm split_by(int color) {
    MPI_Comm part = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, color, rank(), &part);
    return part;
}

int rank_in(MPI_Comm comm) {
    int mine = 0;
    MPI_Comm_rank(comm, &mine);
    return mine;
}

// Collective over `comm`. Every rank writes a letter at its own place and reads all of them.
void expect_working(File& file, MPI_Comm comm, char letter) {
    EXPECT_OK(file.write_at_all(rank_in(comm), &letter, 1, MPI_BYTE));
    int size = 0;
    MPI_Comm_size(comm, &size);
    std::string memory(static_cast<std::size_t>(size) + 1, '#');
    auto const done = file.read_at_all(0, memory.data(), size + 1, MPI_BYTE);
    ASSERT_TRUE(done.ok()) << done.status().text();
    EXPECT_EQ(*done, size);
    EXPECT_EQ(memory, std::string(static_cast<std::size_t>(size), letter) + "#");
}

TEST(Communicators, that_come_and_go_leave_none_behind) {
    SharedPath path;
    auto const before = communicators.load();
    for (int i = 0; i < 24; ++i) {
        auto const color = i % 3 == 0 ? 0 : rank() % 2;
        auto part = split_by(color);
        auto file = File::open(part, path.get() + std::to_string(color), Mode::create, with_nodes_of(i % 2));
        ASSERT_TRUE(file.ok()) << file.status().text();
        auto const letter = static_cast<char>('a' + i % 26);
        EXPECT_OK(file->write_at_all(rank_in(part), &letter, 1, MPI_BYTE));
        EXPECT_OK(file->close());
        MPI_Comm_free(&part);
        ASSERT_EQ(communicators.load(), before) << "after round " << i;
    }
    barrier(world());
    if (rank() < 2) ::unlink((path.get() + std::to_string(rank())).c_str());
}

TEST(Communicators, are_not_duplicated_again_for_every_file) {
    SharedPath path;
    { OpenFile file{path.get(), Mode::create}; }
    auto const before = communicators.load();
    for (int i = 0; i < 20; ++i) OpenFile file{path.get(), Mode::create, with_nodes_of(i % 2)};
    EXPECT_EQ(communicators.load(), before);
}

TEST(Communicators, may_be_freed_after_a_file_whose_opening_failed) {
    auto const before = communicators.load();
    auto part = split_by(rank() % 2);
    auto const file = File::open(part, "/tmp/muster_engine_test_missing/file", Mode::read);
    EXPECT_STREQ(name_of(file.status().code()), "not_found");
    MPI_Comm_free(&part);
    EXPECT_EQ(communicators.load(), before);
}

TEST(Communicators, of_one_rank_have_files_of_their_own) {
    SharedPath path;
    auto const own = path.get() + "_" + std::to_string(rank());
    for (auto const ranks_per_node : {0, 1}) {
        OpenFile file{own, Mode::create, with_nodes_of(ranks_per_node), MPI_COMM_SELF};
        for (int i = 0; i < rank() + 2; ++i) expect_working(*file, MPI_COMM_SELF, static_cast<char>('a' + rank() % 26));
    }
    ::unlink(own.c_str());
}

TEST(Communicators, in_reverse_order_work_as_well) {
    SharedPath path;
    MPI_Comm reversed = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank(), &reversed);
    for (auto const ranks_per_node : {0, 1, 2}) {
        OpenFile file{path.get(), Mode::create, with_nodes_of(ranks_per_node), reversed};
        expect_working(*file, reversed, 'r');
    }
    MPI_Comm_free(&reversed);
}

TEST(Files, may_be_open_at_once_on_one_communicator) {
    SharedPath first_path, second_path;
    for (auto const ranks_per_node : {0, 1}) {
        OpenFile first{first_path.get(), Mode::create, with_nodes_of(ranks_per_node)};
        OpenFile second{second_path.get(), Mode::create, with_nodes_of(1)};
        auto const deal = rotate({5, 20, 1, 0});
        auto const other = rotate({3, 30, 0, 7});
        for (int i = 0; i < 2; ++i) {
            EXPECT_OK(write_marks(*first, deal));
            EXPECT_OK(write_marks(*second, other));
        }
        EXPECT_EQ(first->report().file, first_path.get());
        first_path.expect(written("", deal));
        second_path.expect(written("", other));
    }
}

TEST(Files, may_be_opened_twice_at_once) {
    SharedPath path;
    OpenFile writer{path.get(), Mode::create, with_nodes_of(0)};
    OpenFile reader{path.get(), Mode::read, with_nodes_of(1)};
    auto const deal = rotate({5, 20, 1, 0});
    EXPECT_OK(write_marks(*writer, deal));
    std::string memory(static_cast<std::size_t>(size_of(mine(deal))), '#');
    EXPECT_OK(read_pieces(*reader, mine(deal), memory));
    EXPECT_EQ(memory, marks(rank(), mine(deal)));
}

TEST(Files, on_the_world_and_on_a_part_of_it_do_not_meet) {
    SharedPath path;
    auto const part = rank() % 2;
    auto comm = split_by(part);
    auto const part_path = path.get() + "_part" + std::to_string(part);
    {
        OpenFile whole{path.get(), Mode::create, with_nodes_of(0)};
        OpenFile of_part{part_path, Mode::create, with_nodes_of(0), comm};
        // The parts do different numbers of calls between those that all do.
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j <= part; ++j) expect_working(*of_part, comm, static_cast<char>('a' + part));
            expect_working(*whole, MPI_COMM_WORLD, 'w');
        }
    }
    if (rank() == part) ::unlink(part_path.c_str());
    MPI_Comm_free(&comm);
}

TEST(Files, that_are_not_closed_free_what_is_local_without_waiting_for_others) {
    SharedPath path;
    {
        auto file = File::open(MPI_COMM_WORLD, path.get(), Mode::create, with_nodes_of(1));
        ASSERT_TRUE(file.ok()) << file.status().text();
        EXPECT_OK(write_marks(*file, rotate({4, 4, 0, 0})));
    }
    path.expect(written("", rotate({4, 4, 0, 0})));
}

// --- messages of the program's own ---

constexpr int own_tag = 77;
constexpr std::size_t long_message = std::size_t{64} << 20;

// Rank 0 has a long message under way to rank 1, which waits for it before it joins the call.
TEST(Waiting, in_a_call_drives_the_programs_own_sends) {
    if (ranks() == 1) GTEST_SKIP() << "needs two ranks";
    SharedPath path;
    for (auto const ranks_per_node : {0, 1}) {
        OpenFile file{path.get(), Mode::create, with_nodes_of(ranks_per_node)};
        std::vector<char> message(rank() < 2 ? long_message : 0, static_cast<char>('a' + rank()));
        auto const count = static_cast<int>(message.size());
        MPI_Request request = MPI_REQUEST_NULL;
        if (rank() == 0) MPI_Isend(message.data(), count, MPI_CHAR, 1, own_tag, MPI_COMM_WORLD, &request);
        if (rank() == 1) MPI_Recv(message.data(), count, MPI_CHAR, 0, own_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        EXPECT_OK(write_marks(*file, rotate({100, 4, 0, 0})));
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        EXPECT_TRUE(rank() != 1 || (message.front() == 'a' && message.back() == 'a'));
    }
}

// The other way round: rank 1 is in the call already, and rank 0 sends before it joins.
TEST(Waiting, in_a_call_drives_the_programs_own_receives) {
    if (ranks() == 1) GTEST_SKIP() << "needs two ranks";
    SharedPath path;
    for (auto const ranks_per_node : {0, 1}) {
        OpenFile file{path.get(), Mode::create, with_nodes_of(ranks_per_node)};
        std::vector<char> message(rank() < 2 ? long_message : 0, static_cast<char>('a' + rank()));
        auto const count = static_cast<int>(message.size());
        MPI_Request request = MPI_REQUEST_NULL;
        if (rank() == 1) MPI_Irecv(message.data(), count, MPI_CHAR, 0, own_tag, MPI_COMM_WORLD, &request);
        if (rank() == 0) MPI_Ssend(message.data(), count, MPI_CHAR, 1, own_tag, MPI_COMM_WORLD);
        std::string memory(4, '#');
        EXPECT_OK(file->read_at_all(0, memory.data(), 4, MPI_BYTE));
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        EXPECT_TRUE(rank() != 1 || (message.front() == 'a' && message.back() == 'a'));
    }
}

// Every collective call of a file waits in such a way.
TEST(Waiting, to_open_and_close_drives_the_programs_own_messages) {
    if (ranks() == 1) GTEST_SKIP() << "needs two ranks";
    SharedPath path;
    std::vector<char> message(rank() < 2 ? std::size_t{8} << 20 : 0, 'm');
    auto const count = static_cast<int>(message.size());
    auto const late = [&](auto&& call) {
        MPI_Request request = MPI_REQUEST_NULL;
        if (rank() == 0) MPI_Isend(message.data(), count, MPI_CHAR, 1, own_tag, MPI_COMM_WORLD, &request);
        if (rank() == 1) MPI_Recv(message.data(), count, MPI_CHAR, 0, own_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        call();
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    };
    std::optional<Result<File>> file;
    late([&] { file.emplace(File::open(MPI_COMM_WORLD, path.get(), Mode::create, with_nodes_of(0))); });
    ASSERT_TRUE(file->ok()) << file->status().text();
    late([&] { EXPECT_OK((*file)->size()); });
    late([&] { EXPECT_OK((*file)->sync()); });
    late([&] { EXPECT_OK((*file)->set_view(0, MPI_INT, MPI_INT)); });
    late([&] { (*file)->gather_report(); });
    late([&] { EXPECT_OK((*file)->close()); });
}

// Messages that nobody expects in a call stay for whom they are meant, also those from anybody with any tag.
TEST(Messages, of_the_program_never_meet_those_of_a_call) {
    SharedPath path;
    OpenFile file{path.get(), Mode::create, with_nodes_of(1)};
    auto const to = (rank() + 1) % ranks();
    int const sent = 100 + rank();
    int received = -1;
    MPI_Request requests[2];
    MPI_Irecv(&received, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[0]);
    auto const deal = rotate({9, 30, 2, 0});
    EXPECT_OK(write_marks(*file, deal));
    MPI_Isend(&sent, 1, MPI_INT, to, 2, MPI_COMM_WORLD, &requests[1]);
    EXPECT_OK(write_marks(*file, deal));
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    EXPECT_EQ(received, 100 + (rank() + ranks() - 1) % ranks());
    path.expect(written("", deal));
}

}  // namespace
}  // namespace muster
