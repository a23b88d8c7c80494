#include "inputs.hpp"

#include "replay_parts.hpp"

namespace muster::tool {

namespace {

Result<std::vector<Input>> planned_inputs(std::string const& name) {
    ReplayRequest request;
    request.capture = name;
    auto const replay = open_replay(request);
    if (!replay.ok()) return replay.status();
    std::vector<Input> inputs;
    for (auto const& part : replay->parts) {
        auto const planned = plan_part(*replay, part);
        if (!planned.ok()) return planned.status();
        inputs.push_back({name + ", " + replay->title(part), Source::plan, to_json(*replay, part, *planned)});
    }
    if (inputs.empty()) return Status{Code::invalid_argument, name + " has no collective access"};
    return inputs;
}

Result<Input> input_of(std::string const& name, Json json) {
    auto const source = recognise(json);
    if (!source.ok()) return Status{source.status().code(), name + ": " + source.status().message()};
    return Input{name, *source, std::move(json)};
}

}  // namespace

Result<std::vector<Input>> read_inputs(std::string const& name) {
    if (is_capture(name)) return planned_inputs(name);
    auto json = read_json(name);
    if (!json.ok()) return json.status();
    auto parts = Json::array({*json});
    auto const replayed = json->is_object() && json->value("schema", "") == "muster.replay";
    if (replayed) parts = (*json)["parts"];
    std::vector<Input> inputs;
    for (auto const& part : parts) {
        auto const label = replayed ? name + ", " + part.value("file", "") : name;
        auto input = input_of(label, part);
        if (!input.ok()) return input.status();
        inputs.push_back(std::move(*input));
    }
    return inputs;
}

}  // namespace muster::tool
