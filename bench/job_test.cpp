#include "job.hpp"

#include <gtest/gtest.h>

namespace muster::bench {
namespace {

std::vector<std::string> const least{"--workload", "cube",          "--directory", "/tmp",
                                     "--back-end", "muster/muster", "--operation", "write"};

Result<Job> parse_with(std::vector<std::string> const& more) {
    auto words = least;
    words.insert(words.end(), more.begin(), more.end());
    return parse_job(words);
}

TEST(Job, is_read_from_words) {
    auto const job = parse_with({"--operation", "read", "--steps", "3", "--mode", "independent", "--option", "grid=8",
                                 "--cache", "cold", "--views", "each"});
    ASSERT_TRUE(job.ok()) << job.status().text();
    EXPECT_EQ(job->operations, (std::vector{Operation::write, Operation::read}));
    EXPECT_EQ(job->options, (std::vector<OptionPair>{{"grid", "8"}}));
    EXPECT_EQ(job->steps, 3);
    EXPECT_TRUE(job->independent);
    EXPECT_TRUE(job->cold);
    EXPECT_TRUE(job->view_each);
    EXPECT_FALSE(job->overwrite);
}

TEST(Job, without_what_it_needs_is_refused) {
    for (std::size_t i = 0; i < least.size(); i += 2) {
        auto words = least;
        words.erase(words.begin() + static_cast<std::ptrdiff_t>(i), words.begin() + static_cast<std::ptrdiff_t>(i) + 2);
        EXPECT_FALSE(parse_job(words).ok()) << least[i];
    }
    EXPECT_TRUE(parse_job(least).ok());
}

TEST(Job, with_nonsense_is_refused) {
    EXPECT_FALSE(parse_with({"--runs", "0"}).ok());
    EXPECT_FALSE(parse_with({"--runs", "x"}).ok());
    EXPECT_FALSE(parse_with({"--runs"}).ok());
    EXPECT_FALSE(parse_with({"--colour", "red"}).ok());
    EXPECT_FALSE(parse_with({"--mode", "both"}).ok());
    EXPECT_FALSE(parse_with({"--option", "grid"}).ok());
}

TEST(BackEnd, has_a_kind_a_label_and_hints) {
    auto const plain = parse_back_end("native/mpi");
    ASSERT_TRUE(plain.ok());
    EXPECT_EQ(plain->kind, Kind::native);
    EXPECT_EQ(plain->label, "mpi");
    auto const tuned = parse_back_end("plan/tuned:muster_window=1MiB,cb_nodes=4");
    ASSERT_TRUE(tuned.ok());
    EXPECT_EQ(tuned->kind, Kind::kept);
    EXPECT_EQ(tuned->hints, (std::vector<HintPair>{{"muster_window", "1MiB"}, {"cb_nodes", "4"}}));
    EXPECT_FALSE(parse_back_end("muster").ok());
    EXPECT_FALSE(parse_back_end("other/x").ok());
    EXPECT_FALSE(parse_back_end("muster/").ok());
    EXPECT_FALSE(parse_back_end("muster/x:window").ok());
}

}  // namespace
}  // namespace muster::bench
