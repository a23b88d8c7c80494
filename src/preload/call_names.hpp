// What the name of a function says about it.
#pragma once

#include <array>
#include <string_view>

#include "intercept/calls.hpp"
#include "plan/plan.hpp"

namespace muster::preload {

enum class CallName : int {
#define MUSTER_NAME(name, parameters, arguments) name,
    MUSTER_CALLS(MUSTER_NAME)
#undef MUSTER_NAME
        count
};
inline constexpr auto call_count = static_cast<std::size_t>(CallName::count);

inline constexpr std::array<std::string_view, call_count> call_names{
#define MUSTER_NAME(name, parameters, arguments) "MPI_File_" #name,
    MUSTER_CALLS(MUSTER_NAME)
#undef MUSTER_NAME
};
constexpr std::string_view name_of(CallName call) { return call_names[static_cast<std::size_t>(call)]; }

enum class Place { offset, pointer, shared_pointer };
enum class Form { blocking, begin, end, nonblocking };

struct Facts {
    Direction direction{Direction::write};
    bool collective{false};
    Place place{Place::offset};
    Form form{Form::blocking};
};

constexpr Facts facts_of(CallName call) {
    auto const name = name_of(call);
    auto const has = [&](std::string_view word) { return name.find(word) != name.npos; };
    Facts facts;
    facts.direction = has("read") ? Direction::read : Direction::write;
    facts.collective = has("_all") || has("_ordered");
    if (has("_shared") || has("_ordered")) {
        facts.place = Place::shared_pointer;
    } else if (!has("_at")) {
        facts.place = Place::pointer;
    }
    if (has("_iread") || has("_iwrite")) facts.form = Form::nonblocking;
    if (has("_begin")) facts.form = Form::begin;
    if (has("_end")) facts.form = Form::end;
    return facts;
}

inline constexpr auto all_facts = [] {
    std::array<Facts, call_count> facts{};
    for (std::size_t i = 0; i < call_count; ++i) facts[i] = facts_of(static_cast<CallName>(i));
    return facts;
}();
constexpr Facts const& facts(CallName call) { return all_facts[static_cast<std::size_t>(call)]; }

}  // namespace muster::preload
