#include "replay_parts.hpp"

#include <algorithm>
#include <filesystem>

namespace muster::tool {

namespace {

ReplayPart part_of(Capture const& capture, std::size_t index, bool write) {
    ReplayPart part{index, write};
    auto const& file = capture.files()[index];
    for (auto const& call : file.calls) {
        if (call.write != write) continue;
        ++part.calls;
        part.bytes += capture.bytes(file, call);
        part.pieces += capture.pieces(file, call);
    }
    return part;
}

// Of the capture and of the command line; the latter count more.
std::vector<std::string> own_hints(Replay const& replay, ReplayPart const& part) {
    std::vector<std::string> hints;
    for (auto const& [name, value] : replay.file(part).hints) {
        if (name.starts_with("muster_")) hints.push_back(name + "=" + value);
    }
    hints.insert(hints.end(), replay.request.hints.begin(), replay.request.hints.end());
    return hints;
}

// What the program said to the MPI.
std::vector<std::string> native_hints(Replay const& replay, ReplayPart const& part) {
    std::vector<std::string> hints;
    for (auto const& [name, value] : replay.file(part).hints) {
        if (!name.starts_with("muster_")) hints.push_back(name + "=" + value);
    }
    return hints;
}

std::string joined(std::vector<std::string> const& hints) {
    std::string text;
    for (auto const& hint : hints) {
        if (hint.find(',') == hint.npos) text += (text.empty() ? "" : ",") + hint;  // lists cannot be told this way
    }
    return text;
}

std::vector<std::string> workload_options(Replay const& replay, ReplayPart const& part) {
    return {"--from",  std::filesystem::absolute(replay.request.capture).string(),
            "--which", std::to_string(part.file + 1),
            "--take",  part.write ? "write" : "read",
            "--calls", replay.request.calls,
            "--order", replay.request.order.empty() ? "as-is" : replay.request.order};
}

// A program may have a file for each rank.
void keep_largest(Replay& replay) {
    auto const most = static_cast<std::size_t>(replay.request.most);
    if (most == 0 || replay.parts.size() <= most || replay.request.list) return;
    auto sorted = replay.parts;
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](ReplayPart const& left, ReplayPart const& right) { return left.bytes > right.bytes; });
    replay.left_out = replay.parts.size() - most;
    sorted.resize(most);
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](ReplayPart const& left, ReplayPart const& right) { return left.file < right.file; });
    replay.parts = std::move(sorted);
}

}  // namespace

std::string Replay::title(ReplayPart const& part) const {
    return std::string{part.write ? "write" : "read"} + " of " + file(part).path;
}

Result<Replay> open_replay(ReplayRequest request) {
    auto capture = read_capture(request.capture);
    if (!capture.ok()) return capture.status();
    Replay replay{std::move(request), std::make_shared<Capture const>(std::move(*capture)), {}};
    for (std::size_t i = 0; i < replay.capture->files().size(); ++i) {
        if (replay.capture->files()[i].path.find(replay.request.only) == std::string::npos) continue;
        for (auto const write : {true, false}) {
            auto const part = part_of(*replay.capture, i, write);
            if (part.calls > 0) replay.parts.push_back(part);
        }
    }
    keep_largest(replay);
    return replay;
}

Result<PlannedPart> plan_part(Replay const& replay, ReplayPart const& part) {
    PlanRequest request;
    request.workload = "capture";
    request.workload_options = workload_options(replay, part);
    request.ranks = std::to_string(replay.file(part).ranks());
    request.ranks_per_node = replay.request.ranks_per_node;
    request.machine = replay.request.machine;
    request.mode = "independent";
    request.direction = part.write ? "write" : "read";
    request.hints = own_hints(replay, part);
    auto subject = understand(request);
    if (!subject.ok()) return subject.status();
    if (request.ranks_per_node.empty() && request.machine.empty()) {
        subject->machine.node_of = replay.capture->node_of(replay.file(part));
    }
    subject->shared_memory = subject->machine.node_count() == 1 && subject->hints.shared_memory != Toggle::off;
    auto study = study_with_progress(*subject);
    if (!study.ok()) return study.status();
    return PlannedPart{std::move(request), std::move(*subject), std::move(*study)};
}

Json to_json(Replay const& replay, ReplayPart const& part, PlannedPart const& planned) {
    auto json = plan_json(planned.request, planned.subject, planned.study);
    json["file"] = replay.file(part).path;
    return json;
}

BenchRequest bench_of(Replay const& replay, ReplayPart const& part) {
    auto request = replay.request.bench;
    request.workload = "capture";
    request.workload_options = workload_options(replay, part);
    request.ranks = replay.file(part).ranks();
    request.mode = "independent";
    request.operations = part.write ? "write" : "read";
    request.report = true;
    request.back_ends.clear();
    auto own = own_hints(replay, part);
    if (!replay.request.ranks_per_node.empty()) {
        own.push_back("muster_ranks_per_node=" + replay.request.ranks_per_node);
    }
    std::vector<std::string> const both{"native/native:" + joined(native_hints(replay, part)),
                                        "muster/muster:" + joined(own)};
    request.hints.insert(request.hints.begin(), both.begin(), both.end());
    return request;
}

}  // namespace muster::tool
