#include "table.hpp"

#include <gtest/gtest.h>

namespace muster::tool {
namespace {

TEST(Table, lines_its_columns_up) {
    EXPECT_EQ(table_text({{"a", "bbb", "c"}, {"aaaa", "b", "c"}}, 100), "a     bbb  c\naaaa  b    c\n");
}

TEST(Table, wraps_its_last_column) {
    auto const text = table_text({{"name", "these are words enough for more than one line of text"}}, 40);
    EXPECT_EQ(text, "name  these are words enough for more\n      than one line of text\n");
}

TEST(Numbers, have_commas) {
    EXPECT_EQ(with_commas(0), "0");
    EXPECT_EQ(with_commas(999), "999");
    EXPECT_EQ(with_commas(1000), "1,000");
    EXPECT_EQ(with_commas(1342177280), "1,342,177,280");
    EXPECT_EQ(with_commas(-123456), "-123,456");
}

}  // namespace
}  // namespace muster::tool
