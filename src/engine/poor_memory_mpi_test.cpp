// A rank that finds no memory in the middle of a call: everybody hears of it, nobody waits for ever.
#include "core/poor_memory_testing.hpp"
#include "engine/testing.hpp"
#include "mpi/datatype.hpp"

namespace muster {
namespace {

using namespace test;

using testing::Refusal;

// Single bytes with holes between: a window's list is much longer than the window.
constexpr Size window = Size{1} << 20;
constexpr std::size_t half_a_list = 4 << 20;  // bytes

Datatype every_other_byte() {
    auto const distance = 2 * ranks();
    Datatype single;
    Datatype type;
    MPI_Type_create_hvector(static_cast<int>(window / distance), 1, distance, MPI_BYTE, type.receive());
    return type;
}

Hints one_aggregator() {
    auto hints = all_aggregate();
    hints.window = window;
    hints.aggregator_list = {ranks() - 1};
    hints.aggregators = 1;
    return hints;
}

struct Bytes {
    Datatype type{every_other_byte()};
    std::string marks = std::string(static_cast<std::size_t>(window / (2 * ranks())), mark(rank(), 0));

    Status view(File& file) const { return file.set_view(2 * rank(), MPI_BYTE, type.get()); }
    Result<Size> write(File& file) const {
        return file.write_at_all(0, marks.data(), static_cast<Size>(marks.size()), MPI_BYTE);
    }
    Result<Size> read(File& file, std::string& into) const {
        into.assign(marks.size(), untouched);
        return file.read_at_all(0, into.data(), static_cast<Size>(into.size()), MPI_BYTE);
    }
};

TEST(PoorMemory, for_what_a_window_holds_is_a_failure_on_all_ranks) {
    SharedPath path;
    Bytes const bytes;
    OpenFile file{path.get(), Mode::create, one_aggregator()};
    ASSERT_TRUE(bytes.view(*file).ok());
    {
        Refusal const refusal{half_a_list};
        expect_failure(bytes.write(*file).status(), Code::out_of_memory);
    }
    EXPECT_OK(bytes.write(*file));
    std::string found;
    EXPECT_OK(bytes.read(*file, found));
    EXPECT_EQ(found, bytes.marks);
}

// What lies behind the end of a file is no part of any list.
TEST(PoorMemory, is_enough_to_read_behind_the_end_of_a_file) {
    if (ranks() < 3) GTEST_SKIP() << "that is one node";
    SharedPath path;
    path.fill(std::string(100, 'x'));
    auto hints = one_aggregator();
    hints.ranks_per_node = 2;
    hints.local_aggregators = 1;
    hints.shared_memory = Toggle::automatic;
    hints.window = 64 * window;
    OpenFile file{path.get(), Mode::read, hints};
    Bytes const bytes;
    ASSERT_TRUE(bytes.view(*file).ok());
    std::string found(bytes.marks.size(), untouched);
    Refusal const refusal{half_a_list / 8};
    auto const read = bytes.read(*file, found);
    EXPECT_OK(read);
    EXPECT_EQ(*read, (100 + 2 * (ranks() - rank()) - 1) / (2 * ranks()));
    auto const& decisions = file->report().decisions;
    EXPECT_EQ(std::count_if(decisions.begin(), decisions.end(),
                            [](Decision const& each) { return each.subject == "local aggregators"; }),
              1)
        << "they were given up";
}

}  // namespace
}  // namespace muster
