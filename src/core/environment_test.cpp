#include "core/environment.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace muster {
namespace {

// Sets variables while it lives; all others that are ours are hidden by the fixture.
class Environment : public testing::Test {
protected:
    void SetUp() override { before_ = clear(); }
    void TearDown() override {
        clear();
        for (auto const& [name, value] : before_) set(name, value);
    }

    static void set(std::string const& name, std::string const& value) { setenv(name.c_str(), value.c_str(), 1); }

private:
    static std::vector<HintPair> clear() {
        auto found = environment_variables("MUSTER_");
        for (auto const& [name, value] : found) unsetenv(name.c_str());
        return found;
    }

    std::vector<HintPair> before_;
};

TEST_F(Environment, lists_variables_by_prefix) {
    set("MUSTER_B", "x=y");
    set("MUSTER_A", "");
    EXPECT_EQ(environment_variables("MUSTER_"), (std::vector<HintPair>{{"MUSTER_A", ""}, {"MUSTER_B", "x=y"}}));
    EXPECT_EQ(environment_variable("MUSTER_B"), "x=y");
    EXPECT_EQ(environment_variable("MUSTER_C"), std::nullopt);
}

TEST_F(Environment, overrides_what_the_program_says) {
    Hints hints;
    hints.window = 1 << 20;
    hints.throttle = 8;
    set("MUSTER_WINDOW", "4MiB");
    ASSERT_TRUE(read_environment(hints).ok());
    EXPECT_EQ(hints.window, 4 << 20);
    EXPECT_EQ(hints.throttle, 8);
}

TEST_F(Environment, has_a_variable_for_every_hint) {
    Hints wanted;
    wanted.aggregators_per_node = 2;
    wanted.aggregator_list = {1, 2};
    wanted.data_kernel = Kernel::balanced;
    for (auto const& [name, value] : list_hints(wanted)) {
        auto variable = name;
        for (auto& letter : variable) letter = static_cast<char>(std::toupper(letter));
        set(variable, value);
    }
    Hints hints;
    hints.windows = 5;
    HintNotes notes;
    ASSERT_TRUE(read_environment(hints, &notes).ok());
    EXPECT_EQ(hints, wanted);
    EXPECT_TRUE(notes.empty());
}

TEST_F(Environment, a_bad_value_names_the_variable_and_changes_nothing) {
    set("MUSTER_AGGREGATORS", "4");
    set("MUSTER_WINDOWS", "none");
    Hints hints;
    auto const status = read_environment(hints);
    EXPECT_EQ(status.code(), Code::invalid_hint);
    EXPECT_EQ(
        status.message(),
        "environment variable MUSTER_WINDOWS: muster_windows cannot be 'none': allowed is a whole number of windows, 1 to 1024");
    EXPECT_EQ(hints, Hints{});
}

TEST_F(Environment, unknown_variables_are_noted_and_reserved_ones_are_not) {
    set("MUSTER_REPORT", "1");
    set("MUSTER_ENABLE", "1");
    set("MUSTER_SUMMARY", "1");
    set("MUSTER_WINDW", "1");
    Hints hints;
    HintNotes notes;
    ASSERT_TRUE(read_environment(hints, &notes).ok());
    EXPECT_EQ(hints, Hints{});
    EXPECT_EQ(notes, (HintNotes{{"MUSTER_WINDW", "ignored", "there is no hint for this environment variable"}}));
}

}  // namespace
}  // namespace muster
