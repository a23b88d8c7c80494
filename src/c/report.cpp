// Reports and hints in C.
#include "c/handles.hpp"

using namespace muster;

namespace {

Status give_hint(muster_file const& file, int number, char const** name, char const** value) {
    auto const& hints = file.hints;
    if (number < 0 || static_cast<std::size_t>(number) >= hints.size())
        return invalid_argument("there is no such hint");
    if (name == nullptr || value == nullptr) return invalid_argument("there is no place for the hint");
    *name = hints[static_cast<std::size_t>(number)].first.c_str();
    *value = hints[static_cast<std::size_t>(number)].second.c_str();
    return {};
}

}  // namespace

muster_error muster_report_text(muster_file const* file, char** text) {
    return guarded(file, [&](muster_file const& own) { return deliver(own.file->report().text(), text); });
}

muster_error muster_report_json(muster_file const* file, char** json) {
    return guarded(file, [&](muster_file const& own) { return deliver(own.file->report().json(), json); });
}

muster_error muster_gathered_report_text(muster_file* file, char** text) {
    return guarded(file, [&](muster_file& own) {
        auto const report = own.file->gather_report();
        return text == nullptr ? Status{} : deliver(report.text(), text);
    });
}

muster_error muster_gathered_report_json(muster_file* file, char** json) {
    return guarded(file, [&](muster_file& own) {
        auto const report = own.file->gather_report();
        return json == nullptr ? Status{} : deliver(report.json(), json);
    });
}

muster_error muster_hint_count(muster_file const* file, int* count) {
    return guarded(file, [&](muster_file const& own) {
        if (count == nullptr) return invalid_argument("there is no place for the number of hints");
        *count = static_cast<int>(own.hints.size());
        return Status{};
    });
}

muster_error muster_hint(muster_file const* file, int number, char const** name, char const** value) {
    return guarded(file, [&](muster_file const& own) { return give_hint(own, number, name, value); });
}
