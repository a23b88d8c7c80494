#include <map>

#include "c/testing.hpp"

namespace muster::test {
namespace {

bool contains(Text const& text, std::string const& part) { return text.str().find(part) != std::string::npos; }

class CReport : public testing::Test {
protected:
    void SetUp() override {
        ASSERT_EQ(muster_write_at_all(file_, 3 * rank(), "abc", 3, MPI_CHAR, nullptr), MUSTER_OK)
            << muster_last_message();
    }

    SharedPath path_;
    OpenFile file_{path_.get()};
    Text text_;
};

TEST_F(CReport, is_a_text_for_people) {
    ASSERT_EQ(muster_report_text(file_, text_.receive()), MUSTER_OK);
    EXPECT_TRUE(contains(text_, path_.get())) << text_.str();
}

TEST_F(CReport, is_json_for_programs) {
    ASSERT_EQ(muster_report_json(file_, text_.receive()), MUSTER_OK);
    EXPECT_EQ(text_.str().front(), '{');
    EXPECT_TRUE(contains(text_, "\"gathered\"")) << text_.str();
    EXPECT_TRUE(contains(text_, path_.get())) << text_.str();
}

TEST_F(CReport, covers_all_ranks_once_gathered) {
    Text json;
    ASSERT_EQ(muster_gathered_report_text(file_, text_.receive()), MUSTER_OK);
    ASSERT_EQ(muster_gathered_report_json(file_, json.receive()), MUSTER_OK);
    EXPECT_TRUE(contains(text_, path_.get())) << text_.str();
    auto compact = json.str();
    std::erase(compact, ' ');
    EXPECT_NE(compact.find("\"gathered\":true"), std::string::npos) << json.str();
    EXPECT_NE(compact.find("\"bytes\":" + std::to_string(3 * ranks())), std::string::npos) << json.str();
}

TEST_F(CReport, is_gathered_also_by_ranks_that_do_not_want_it) {
    ASSERT_EQ(muster_gathered_report_text(file_, rank() == 0 ? text_.receive() : nullptr), MUSTER_OK);
    EXPECT_EQ(text_.str().empty(), rank() != 0);
    EXPECT_EQ(muster_gathered_report_json(file_, nullptr), MUSTER_OK);
}

TEST_F(CReport, needs_a_place) {
    EXPECT_EQ(muster_report_text(file_, nullptr), MUSTER_INVALID_ARGUMENT);
    EXPECT_EQ(muster_report_json(file_, nullptr), MUSTER_INVALID_ARGUMENT);
}

std::map<std::string, std::string> hints_of(muster_file* file) {
    int count = 0;
    EXPECT_EQ(muster_hint_count(file, &count), MUSTER_OK);
    std::map<std::string, std::string> hints;
    for (int i = 0; i < count; ++i) {
        char const *name = nullptr, *value = nullptr;
        EXPECT_EQ(muster_hint(file, i, &name, &value), MUSTER_OK);
        hints[name] = value;
    }
    EXPECT_EQ(hints.size(), static_cast<std::size_t>(count));
    return hints;
}

TEST(CHints, in_force_are_those_of_the_info_and_the_defaults) {
    SharedPath path;
    Info const info{"muster_window", "3MiB"};
    OpenFile file{path.get(), MUSTER_CREATE, info};
    auto const hints = hints_of(file);
    EXPECT_EQ(hints.at("muster_window"), "3MiB");
    EXPECT_EQ(hints.at("muster_faults"), "");
    EXPECT_TRUE(hints.contains("muster_collective_write"));
}

TEST(CHints, beyond_the_last_do_not_exist) {
    SharedPath path;
    OpenFile file{path.get()};
    int count = 0;
    char const *name = nullptr, *value = nullptr;
    ASSERT_EQ(muster_hint_count(file, &count), MUSTER_OK);
    EXPECT_EQ(muster_hint(file, count, &name, &value), MUSTER_INVALID_ARGUMENT);
    EXPECT_EQ(muster_hint(file, -1, &name, &value), MUSTER_INVALID_ARGUMENT);
    EXPECT_EQ(muster_hint(file, 0, nullptr, &value), MUSTER_INVALID_ARGUMENT);
    EXPECT_EQ(muster_hint_count(file, nullptr), MUSTER_INVALID_ARGUMENT);
}

}  // namespace
}  // namespace muster::test
