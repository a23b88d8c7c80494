// Writes JSON, so that reports need no other library.
#pragma once

#include <string>
#include <string_view>

#include "muster/export.h"
#include "muster/extent.hpp"

namespace muster {

// Values and members in reading order; commas come by themselves:
//   JsonWriter json;
//   json.begin_object().key("rounds").value(Size{3}).end_object();
//   json.text()  ->  {"rounds":3}
class MUSTER_API JsonWriter {
public:
    JsonWriter& begin_object() { return open('{'); }
    JsonWriter& end_object() { return close('}'); }
    JsonWriter& begin_array() { return open('['); }
    JsonWriter& end_array() { return close(']'); }
    JsonWriter& key(std::string_view name);
    JsonWriter& value(std::string_view text);
    JsonWriter& value(char const* text) { return value(std::string_view{text}); }
    JsonWriter& value(Size number);
    JsonWriter& value(int number) { return value(Size{number}); }
    JsonWriter& value(double number);  // null if it is not finite: JSON has no word for that
    JsonWriter& value(bool truth);
    JsonWriter& null();

    template <class T>
    JsonWriter& member(std::string_view name, T const& content) {
        return key(name).value(content);
    }

    std::string const& text() const { return text_; }

private:
    JsonWriter& open(char bracket);
    JsonWriter& close(char bracket);
    JsonWriter& literal(std::string_view text);
    void separate();

    std::string text_;
    bool comma_{false};  // wanted before the next value
};

// With quotes. Bytes that are not UTF-8 become U+FFFD, so that any file name gives valid JSON.
std::string json_string(std::string_view text);

}  // namespace muster
