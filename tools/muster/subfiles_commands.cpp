// 'muster join' and 'muster split': one file of its pieces, pieces of one file. 'muster check': whether all are there.
#include <fmt/core.h>

#include <filesystem>
#include <memory>

#include "command.hpp"
#include "core/hints.hpp"
#include "storage/subfiles.hpp"

namespace muster::tool {

namespace {

constexpr Size chunk = Size{8} << 20;

struct Request {
    std::string from;
    std::string to;
    int count{4};
    std::string unit{"1MiB"};
    std::string directory;
    bool force{false};
};

Result<SubfileIndex> index_of(std::string const& path) {
    auto index = read_subfile_index(path);
    if (!index) return index.status();
    if (!*index) return Status{Code::not_found, path + " is no index of subfiles"};
    if (!(*index)->closed()) return Status{Code::io, path + " was never closed: sizes of its pieces are not known"};
    return **index;
}

Status check_all(std::string const& path, SubfileIndex const& index) {
    for (int piece = 0; piece < index.count; ++piece) {
        if (auto status = check_piece(path, index, piece, true); !status.ok()) return status;
    }
    return {};
}

Status copy(Storage& from, Storage& to, Size size) {
    std::vector<std::byte> buffer(static_cast<std::size_t>(std::min(chunk, std::max<Size>(size, 1))));
    for (Offset at = 0; at < size; at += chunk) {
        auto const part = std::span{buffer}.first(static_cast<std::size_t>(std::min(chunk, size - at)));
        auto const got = read_fully(from, at, part);
        if (!got) return got.status();
        if (*got != static_cast<Size>(part.size())) return {Code::io, "the file ended while it was read"};
        if (auto status = write_fully(to, at, part); !status.ok()) return status;
    }
    return {};
}

OpenOptions target_options(Request const& request) {
    return {AccessMode::read_write, true, !request.force, request.force};
}

Status join(Request const& request) {
    auto const index = index_of(request.from);
    if (!index) return index.status();
    if (auto status = check_all(request.from, *index); !status.ok()) return status;
    auto from = open_subfiles(request.from, *index, {AccessMode::read});
    auto to = open_posix(request.to, target_options(request));
    if (!to) return to.status();
    auto status = copy(**from, **to, index->size());
    status = first_failure(status, (*to)->close());
    if (status.ok()) fmt::print("{} from {} pieces\n", format_size(index->size()), index->count);
    return status;
}

Status split(Request const& request) {
    auto const unit = parse_size(request.unit);
    if (!unit || *unit < 1) return {Code::invalid_argument, "--unit is '" + request.unit + "', but wants a size"};
    auto from = open_posix(request.from, {AccessMode::read});
    if (!from) return from.status();
    auto const size = (*from)->size();
    if (!size) return size.status();
    SubfileIndex index{request.count, *unit, new_subfile_mark(), request.directory, true, {}};
    if (!request.force && std::filesystem::exists(request.to)) return {Code::exists, request.to + " exists"};
    auto to = open_subfiles(request.to, index, {AccessMode::read_write, true});
    auto status = copy(**from, **to, *size);
    status = first_failure(status, (*to)->close());
    for (int piece = 0; piece < index.count && status.ok(); ++piece) {
        auto const facts = examine_piece(index.piece_path(request.to, piece), true);
        status = facts.status();
        if (facts) index.pieces.push_back(*facts);
    }
    if (status.ok()) status = write_subfile_index(request.to, index);
    if (status.ok()) fmt::print("{} into {} pieces\n", format_size(*size), index.count);
    return status;
}

Status check(Request const& request) {
    auto const index = index_of(request.from);
    if (!index) return index.status();
    if (auto status = check_all(request.from, *index); !status.ok()) return status;
    fmt::print("{} in {} pieces, all there{}\n", format_size(index->size()), index->count,
               index->checksums ? " and as they were written" : "; they have no checksums");
    return {};
}

using Work = Status (*)(Request const&);

void finish(CLI::App& command, std::shared_ptr<Request> const& request, Work work, Run& chosen) {
    command.callback([&chosen, request, work] { chosen = [request, work] { return work(*request); }; });
}

}  // namespace

void add_subfiles_commands(CLI::App& app, Run& chosen) {
    auto* const joined =
        app.add_subcommand("join", "Makes one file of a set of subfiles; names what is missing or damaged");
    auto const join_request = std::make_shared<Request>();
    joined->add_option("INDEX", join_request->from, "The file that the set stands for")->required();
    joined->add_option("FILE", join_request->to, "The file to make")->required();
    joined->add_flag("--force", join_request->force, "Replace it if it exists");
    finish(*joined, join_request, join, chosen);

    auto* const splitted = app.add_subcommand("split", "Makes a set of subfiles of one file");
    auto const split_request = std::make_shared<Request>();
    splitted->add_option("FILE", split_request->from, "The file to split")->required();
    splitted->add_option("INDEX", split_request->to, "The index to make; pieces get names that begin so")->required();
    splitted->add_option("--pieces", split_request->count, "How many [4]")->check(CLI::Range(1, 1 << 20));
    splitted->add_option("--unit", split_request->unit, "Bytes that go to one piece before the next [1MiB]");
    splitted->add_option("--directory", split_request->directory, "Of the pieces, if not beside the index");
    splitted->add_flag("--force", split_request->force, "Replace the index if it exists");
    finish(*splitted, split_request, split, chosen);

    auto* const checked =
        app.add_subcommand("check", "Tells whether all pieces of a set of subfiles are as they were written");
    auto const check_request = std::make_shared<Request>();
    checked->add_option("INDEX", check_request->from, "The file that the set stands for")->required();
    finish(*checked, check_request, check, chosen);
}

}  // namespace muster::tool
