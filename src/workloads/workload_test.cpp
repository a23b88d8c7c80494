#include "workloads/workload.hpp"

#include <gtest/gtest.h>

#include "core/merge.hpp"
#include "workloads/registry.hpp"

namespace muster {
namespace {

struct Case {
    char const* name;
    int ranks;
    std::vector<OptionPair> options;
};

std::ostream& operator<<(std::ostream& out, Case const& c) {
    out << c.name << " on " << c.ranks;
    for (auto const& [option, value] : c.options) out << " --" << option << " " << value;
    return out;
}

std::vector<Extent> pieces_of(Stream const& stream) {
    std::vector<Extent> pieces;
    stream.for_each([&](Offset offset, Size length) { pieces.push_back({offset, length}); });
    return pieces;
}

class EveryWorkload : public testing::TestWithParam<Case> {
protected:
    Workload make() const {
        auto workload = make_workload(GetParam().name, GetParam().ranks, GetParam().options);
        EXPECT_TRUE(workload.ok()) << workload.status().text();
        return workload.ok() ? *workload : Workload{};
    }
};

TEST_P(EveryWorkload, has_ordered_streams) {
    auto const workload = make();
    for (Rank rank = 0; rank < workload.ranks; ++rank) {
        EXPECT_TRUE(workload.file_of(rank).shape.ordered());
        for (int i = 0; i < static_cast<int>(workload.variables.size()); ++i) {
            EXPECT_TRUE(workload.file_of(rank, i).shape.ordered());
        }
    }
}

TEST_P(EveryWorkload, covers_each_variable_exactly_once) {
    auto const workload = make();
    for (int i = 0; i < static_cast<int>(workload.variables.size()); ++i) {
        auto const& variable = workload.variables[static_cast<std::size_t>(i)];
        std::vector<Extent> all;
        Size bytes = 0;
        for (Rank rank = 0; rank < workload.ranks; ++rank) {
            auto const pieces = pieces_of(workload.file_of(rank, i));
            all.insert(all.end(), pieces.begin(), pieces.end());
            bytes += workload.file_of(rank, i).size();
        }
        Size covered = 0;
        auto const unions = cover(all);
        for (auto const& extent : unions) covered += extent.length;
        EXPECT_EQ(bytes, variable.bytes) << variable.name;
        EXPECT_EQ(covered, variable.bytes) << variable.name;
        if (!workload.interleaved && variable.bytes > 0) {
            ASSERT_EQ(unions.size(), 1u) << variable.name;
            EXPECT_EQ(unions[0].offset, variable.base) << variable.name;
        }
    }
}

TEST_P(EveryWorkload, covers_the_file_exactly_once) {
    auto const workload = make();
    std::vector<Extent> all;
    Size bytes = 0;
    for (Rank rank = 0; rank < workload.ranks; ++rank) {
        auto const pieces = pieces_of(workload.file_of(rank));
        all.insert(all.end(), pieces.begin(), pieces.end());
        bytes += workload.file_of(rank).size();
    }
    EXPECT_EQ(bytes, workload.bytes());
    EXPECT_EQ(cover(all), (std::vector<Extent>{{0, workload.bytes()}}));
}

TEST_P(EveryWorkload, stores_in_one_call_what_it_stores_variable_by_variable) {
    auto const workload = make();
    for (Rank rank = 0; rank < workload.ranks; ++rank) {
        std::vector<Extent> pieces;
        for (int i = 0; i < static_cast<int>(workload.variables.size()); ++i) {
            auto const more = pieces_of(workload.file_of(rank, i));
            pieces.insert(pieces.end(), more.begin(), more.end());
        }
        EXPECT_EQ(cover(pieces), cover(pieces_of(workload.file_of(rank))));
    }
}

INSTANTIATE_TEST_SUITE_P(
    Small, EveryWorkload,
    testing::Values(
        Case{"e3sm-f", 1, {{"ne", "1"}, {"levels", "3"}, {"d2", "2"}, {"d3", "2"}}},
        Case{"e3sm-f", 7, {{"ne", "3"}, {"levels", "3"}, {"d2", "2"}, {"d3", "2"}}},
        Case{"e3sm-f", 60, {{"ne", "2"}, {"levels", "2"}, {"d2", "1"}, {"d3", "1"}, {"run", "1"}}},
        Case{"e3sm-g", 5, {{"cells", "500"}, {"edges", "0"}, {"vertices", "0"}, {"levels", "3"}}},
        Case{"e3sm-g",
             7,
             {{"cells", "501"},
              {"neighbourhood", "64"},
              {"edges", "1499"},
              {"vertices", "990"},
              {"levels", "2"},
              {"integer-bytes", "4"},
              {"run", "2.5"}}},
        Case{"btio", 1, {{"grid", "4"}, {"variables", "2"}}}, Case{"btio", 4, {{"grid", "5"}, {"variables", "2"}}},
        Case{"btio", 9, {{"grid", "7"}, {"variables", "3"}}}, Case{"s3d", 1, {{"grid", "4"}}},
        Case{"s3d", 12, {{"grid", "7"}}}, Case{"s3d", 6, {{"grid", "5"}, {"processes", "1,2,3"}}},
        Case{"cube", 7, {{"grid", "8"}}}, Case{"cube", 64, {{"grid", "3"}}},
        Case{"flash", 5, {{"more-blocks", "2"}, {"variables", "3"}}}, Case{"flash", 2, {}},
        Case{"hacc", 3, {{"particles", "11"}}}, Case{"hacc", 3, {{"particles", "11"}, {"arrangement", "arrays"}}},
        Case{"array1d", 4, {}}, Case{"array1d", 33, {{"distribution", "random"}}},
        Case{"array1d", 33, {{"distribution", "normal"}}},
        Case{"noncontig", 5, {{"datasets", "3"}, {"dataset-bytes", "10007"}, {"block-side", "3"}}},
        Case{"noncontig", 4, {{"datasets", "2"}, {"dataset-bytes", "100"}}},
        Case{"noncontig", 7, {{"datasets", "2"}, {"dataset-bytes", "65536"}, {"block-side", "4"}, {"element", "8"}}},
        Case{"contiguous", 3, {}}, Case{"strided", 4, {{"block", "100"}, {"blocks", "9"}}}));

TEST(Workloads, have_defaults_that_their_own_tables_accept) {
    for (auto const& info : workload_table()) {
        std::vector<OptionPair> defaults;
        for (auto const& option : info.options) defaults.emplace_back(option.name, option.default_value);
        auto const options = WorkloadOptions::read(info.options, defaults);
        EXPECT_TRUE(options.ok()) << info.name << ": " << options.status().text();
        EXPECT_FALSE(info.meaning.empty());
    }
}

TEST(Workloads, say_what_there_is_when_asked_for_something_else) {
    EXPECT_EQ(make_workload("btoi", 4).status().code(), Code::not_found);
    EXPECT_NE(make_workload("btoi", 4).status().message().find("btio"), std::string::npos);
    std::vector<OptionPair> const unknown{{"gird", "5"}};
    EXPECT_NE(make_workload("btio", 4, unknown).status().message().find("--grid"), std::string::npos);
    std::vector<OptionPair> const bad{{"grid", "many"}};
    EXPECT_EQ(make_workload("btio", 4, bad).status().code(), Code::invalid_argument);
}

TEST(Workloads, refuse_what_they_cannot_be) {
    std::vector<OptionPair> const small{{"grid", "2"}};
    std::vector<OptionPair> const huge{{"grid", "1T"}};
    std::vector<OptionPair> const processes{{"processes", "2,2,2"}};
    EXPECT_FALSE(make_workload("btio", 5).ok());
    EXPECT_FALSE(make_workload("btio", 9, small).ok());
    EXPECT_FALSE(make_workload("cube", 8, huge).ok());
    EXPECT_FALSE(make_workload("s3d", 9, processes).ok());
    EXPECT_FALSE(make_workload("map", 9).ok());
    EXPECT_FALSE(make_workload("cube", 0).ok());
}

}  // namespace
}  // namespace muster
