#include "core/json.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace muster {
namespace {

template <class T>
std::string written(T const& value) {
    return JsonWriter{}.value(value).text();
}

TEST(Json, puts_commas_between_and_nowhere_else) {
    JsonWriter json;
    json.begin_object().member("a", Size{1}).key("b").begin_array().value(1).value(2).begin_array().end_array();
    json.end_array().key("c").begin_object().end_object().member("d", true).key("e").null().end_object();
    EXPECT_EQ(json.text(), R"({"a":1,"b":[1,2,[]],"c":{},"d":true,"e":null})");
}

TEST(Json, numbers_come_back_exactly) {
    EXPECT_EQ(written(std::numeric_limits<Size>::min()), "-9223372036854775808");
    EXPECT_EQ(written(0.1), "0.1");
    for (auto const number : {1.0 / 3, 1e-300, 123456789.123456789, -0.5})
        EXPECT_EQ(std::stod(written(number)), number);
}

TEST(Json, what_is_not_finite_is_null) {
    EXPECT_EQ(written(std::numeric_limits<double>::infinity()), "null");
    EXPECT_EQ(written(std::nan("")), "null");
}

TEST(Json, escapes_what_must_be_escaped) {
    EXPECT_EQ(json_string("plain"), R"("plain")");
    EXPECT_EQ(json_string("a\"b\\c\n\t\r"), R"("a\"b\\c\n\t\r")");
    EXPECT_EQ(json_string(std::string_view{"\0\x1f\x7f", 3}), R"("\u0000\u001f\u007f")");
}

TEST(Json, keeps_utf_8) {
    for (auto const* text : {"\xc3\xa4", "\xe2\x82\xac", "\xf0\x9f\x98\x80", "\xed\x9f\xbf", "\xf4\x8f\xbf\xbf"}) {
        EXPECT_EQ(json_string(text), std::string{"\""} + text + "\"");
    }
}

TEST(Json, replaces_bytes_that_are_not_utf_8) {
    EXPECT_EQ(json_string("a\xff"
                          "b"),
              R"("a\ufffdb")");
    EXPECT_EQ(json_string("\xc3"), R"("\ufffd")");                                // cut short
    EXPECT_EQ(json_string("\xc0\xaf"), R"("\ufffd\ufffd")");                      // longer than needed
    EXPECT_EQ(json_string("\xed\xa0\x80"), R"("\ufffd\ufffd\ufffd")");            // half of a surrogate pair
    EXPECT_EQ(json_string("\xf4\x90\x80\x80"), R"("\ufffd\ufffd\ufffd\ufffd")");  // beyond U+10FFFF
    EXPECT_EQ(json_string("\xe2\x82"
                          "x"),
              R"("\ufffd\ufffdx")");
}

}  // namespace
}  // namespace muster
