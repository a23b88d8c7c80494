// 'muster join' and 'muster split': one file of its pieces, pieces of one file. 'muster check': whether all are there.
#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "command.hpp"
#include "core/hints.hpp"
#include "storage/subfiles.hpp"

namespace muster::tool {

namespace {

constexpr Size chunk = Size{8} << 20;
constexpr std::size_t block = std::size_t{64} << 10;  // of zeros: not written

struct Request {
    std::string from;
    std::string to;
    int count{4};
    std::string unit{"1MiB"};
    std::string directory;
    bool force{false};
    bool as_found{false};
};

// Sizes as they are, for a set whose writer has not come to its end.
void take_as_found(std::string const& path, SubfileIndex& index) {
    index.pieces.clear();
    index.checksums = false;
    for (int piece = 0; piece < index.count; ++piece) {
        auto const place = current_path(path, index, piece);
        auto const facts = examine_piece(place, false);
        index.pieces.push_back({facts ? facts->size : 0, 0, place == index.moved_path(path, piece)});
    }
}

Result<SubfileIndex> index_of(Request const& request) {
    auto const& path = request.from;
    std::error_code unknown;
    if (!std::filesystem::exists(path, unknown)) return Status{Code::not_found, path + " does not exist"};
    auto index = read_subfile_index(path);
    if (!index) return index.status();
    if (!*index) return Status{Code::not_found, path + " is no index of subfiles"};
    if (!(*index)->closed() && request.as_found) take_as_found(path, **index);
    if (!(*index)->closed()) {
        return Status{
            Code::io,
            path +
                " was never closed: sizes of its pieces are not known ('muster join --as-found' takes them as they are)"};
    }
    return **index;
}

// All that is wrong is named, not only the first.
Status check_all(std::string const& path, SubfileIndex const& index) {
    Status first;
    int wrong = 0;
    for (int piece = 0; piece < index.count; ++piece) {
        auto const status = check_piece(path, index, piece, true);
        if (status.ok()) continue;
        if (++wrong > 1) fmt::print(stderr, "muster: {}\n", first.message());
        first = status;
    }
    return first;
}

bool nothing_but_zeros(std::span<std::byte const> bytes) {
    return std::all_of(bytes.begin(), bytes.end(), [](std::byte byte) { return byte == std::byte{0}; });
}

// Zeros are left out: what was sparse stays so.
Status write_sparsely(Storage& to, Offset at, std::span<std::byte const> bytes) {
    while (!bytes.empty()) {
        auto const part = bytes.first(std::min(bytes.size(), block - static_cast<std::size_t>(at) % block));
        if (!nothing_but_zeros(part)) {
            if (auto status = write_fully(to, at, part); !status.ok()) return status;
        }
        at += static_cast<Offset>(part.size());
        bytes = bytes.subspan(part.size());
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
        if (auto status = write_sparsely(to, at, part); !status.ok()) return status;
    }
    return to.resize(size);
}

bool same_file(std::string const& one, std::string const& other) {
    std::error_code unknown;
    return std::filesystem::equivalent(one, other, unknown);
}

// What would be lost by writing there.
Status check_target(Request const& request, SubfileIndex const& index) {
    if (same_file(request.from, request.to)) return {Code::invalid_argument, request.to + " is the set itself"};
    for (int piece = 0; piece < index.count; ++piece) {
        if (same_file(index.piece_path(request.from, piece), request.to)) {
            return {Code::invalid_argument, request.to + " is a piece of the set"};
        }
    }
    std::error_code unknown;
    if (!request.force && std::filesystem::exists(request.to, unknown)) {
        return {Code::exists, request.to + " exists; --force replaces it"};
    }
    return {};
}

// The pieces of a set that is about to be replaced.
std::optional<SubfileIndex> old_set(std::string const& path) {
    auto index = read_subfile_index(path);
    return index ? std::move(*index) : std::nullopt;
}
void remove_old(std::string const& path, std::optional<SubfileIndex> const& index) {
    for (int piece = 0; index && piece < index->count; ++piece) {
        std::error_code unknown;
        std::filesystem::remove(index->piece_path(path, piece), unknown);
    }
}

// Under another name first: what was there stays until all is there, and nothing by halves.
Status join(Request const& request) {
    auto const index = index_of(request);
    if (!index) return index.status();
    if (auto status = check_target(request, *index); !status.ok()) return status;
    if (auto status = check_all(request.from, *index); !status.ok()) return status;
    auto from = open_subfiles(request.from, *index, {AccessMode::read});
    auto const scratch = request.to + "." + new_subfile_mark();
    auto to = open_posix(scratch, {AccessMode::read_write, true, true});
    if (!to) return to.status();
    auto status = copy(**from, **to, index->size());
    status = first_failure(status, (*to)->close());
    auto const replaced = old_set(request.to);
    if (status.ok() && std::rename(scratch.c_str(), request.to.c_str()) != 0) {
        status = system_status(errno, "cannot rename " + scratch + " to " + request.to);
    }
    std::error_code unknown;
    if (!status.ok()) std::filesystem::remove(scratch, unknown);
    if (status.ok()) remove_old(request.to, replaced);
    if (status.ok()) fmt::print("{} from {} pieces\n", format_size(index->size()), index->count);
    return status;
}

// Local. Copies into pieces, and learns what they are.
Status fill(Request const& request, Storage& from, Size size, SubfileIndex& index) {
    auto to = open_subfiles(request.to, index, {AccessMode::read_write, true});
    if (!to) return to.status();
    auto status = copy(from, **to, size);
    status = first_failure(status, (*to)->close());
    for (auto const& note : (*to)->notes()) fmt::print(stderr, "muster: {}\n", note);
    for (int piece = 0; piece < index.count && status.ok(); ++piece) {
        auto const place = current_path(request.to, index, piece);
        auto const facts = examine_piece(place, true);
        status = facts.status();
        if (facts) index.pieces.push_back({facts->size, facts->checksum, place == index.moved_path(request.to, piece)});
    }
    return status;
}

Status split(Request const& request) {
    auto const unit = parse_size(request.unit);
    if (!unit || *unit < 1) return {Code::invalid_argument, "--unit is '" + request.unit + "', but wants a size"};
    auto from = open_posix(request.from, {AccessMode::read});
    if (!from) return from.status();
    auto const size = (*from)->size();
    if (!size) return size.status();
    if (old_set(request.from)) {
        return {Code::invalid_argument,
                request.from + " is a set of subfiles already: 'muster join' makes a file of it"};
    }
    auto const directory = request.directory.empty() ? "" : std::filesystem::absolute(request.directory).string();
    SubfileIndex index{request.count, *unit, new_subfile_mark(), directory, true, {}};
    if (auto status = check_target(request, index); !status.ok()) return status;
    auto status = fill(request, **from, *size, index);
    auto const replaced = old_set(request.to);
    if (status.ok()) status = write_subfile_index(request.to, index, !request.force);
    remove_old(request.to, status.ok() ? replaced : std::optional{index});
    if (status.ok()) fmt::print("{} into {} pieces\n", format_size(*size), index.count);
    return status;
}

Status check(Request const& request) {
    auto const index = index_of(request);
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
    joined->add_flag(
        "--as-found", join_request->as_found,
        "Also a set that was never closed, with its pieces as they are: what a job that ended too early has left");
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
