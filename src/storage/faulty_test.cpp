#include "storage/faulty.hpp"

#include <gtest/gtest.h>

#include <cerrno>

#include "storage/temporary_file.hpp"

namespace muster {
namespace {

using namespace test;

std::vector<Fault> parsed(std::string_view text) {
    auto faults = parse_faults(text);
    EXPECT_TRUE(faults.ok()) << faults.status().text();
    return faults ? *faults : std::vector<Fault>{};
}

class FaultyFile : public testing::Test {
protected:
    std::unique_ptr<Storage> with(std::string_view faults, Rank rank = 0) {
        auto storage = open_posix(file_.path(), {});
        EXPECT_TRUE(storage.ok());
        return inject_faults(std::move(*storage), parsed(faults), rank);
    }
    TemporaryFile file_;
    Bytes const data_ = bytes_of("0123456789");
};

TEST(Faults, are_read_from_text) {
    auto const faults = parsed("write:3:ENOSPC@2;read:*:EIO@*;write:2:short@0;open:1:EACCES@1;lock:1:delay=25@*");
    std::vector<Fault> const expected{
        {.operation = Operation::write, .call = 3, .error = ENOSPC, .rank = 2},
        {.operation = Operation::read, .call = Fault::every_call, .error = EIO},
        {.operation = Operation::write, .call = 2, .kind = Fault::Kind::short_transfer, .rank = 0},
        {.operation = Operation::open, .call = 1, .error = EACCES, .rank = 1},
        {.operation = Operation::lock, .kind = Fault::Kind::delay, .delay = std::chrono::milliseconds{25}}};
    EXPECT_EQ(faults, expected);
    EXPECT_TRUE(parsed("").empty());
    EXPECT_EQ(parsed("sync:1:EIO@*;").size(), 1U);
}

TEST(Faults, that_make_no_sense_are_refused) {
    for (auto const* text :
         {"write", "write:1", "write:1:EIO", "write:1:EIO@", "write:0:EIO@1", "write:-1:EIO@1", "write:1x:EIO@1",
          "write:1:EIO@1x", "write:1:EIO@-1", "write:1:EWHAT@1", "wirte:1:EIO@1", "lock:1:short@1", "write:1:delay=@1",
          "write:1:delay=x@1", ";write:1:EIO@1", "read:1:EIO@0;x"}) {
        auto const faults = parse_faults(text);
        EXPECT_FALSE(faults.ok()) << text;
        EXPECT_EQ(faults.status().code(), Code::invalid_hint);
    }
}

TEST_F(FaultyFile, fails_the_call_that_was_named_and_no_other) {
    auto const storage = with("write:2:ENOSPC@0");
    EXPECT_TRUE(storage->write_at(0, data_).ok());
    auto const second = storage->write_at(0, data_);
    ASSERT_FALSE(second.ok());
    EXPECT_EQ(second.status().code(), Code::no_space);
    EXPECT_EQ(second.status().system_error(), ENOSPC);
    EXPECT_TRUE(storage->write_at(0, data_).ok());
}

TEST_F(FaultyFile, fails_every_call_where_asked) {
    auto const storage = with("read:*:EIO@*");
    Bytes into(4);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(storage->read_at(0, into).status().system_error(), EIO);
    EXPECT_TRUE(storage->write_at(0, data_).ok());
}

TEST_F(FaultyFile, is_only_for_the_rank_that_was_named) {
    EXPECT_TRUE(with("write:1:EIO@2", 1)->write_at(0, data_).ok());
    EXPECT_FALSE(with("write:1:EIO@2", 2)->write_at(0, data_).ok());
}

TEST_F(FaultyFile, transfers_half_when_short_and_at_least_one_byte) {
    auto const storage = with("write:1:short@*;write:2:short@*;read:1:short@*");
    EXPECT_EQ(*storage->write_at(0, data_), 5);
    EXPECT_EQ(*storage->write_at(9, std::span{data_}.subspan(9)), 1);
    Bytes into(10);
    EXPECT_EQ(*storage->read_at(0, into), 5);
}

TEST_F(FaultyFile, short_transfers_are_continued) {
    auto const storage = with("write:1:short@*;write:2:short@*;read:1:short@*");
    ASSERT_TRUE(write_fully(*storage, 0, data_).ok());
    Bytes into(10);
    EXPECT_EQ(*read_fully(*storage, 0, into), 10);
    EXPECT_EQ(into, data_);
}

TEST_F(FaultyFile, waits_and_then_goes_on_when_delayed) {
    auto const storage = with("sync:1:delay=20@*");
    auto const start = std::chrono::steady_clock::now();
    EXPECT_TRUE(storage->sync().ok());
    EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::milliseconds{20});
}

TEST_F(FaultyFile, fails_each_kind_of_call) {
    auto const storage = with(
        "lock:1:ENOLCK@*;unlock:1:EIO@*;size:1:EIO@*;resize:1:EFBIG@*;reserve:1:ENOSPC@*;sync:1:EIO@*;close:1:EDQUOT@"
        "*");
    EXPECT_EQ(storage->lock({0, 1}).system_error(), ENOLCK);
    EXPECT_EQ(storage->unlock({0, 1}).system_error(), EIO);
    EXPECT_EQ(storage->size().status().system_error(), EIO);
    EXPECT_EQ(storage->resize(1).system_error(), EFBIG);
    EXPECT_EQ(storage->reserve(1).system_error(), ENOSPC);
    EXPECT_EQ(storage->sync().system_error(), EIO);
    EXPECT_EQ(*storage->size(), 0) << "the faulty resize and reserve did nothing";
    EXPECT_EQ(storage->close().system_error(), EDQUOT);
    EXPECT_TRUE(storage->close().ok());
}

TEST(Faults, of_opening_are_asked_for) {
    auto const faults = parsed("open:2:EACCES@1");
    EXPECT_TRUE(open_fault(faults, 1).ok());
    EXPECT_EQ(open_fault(faults, 1, 2).code(), Code::permission_denied);
    EXPECT_TRUE(open_fault(faults, 0, 2).ok());
}

}  // namespace
}  // namespace muster
