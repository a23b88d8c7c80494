#include "workloads/options.hpp"

#include <algorithm>
#include <charconv>

#include "core/hints.hpp"

namespace muster {

namespace {

Status refuse(OptionInfo const& info, std::string const& value, std::string const& wanted) {
    return {Code::invalid_argument, "--" + std::string{info.name} + " is '" + value + "', but wants " + wanted};
}

std::string joined(std::vector<std::string_view> const& words) {
    std::string text;
    for (auto const word : words) text += (text.empty() ? "" : "|") + std::string{word};
    return text;
}

// Without exceptions and whatever the locale; not a number: -1.
double parse_real(std::string const& text) {
    double value = 0;
    auto const end = text.data() + text.size();
    auto const parsed = std::from_chars(text.data(), end, value);
    return parsed.ec == std::errc{} && parsed.ptr == end ? value : -1;
}

Status check_number(OptionInfo const& info, std::string const& value) {
    auto const number = parse_size(value);
    if (number.ok() && *number >= info.least) return {};
    return refuse(info, value, "a number of at least " + std::to_string(info.least) + ", as in 512, 16M or 1MiB");
}

Status check_numbers(OptionInfo const& info, std::string const& value) {
    for (auto const& item : split_list(value, ',')) {
        auto const number = parse_size(item);
        if (!number.ok() || *number < info.least) return refuse(info, value, "numbers with commas between them");
    }
    return {};
}

Status check(OptionInfo const& info, std::string const& value) {
    switch (info.kind) {
        case OptionKind::number: return check_number(info, value);
        case OptionKind::numbers: return check_numbers(info, value);
        case OptionKind::real:
            if (parse_real(value) >= static_cast<double>(info.least)) return {};
            return refuse(info, value, "a number of at least " + std::to_string(info.least) + ", as in 2.5");
        case OptionKind::word:
            if (std::find(info.choices.begin(), info.choices.end(), value) != info.choices.end()) return {};
            return refuse(info, value, joined(info.choices));
        case OptionKind::text: return {};
    }
    return {};
}

Status unknown(std::string const& name, std::span<OptionInfo const> table) {
    std::string known;
    for (auto const& info : table) known += " --" + std::string{info.name};
    return {Code::invalid_argument, "there is no option --" + name + " for this workload; there are:" + known};
}

OptionInfo const* find_option(std::span<OptionInfo const> table, std::string_view name) {
    auto const found = std::find_if(table.begin(), table.end(), [&](auto const& info) { return info.name == name; });
    return found == table.end() ? nullptr : &*found;
}

}  // namespace

Result<WorkloadOptions> WorkloadOptions::read(std::span<OptionInfo const> table, std::span<OptionPair const> given) {
    WorkloadOptions options;
    for (auto const& info : table) options.values_.emplace(info.name, info.default_value);
    for (auto const& [name, value] : given) {
        auto const* const info = find_option(table, name);
        if (info == nullptr) return unknown(name, table);
        if (auto const status = check(*info, value); !status.ok()) return status;
        options.values_[name] = value;
    }
    return options;
}

std::string const& WorkloadOptions::text(std::string_view name) const { return values_.find(name)->second; }

Size WorkloadOptions::number(std::string_view name) const { return parse_size(text(name)).value(); }

double WorkloadOptions::real(std::string_view name) const { return parse_real(text(name)); }

std::vector<Size> WorkloadOptions::numbers(std::string_view name) const {
    std::vector<Size> values;
    for (auto const& item : split_list(text(name), ',')) values.push_back(parse_size(item).value());
    return values;
}

std::vector<std::string> split_list(std::string_view text, char separator) {
    std::vector<std::string> items;
    while (!text.empty()) {
        auto const end = std::min(text.find(separator), text.size());
        items.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return items;
}

}  // namespace muster
