#include "plan_request.hpp"

#include <gtest/gtest.h>

namespace muster::tool {
namespace {

PlanRequest request_for(std::string workload) {
    PlanRequest request;
    request.workload = std::move(workload);
    request.ranks = "16";
    request.ranks_per_node = "4";
    return request;
}

TEST(PlanRequest, takes_units_everywhere) {
    auto request = request_for("btio");
    request.ranks = "1k";
    request.window = "16MiB";
    request.layout = "striped";
    request.aggregators = "64";
    request.workload_options = {"--grid", "1k", "--variables=3"};
    auto const subject = understand(request);
    ASSERT_TRUE(subject.ok()) << subject.status().text();
    EXPECT_EQ(subject->machine.rank_count(), 1024);
    EXPECT_EQ(subject->hints.window, Size{16} << 20);
    EXPECT_EQ(subject->layout.stripe_size, Size{16} << 20);
    EXPECT_EQ(subject->layout.stripe_count, 64);
    EXPECT_EQ(subject->workload.variables.size(), 3u);
    EXPECT_EQ(subject->workload.variables[0].bytes, Size{1024} * 1024 * 1024 * 40);
}

TEST(PlanRequest, has_the_papers_ranks_by_default) {
    PlanRequest request;
    request.workload = "e3sm-f";
    request.workload_options = {"--ne", "4"};
    auto const subject = understand(request);
    ASSERT_TRUE(subject.ok());
    EXPECT_EQ(subject->machine.rank_count(), 21600);
    EXPECT_EQ(subject->machine.node_count(), 338);
}

TEST(PlanRequest, divides_ranks_among_nodes) {
    auto request = request_for("strided");
    request.ranks_per_node.clear();
    request.nodes = "3";
    auto const subject = understand(request);
    ASSERT_TRUE(subject.ok());
    EXPECT_EQ(subject->machine.node_count(), 3);
    request.nodes = "10";
    EXPECT_FALSE(understand(request).ok());
}

TEST(PlanRequest, that_names_aggregators_asks_for_an_exchange) {
    auto request = request_for("contiguous");
    EXPECT_EQ(understand(request)->hints.collective_write, Toggle::automatic);
    request.aggregators = "2";
    EXPECT_EQ(understand(request)->hints.collective_write, Toggle::on);
    request.hints = {"muster_collective_write=off"};
    EXPECT_EQ(understand(request)->hints.collective_write, Toggle::off);
}

TEST(PlanRequest, is_refused_when_it_makes_no_sense) {
    auto const refuses = [](auto change) {
        auto request = request_for("strided");
        change(request);
        auto const subject = understand(request);
        return !subject.ok() && !subject.status().message().empty();
    };
    EXPECT_TRUE(refuses([](PlanRequest& request) { request.workload = "nothing"; }));
    EXPECT_TRUE(refuses([](PlanRequest& request) { request.ranks = "0"; }));
    EXPECT_TRUE(refuses([](PlanRequest& request) { request.ranks = "many"; }));
    EXPECT_TRUE(refuses([](PlanRequest& request) { request.layout = "stripy"; }));
    EXPECT_TRUE(refuses([](PlanRequest& request) { request.mode = "both"; }));
    EXPECT_TRUE(refuses([](PlanRequest& request) { request.direction = "up"; }));
    EXPECT_TRUE(refuses([](PlanRequest& request) { request.window = "0"; }));
    EXPECT_TRUE(refuses([](PlanRequest& request) { request.local_aggregators = "17"; }));
    EXPECT_TRUE(refuses([](PlanRequest& request) { request.hints = {"muster_windows"}; }));
    EXPECT_TRUE(refuses([](PlanRequest& request) { request.hints = {"unheard_of=1"}; }));
    EXPECT_TRUE(refuses([](PlanRequest& request) { request.hints = {"muster_windows=x"}; }));
    EXPECT_TRUE(refuses([](PlanRequest& request) { request.workload_options = {"--block"}; }));
    EXPECT_TRUE(refuses([](PlanRequest& request) { request.workload_options = {"4096"}; }));
    EXPECT_TRUE(refuses([](PlanRequest& request) { request.workload_options = {"--bolck", "4096"}; }));
}

}  // namespace
}  // namespace muster::tool
