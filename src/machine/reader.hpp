// Reads words and numbers off the front of a text; blanks before them do not matter.
#pragma once

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>

namespace muster {

class Reader {
public:
    explicit Reader(std::string_view text) : rest_{text} {}

    bool take(std::string_view word) {
        skip_blanks();
        if (!rest_.starts_with(word)) return false;
        rest_.remove_prefix(word.size());
        return true;
    }

    std::optional<int> take_number() {
        auto const number = take_value<int>();
        return number && *number >= 0 ? number : std::nullopt;
    }

    // A number that may have a point, not negative.
    std::optional<double> take_decimal() {
        auto const number = take_value<double>();
        return number && *number >= 0 ? number : std::nullopt;
    }

    // Everything up to the next blank or one of the separators ",;/".
    std::string take_name() {
        skip_blanks();
        auto const end = std::min(rest_.find_first_of(" \t\n,;/"), rest_.size());
        std::string name{rest_.substr(0, end)};
        rest_.remove_prefix(end);
        return name;
    }

    bool at_end() {
        skip_blanks();
        return rest_.empty();
    }

    std::string rest() {
        skip_blanks();
        return rest_.empty() ? "the end" : "'" + std::string{rest_} + "'";
    }

private:
    template <class Number>
    std::optional<Number> take_value() {
        skip_blanks();
        Number number{};
        auto const [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), number);
        if (error != std::errc{}) return std::nullopt;
        if (number >= 0) rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
        return number;
    }
    void skip_blanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size())); }

    std::string_view rest_;
};

}  // namespace muster
