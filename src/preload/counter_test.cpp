#include "preload/counter.hpp"

#include <gtest/gtest.h>

#include <set>
#include <thread>
#include <vector>

#include "storage/temporary_file.hpp"

namespace muster::preload {

using test::TemporaryFile;

TEST(Counter, begins_where_it_is_told_and_counts_on) {
    TemporaryFile const file;
    EXPECT_EQ(*count_on(file.path(), 100, 7), 100);
    EXPECT_EQ(*count_on(file.path(), 0, 5), 107);
    EXPECT_EQ(*read_counter(file.path(), 0), 112);
}

TEST(Counter, that_nobody_has_used_tells_its_beginning_and_makes_no_file) {
    TemporaryFile const file;
    remove_counter(file.path());
    EXPECT_EQ(*read_counter(file.path(), 42), 42);
    EXPECT_EQ(*read_counter(file.path(), 43), 43);
    remove_counter(file.path());
}

TEST(Counter, gives_no_number_twice) {
    TemporaryFile const file;
    constexpr int threads = 4, times = 200;
    std::vector<std::vector<Offset>> got(threads);
    std::vector<std::thread> running;
    for (auto& mine : got) {
        running.emplace_back([&] {
            for (int i = 0; i < times; ++i) mine.push_back(*count_on(file.path(), 0, 1));
        });
    }
    for (auto& thread : running) thread.join();
    std::set<Offset> all;
    for (auto const& mine : got) all.insert(mine.begin(), mine.end());
    EXPECT_EQ(all.size(), std::size_t{threads * times});
    EXPECT_EQ(*all.rbegin(), threads * times - 1);
}

TEST(Counter, says_why_it_cannot_count) {
    EXPECT_EQ(count_on("/nowhere/at/all", 0, 1).status().code(), Code::not_found);
}

TEST(Counter, can_be_beside_a_file_where_the_directory_is_writable) {
    TemporaryFile const file;
    EXPECT_TRUE(is_writable_beside(file.path()));
    EXPECT_FALSE(is_writable_beside("/nowhere/at/all"));
}

TEST(Memory, has_the_same_mark_each_time) { EXPECT_EQ(mark_of_memory(), mark_of_memory()); }

}  // namespace muster::preload
