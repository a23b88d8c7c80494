#include "c/testing.hpp"
#include "muster/tapioca.hpp"

namespace {

int rank_of_world() { return muster::test::rank(); }

}  // namespace

TEST(CDeclared, parts_are_put_and_taken_in_any_order) {
    muster::test::SharedPath const shared;
    std::string const path = shared.get();
    int64_t const rank = rank_of_world();
    muster_file* file = nullptr;
    ASSERT_EQ(muster_open(MPI_COMM_WORLD, path.c_str(), MUSTER_CREATE, MPI_INFO_NULL, &file), MUSTER_OK);
    std::vector<char> const mine(50, static_cast<char>('a' + rank % 26));
    muster_extent const extents[2] = {{rank * 100, 50}, {rank * 100 + 50, 50}};
    muster_part const parts[2] = {{extents, 1}, {extents + 1, 1}};
    muster_declared* declared = nullptr;
    ASSERT_EQ(muster_declare_write(file, parts, 2, &declared), MUSTER_OK) << muster_last_message();
    EXPECT_EQ(muster_declared_put(declared, 1, mine.data(), 0, -1), MUSTER_OK);
    EXPECT_EQ(muster_declared_put(declared, 2, mine.data(), 0, -1), MUSTER_INVALID_ARGUMENT);
    EXPECT_EQ(muster_declared_put(declared, 0, mine.data(), 0, 20), MUSTER_OK);
    EXPECT_EQ(muster_declared_progress(declared), MUSTER_OK);
    EXPECT_EQ(muster_declared_put(declared, 0, mine.data() + 20, 20, 30), MUSTER_OK);
    int64_t bytes = 0;
    EXPECT_EQ(muster_declared_finish(&declared, &bytes), MUSTER_OK) << muster_last_message();
    EXPECT_EQ(bytes, 100);
    EXPECT_EQ(declared, nullptr);
    ASSERT_EQ(muster_declare_read(file, parts, 2, &declared), MUSTER_OK);
    std::vector<char> taken(50);
    EXPECT_EQ(muster_declared_get(declared, 1, taken.data(), 0, -1, &bytes), MUSTER_OK);
    EXPECT_EQ(bytes, 50);
    EXPECT_EQ(taken, mine);
    EXPECT_EQ(muster_declared_finish(&declared, nullptr), MUSTER_OK);
    EXPECT_EQ(muster_declare_write(file, nullptr, 3, &declared), MUSTER_INVALID_ARGUMENT);
    EXPECT_EQ(muster_declare_write(file, parts, 2, &declared), MUSTER_OK);
    EXPECT_EQ(muster_close(&file), MUSTER_INVALID_ARGUMENT) << "not while a declaration is under way";
    EXPECT_NE(file, nullptr);
    EXPECT_EQ(muster_declared_finish(&declared, nullptr), MUSTER_OK);
    EXPECT_EQ(muster_close(&file), MUSTER_OK);
    EXPECT_EQ(file, nullptr);
}

TEST(Tapioca, the_names_of_the_paper_write_and_read) {
    using muster::Tapioca;
    muster::test::SharedPath const shared;
    std::string const path = shared.get();
    muster::Size const rank = rank_of_world();
    auto file = muster::File::open(MPI_COMM_WORLD, path, muster::Mode::create);
    ASSERT_TRUE(file.ok());
    std::vector<double> const x(30, 1.5 + static_cast<double>(rank));
    muster::Size const count[3] = {10, 10, 10};
    muster::Size const size[3] = {8, 8, 8};
    muster::Offset const offset[3] = {rank * 240, rank * 240 + 80, rank * 240 + 160};
    Tapioca tapioca;
    EXPECT_FALSE(tapioca.Write(0, x.data(), 8).ok());
    ASSERT_TRUE(tapioca.Init(*file, count, size, offset, 3).ok());
    EXPECT_TRUE(tapioca.Write(offset[2], x.data(), 80).ok());
    EXPECT_TRUE(tapioca.Write(offset[0], x.data(), 80).ok());
    EXPECT_TRUE(tapioca.Write(offset[1] + 8, x.data(), 72).ok());
    EXPECT_TRUE(tapioca.Write(offset[1], x.data(), 8).ok());
    EXPECT_FALSE(tapioca.Write(rank * 240 + 230, x.data(), 80).ok());
    EXPECT_TRUE(tapioca.Finalize().ok());
    ASSERT_TRUE(tapioca.Init(*file, count, size, offset, 3, Tapioca::Kind::read).ok());
    std::vector<double> y(10);
    EXPECT_TRUE(tapioca.Read(offset[1], y.data(), 80).ok());
    EXPECT_EQ(y, std::vector<double>(10, x[0]));
    EXPECT_TRUE(tapioca.Finalize().ok());
    muster::Size const enormous[3] = {muster::Size{1} << 62, 1, 1};
    EXPECT_FALSE(tapioca.Init(*file, enormous, size, offset, 3).ok()) << "bytes that no number can count";
    EXPECT_TRUE(file->close().ok());
}
