#include "core/json.hpp"

#include <array>
#include <charconv>
#include <cmath>

namespace muster {

namespace {

unsigned byte_at(std::string_view text, std::size_t index) { return static_cast<unsigned char>(text[index]); }

// The first byte tells how many follow, and the range of the second (RFC 3629: no surrogates, nothing encoded too long).
struct Lead {
    std::size_t length{0};  // 0: cannot start a character
    unsigned low{0x80};     // second byte
    unsigned high{0xBF};
};

Lead lead_of(unsigned byte) {
    if (byte < 0x80) return {1};
    if (byte >= 0xC2 && byte <= 0xDF) return {2};
    if (byte == 0xE0) return {3, 0xA0};
    if (byte == 0xED) return {3, 0x80, 0x9F};
    if (byte >= 0xE1 && byte <= 0xEF) return {3};
    if (byte == 0xF0) return {4, 0x90};
    if (byte == 0xF4) return {4, 0x80, 0x8F};
    if (byte >= 0xF1 && byte <= 0xF3) return {4};
    return {};
}

// Bytes of the character that `text` starts with, 0 if it starts with none.
std::size_t character_length(std::string_view text) {
    auto const lead = lead_of(byte_at(text, 0));
    if (lead.length > text.size()) return 0;
    for (std::size_t i = 1; i < lead.length; ++i) {
        auto const byte = byte_at(text, i);
        if (byte < (i == 1 ? lead.low : 0x80) || byte > (i == 1 ? lead.high : 0xBF)) return 0;
    }
    return lead.length;
}

void append_control(std::string& out, unsigned byte) {
    constexpr std::string_view digits = "0123456789abcdef";
    out.append("\\u00");
    out.push_back(digits[byte >> 4]);
    out.push_back(digits[byte & 15]);
}

void append_ascii(std::string& out, char letter) {
    switch (letter) {
        case '"': out.append("\\\""); return;
        case '\\': out.append("\\\\"); return;
        case '\n': out.append("\\n"); return;
        case '\r': out.append("\\r"); return;
        case '\t': out.append("\\t"); return;
        default: break;
    }
    auto const byte = static_cast<unsigned char>(letter);
    if (byte < 0x20 || byte == 0x7F) return append_control(out, byte);
    out.push_back(letter);
}

}  // namespace

std::string json_string(std::string_view text) {
    std::string out{'"'};
    while (!text.empty()) {
        auto const length = character_length(text);
        if (length == 1) {
            append_ascii(out, text[0]);
        } else {
            out.append(length == 0 ? std::string_view{"\\ufffd"} : text.substr(0, length));
        }
        text.remove_prefix(length == 0 ? 1 : length);
    }
    out.push_back('"');
    return out;
}

void JsonWriter::separate() {
    if (comma_) text_.push_back(',');
    comma_ = true;
}

JsonWriter& JsonWriter::open(char bracket) {
    separate();
    text_.push_back(bracket);
    comma_ = false;
    return *this;
}

JsonWriter& JsonWriter::close(char bracket) {
    text_.push_back(bracket);
    comma_ = true;
    return *this;
}

JsonWriter& JsonWriter::literal(std::string_view text) {
    separate();
    text_.append(text);
    return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
    literal(json_string(name)).text_.push_back(':');
    comma_ = false;
    return *this;
}

JsonWriter& JsonWriter::value(std::string_view text) { return literal(json_string(text)); }
JsonWriter& JsonWriter::value(Size number) { return literal(std::to_string(number)); }
JsonWriter& JsonWriter::value(bool truth) { return literal(truth ? "true" : "false"); }
JsonWriter& JsonWriter::null() { return literal("null"); }

JsonWriter& JsonWriter::value(double number) {
    if (!std::isfinite(number)) return null();
    std::array<char, 32> digits{};
    auto const end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    return literal({digits.data(), static_cast<std::size_t>(end - digits.data())});
}

}  // namespace muster
