#include "storage/subfiles.hpp"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <deque>
#include <filesystem>
#include <fstream>
#include <mutex>

#include "storage/moving.hpp"

namespace muster {

namespace {

constexpr std::string_view first_words = "muster subfiles ";
constexpr std::string_view first_line = "muster subfiles 2";  // the first version had no sum of its own
constexpr std::string_view sum_word = "sum ";
constexpr int most_pieces = 1 << 20;
constexpr Size reading = Size{1} << 20;

std::string hexadecimal(std::uint64_t number) {
    std::string text(16, '0');
    for (auto digit = text.rbegin(); digit != text.rend(); ++digit, number >>= 4)
        *digit = "0123456789abcdef"[number & 15];
    return text;
}

// --- checksums: order matters, position matters, every bit counts ---

std::uint64_t mix(std::uint64_t sum, std::uint64_t word) {
    __extension__ using Wide = unsigned __int128;
    auto const product = static_cast<Wide>(sum ^ word) * 0x9E3779B97F4A7C15ULL;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64) ^ 0xA0761D6478BD642FULL;
}

std::uint64_t checksum_of(std::span<std::byte const> bytes, std::uint64_t sum) {
    std::uint64_t word = 0;
    for (; bytes.size() >= sizeof word; bytes = bytes.subspan(sizeof word)) {
        std::memcpy(&word, bytes.data(), sizeof word);
        sum = mix(sum, word);
    }
    word = bytes.size() << 56;
    std::memcpy(&word, bytes.data(), bytes.size());
    return bytes.empty() ? sum : mix(sum, word);
}

Status broken(std::string const& what) { return {Code::io, "a broken index of subfiles: " + what}; }

template <class Number>
bool parse_number(std::string_view text, Number& number, int base = 10) {
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
    return error == std::errc{} && end == text.data() + text.size();
}

// Takes the next word off the front of a line.
std::string_view take_word(std::string_view& line) {
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    auto const word = line.substr(0, line.find(' '));
    line.remove_prefix(word.size());
    return word;
}

// "piece 3 size 1234 sum 0123456789abcdef moved"
Status parse_piece(std::string_view words, SubfileIndex& index) {
    auto const number = take_word(words);
    take_word(words);
    auto const size = take_word(words);
    take_word(words);
    auto const sum = take_word(words);
    std::size_t piece = 0;
    PieceFacts facts;
    facts.moved = take_word(words) == "moved";
    if (!parse_number(number, piece) || piece != index.pieces.size() || !parse_number(size, facts.size) ||
        facts.size < -1 || !parse_number(sum, facts.checksum, 16)) {
        return broken("piece '" + std::string{number} + "'");
    }
    index.pieces.push_back(facts);
    return {};
}

Status parse_line(std::string_view line, SubfileIndex& index) {
    auto const word = take_word(line);
    if (word == "piece") return parse_piece(line, index);
    auto const value = line.substr(std::min(line.find_first_not_of(' '), line.size()));
    auto good = true;
    if (word == "count") good = parse_number(value, index.count) && index.count >= 1 && index.count <= most_pieces;
    if (word == "unit") good = parse_number(value, index.unit) && index.unit >= 1 && index.unit <= Size{1} << 40;
    if (word == "mark") index.mark = value;
    if (word == "directory") index.directory = value;
    if (word == "checksums") index.checksums = value == "on";
    return good ? Status{} : broken(std::string{word}.append(" '").append(value) + "'");
}

// --- the pieces as one ---

// Pieces at a time, of one set: a part of what the process may have open, which is 1024 files as a rule.
std::size_t most_open_pieces() {
    constexpr std::size_t least = 256;
    rlimit files{};
    return ::getrlimit(RLIMIT_NOFILE, &files) == 0 ? std::max<std::size_t>(files.rlim_cur / 4, least) : least;
}

void add_new(std::vector<std::string>& all, std::vector<std::string> notes) {
    for (auto& note : notes) {
        if (std::find(all.begin(), all.end(), note) == all.end()) all.push_back(std::move(note));
    }
}

class Subfiles final : public Storage {
public:
    Subfiles(std::string path, SubfileIndex index, OpenOptions const& options, PieceAccess access)
        : path_{std::move(path)},
          index_{std::move(index)},
          options_{options},
          access_{std::move(access)},
          pieces_(count(index_)),
          left_(count(index_)) {
        options_.create = options.mode != AccessMode::read;
        options_.exclusive = options_.truncate = false;
    }

    // A single piece is made by whoever makes the set, before others look for it.
    Status make_single() { return index_.count == 1 ? open(0).status() : Status{}; }

    Result<Size> read_at(Offset offset, std::span<std::byte> into) override {
        auto const part = into.first(inside(offset, into.size()));
        auto piece = open(index_.piece_of(offset));
        if (!piece) return piece.status();
        auto got = *piece == nullptr ? Result<Size>{Size{0}} : read_fully(**piece, index_.place_of(offset), part);
        if (!got || *got == static_cast<Size>(part.size())) return got;
        return zeros_before_end(offset + *got, part.subspan(static_cast<std::size_t>(*got)), *got);
    }
    Result<Size> write_at(Offset offset, std::span<std::byte const> from) override {
        auto piece = open(index_.piece_of(offset));
        if (!piece) return piece.status();
        if (*piece == nullptr) return only_read();
        return (*piece)->write_at(index_.place_of(offset), from.first(inside(offset, from.size())));
    }

    // All that is locked lies in the pieces; the index stands for it.
    Status lock(Extent extent) override {
        auto index = open_index();
        return index ? (*index)->lock(extent) : index.status();
    }
    Status unlock(Extent extent) override {
        auto index = open_index();
        return index ? (*index)->unlock(extent) : index.status();
    }
    void share(Extent extent) override {
        if (auto index = open_index(); index) (*index)->share(extent);
    }
    void end_sharing(Extent extent) override {
        if (auto index = open_index(); index) (*index)->end_sharing(extent);
    }

    Result<Size> size() override {
        if (options_.mode == AccessMode::read && index_.closed()) return index_.size();
        Size end = 0;
        for (int piece = 0; piece < index_.count; ++piece) {
            struct stat facts {};
            if (::stat(current_path(path_, index_, piece).c_str(), &facts) != 0) continue;
            end = std::max(end, index_.end_of(piece, facts.st_size));
        }
        return end;
    }
    Status resize(Size size) override {
        return for_all([&](Storage& storage, int piece) { return storage.resize(index_.size_of(piece, size)); });
    }
    Status reserve(Size size) override {
        return for_all([&](Storage& storage, int piece) { return storage.reserve(index_.size_of(piece, size)); });
    }
    Status sync() override {
        auto status = for_opened([](Storage& storage) { return storage.sync(); });
        for (auto const piece : pieces_left()) {
            auto opened = open(piece);
            status = first_failure(status, opened ? (*opened)->sync() : opened.status());
        }
        return status;
    }
    Status close() override {
        auto const status = for_opened([](Storage& storage) { return storage.close(); });
        std::lock_guard const guard{mutex_};
        return first_failure(leaving_, status);
    }
    std::vector<std::string> notes() const override {
        std::lock_guard const guard{mutex_};
        auto all = notes_;
        for (auto const& piece : pieces_) {
            if (piece) add_new(all, piece->notes());
        }
        return all;
    }

private:
    static std::size_t count(SubfileIndex const& index) { return static_cast<std::size_t>(index.count); }
    std::size_t inside(Offset offset, std::size_t length) const {
        return std::min(length, static_cast<std::size_t>(index_.unit - offset % index_.unit));
    }

    bool reachable(int piece) const {
        return access_.reachable.empty() || access_.reachable[static_cast<std::size_t>(piece)];
    }

    Status only_read() const { return system_status(EBADF, "cannot change " + path_ + ", which is open for reading"); }

    // Null: a piece that does not exist, and must not be made.
    Result<std::shared_ptr<Storage>> open(int piece) {
        std::lock_guard const guard{mutex_};
        auto& opened = pieces_[static_cast<std::size_t>(piece)];
        if (opened) return opened;
        if (!reachable(piece)) {
            return Status{Code::unsupported, "piece " + std::to_string(piece) + " of " + path_ +
                                                 " lies on another node: only collective calls reach it"};
        }
        if (order_.size() >= most_open_) leave_one();
        auto made = open_or_make(piece);
        if (made) {
            order_.push_back(piece);
            left_[static_cast<std::size_t>(piece)] = false;
            return opened = std::move(*made);
        }
        auto const& facts = index_.pieces;
        auto const empty = facts.empty() || facts[static_cast<std::size_t>(piece)].size <= 0;
        if (made.status().code() == Code::not_found && empty && !options_.create) {
            return std::shared_ptr<Storage>{};
        }
        return Status{made.status().code(),
                      "piece " + std::to_string(piece) + " of " + path_ + ": " + made.status().message(),
                      made.status().system_error()};
    }

    // The piece that was opened longest ago and that nobody is using: who does has a pointer of his own.
    void leave_one() {
        auto const idle = std::find_if(order_.begin(), order_.end(), [&](int piece) {
            return pieces_[static_cast<std::size_t>(piece)].use_count() == 1;
        });
        if (idle == order_.end()) return;
        auto const index = static_cast<std::size_t>(*idle);
        leaving_ = first_failure(leaving_, pieces_[index]->close());
        add_new(notes_, pieces_[index]->notes());
        pieces_[index].reset();
        left_[index] = options_.mode != AccessMode::read;
        order_.erase(idle);
    }
    std::vector<int> pieces_left() const {
        std::lock_guard const guard{mutex_};
        std::vector<int> pieces;
        for (int piece = 0; piece < index_.count; ++piece) {
            if (left_[static_cast<std::size_t>(piece)]) pieces.push_back(piece);
        }
        return pieces;
    }
    std::vector<std::shared_ptr<Storage>> opened_pieces() const {
        std::lock_guard const guard{mutex_};
        return pieces_;
    }

    // Pieces in a directory of their own may move. Most ranks find a piece that another has made; asking to make it would lock
    // the directory.
    Result<std::unique_ptr<Storage>> open_or_make(int piece) const {
        auto const reads = options_.mode == AccessMode::read;
        auto const name =
            reads && !index_.closed() ? current_path(path_, index_, piece) : index_.piece_path(path_, piece);
        auto const moved = index_.moved_path(path_, piece);
        if (!index_.directory.empty() && !reads && name != moved) {
            return open_moving({name, moved, access_.wrap}, options_);
        }
        auto existing = options_;
        existing.create = false;
        auto opened = open_posix(name, existing);
        if (opened || !options_.create || opened.status().code() != Code::not_found) return opened;
        return open_posix(name, options_);
    }

    Result<Storage*> open_index() {
        std::lock_guard const guard{mutex_};
        if (!lock_file_) {
            auto made = open_posix(path_, {options_.mode});
            if (!made) return made.status();
            lock_file_ = std::move(*made);
        }
        return lock_file_.get();
    }

    // A piece may end before the file does: there is a hole.
    Result<Size> zeros_before_end(Offset offset, std::span<std::byte> rest, Size got) {
        auto const end = size();
        if (!end) return end.status();
        auto const zeros = std::clamp<Size>(*end - offset, 0, static_cast<Size>(rest.size()));
        std::fill_n(rest.begin(), zeros, std::byte{0});
        return got + zeros;
    }

    template <class Work>
    Status for_all(Work&& work) {
        for (int piece = 0; piece < index_.count; ++piece) {
            if (!reachable(piece)) continue;
            auto opened = open(piece);
            if (!opened) return opened.status();
            if (*opened == nullptr) return only_read();
            if (auto status = work(**opened, piece); !status.ok()) return status;
        }
        return {};
    }
    template <class Work>
    Status for_opened(Work&& work) {
        Status status;
        for (auto const& piece : opened_pieces()) {
            if (piece) status = first_failure(status, work(*piece));
        }
        return status;
    }

    std::string path_;
    SubfileIndex index_;
    OpenOptions options_;
    PieceAccess access_;
    std::size_t most_open_{most_open_pieces()};
    mutable std::mutex mutex_;  // guards what follows
    std::vector<std::shared_ptr<Storage>> pieces_;
    std::deque<int> order_;           // those that are open, the first of them first
    std::vector<bool> left_;          // closed again after writing, and not synced since
    Status leaving_;                  // what closing them said
    std::vector<std::string> notes_;  // and what they had to tell
    std::unique_ptr<Storage> lock_file_;
};

}  // namespace

bool SubfileIndex::closed() const {
    return static_cast<int>(pieces.size()) == count &&
           std::all_of(pieces.begin(), pieces.end(), [](PieceFacts const& piece) { return piece.size >= 0; });
}

std::string SubfileIndex::moved_path(std::string const& path, int piece) const {
    return path + "." + mark + "." + std::to_string(piece) + ".moved";
}

std::string SubfileIndex::piece_path(std::string const& path, int piece) const {
    auto const known = static_cast<std::size_t>(piece) < pieces.size();
    if (known && pieces[static_cast<std::size_t>(piece)].moved) return moved_path(path, piece);
    std::filesystem::path const whole{path};
    auto const where = directory.empty() ? whole.parent_path() : std::filesystem::path{directory};
    return (where / (whole.filename().string() + "." + mark + "." + std::to_string(piece))).string();
}

Size SubfileIndex::end_of(int piece, Size size) const {
    if (size <= 0) return 0;
    auto const last = size - 1;
    return (last / unit * count + piece) * unit + last % unit + 1;
}

Size SubfileIndex::size_of(int piece, Size end) const {
    auto const row = unit * count;
    return end / row * unit + std::clamp<Size>(end % row - piece * unit, 0, unit);
}

Size SubfileIndex::size() const {
    Size end = 0;
    for (int piece = 0; piece < static_cast<int>(pieces.size()); ++piece) {
        end = std::max(end, end_of(piece, pieces[static_cast<std::size_t>(piece)].size));
    }
    return end;
}

std::string SubfileIndex::text() const {
    auto text = std::string{first_line} + "\ncount " + std::to_string(count) + "\nunit " + std::to_string(unit) +
                "\nmark " + mark + "\nchecksums " + (checksums ? "on" : "off") + "\n";
    if (!directory.empty()) text += "directory " + directory + "\n";
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        text += "piece " + std::to_string(i) + " size " + std::to_string(pieces[i].size) + " sum " +
                hexadecimal(pieces[i].checksum) + (pieces[i].moved ? " moved\n" : "\n");
    }
    return text;
}

Result<SubfileIndex> parse_subfile_index(std::string_view text) {
    if (!text.starts_with(first_words)) return Status{Code::not_found, "no index of subfiles"};
    SubfileIndex index;
    for (auto at = text.find('\n'); at < text.size(); at = text.find('\n', at)) {
        ++at;
        if (auto const status = parse_line(text.substr(at, text.find('\n', at) - at), index); !status.ok())
            return status;
    }
    if (index.mark.empty() || index.mark.find('/') != index.mark.npos) return broken("no mark");
    if (!index.pieces.empty() && static_cast<int>(index.pieces.size()) != index.count)
        return broken("pieces are missing");
    return index;
}

std::string current_path(std::string const& path, SubfileIndex const& index, int piece) {
    auto moved = index.moved_path(path, piece);
    return !index.directory.empty() && ::access(moved.c_str(), F_OK) == 0 ? moved : index.piece_path(path, piece);
}

namespace {

std::string sealed(std::string const& text) {
    return text + std::string{sum_word} + hexadecimal(checksum_of(std::as_bytes(std::span{text}), text.size())) + "\n";
}

// Whether a sealed text is as it was written.
bool intact(std::string const& text) {
    auto const line = text.rfind("\n" + std::string{sum_word});
    return line != text.npos && sealed(text.substr(0, line + 1)) == text;
}

// Text that was an index once: its first line is cut off, or a letter or two of it are others.
bool was_index(std::string_view start) {
    auto const length = std::min(start.size(), first_line.size());
    if (length < 6) return false;
    std::size_t others = 0;
    for (std::size_t i = 0; i < length; ++i) others += start[i] != first_line[i] ? 1 : 0;
    return others <= (length == first_line.size() ? 2U : 0U);
}

// As much as an index may have; nothing where the file does not begin like one.
std::string text_of_index(std::string const& path) {
    std::ifstream file{path, std::ios::binary};
    std::string start(first_line.size(), '\0');
    file.read(start.data(), static_cast<std::streamsize>(start.size()));
    start.resize(static_cast<std::size_t>(file.gcount()));
    if (!was_index(start)) return {};
    return start + std::string{std::istreambuf_iterator<char>{file}, {}};
}

constexpr std::string_view unsealed_line = "muster subfiles 1\n";

}  // namespace

Result<std::optional<SubfileIndex>> read_subfile_index(std::string const& path) {
    auto text = text_of_index(path);
    for (int again = 0; again < 3 && !text.empty() && !intact(text); ++again) text = text_of_index(path);
    if (text.empty()) return std::optional<SubfileIndex>{};
    auto const unsealed = text.starts_with(unsealed_line) && text.find("\n" + std::string{sum_word}) == text.npos;
    if (!intact(text) && !unsealed) {
        return Status{Code::io, path + " is a damaged index of subfiles: cut off, or not as it was written"};
    }
    auto index = parse_subfile_index(text);
    if (!index) return Status{index.status().code(), path + ": " + index.status().message()};
    return std::optional{std::move(*index)};
}

Status write_subfile_index(std::string const& path, SubfileIndex const& index, bool exclusive) {
    auto const scratch = path + "." + index.mark + ".index";
    auto const& target = exclusive ? path : scratch;
    auto file = open_posix(target, {AccessMode::write, true, exclusive, true});
    if (!file) return file.status();
    auto const text = sealed(index.text());
    auto status = write_fully(**file, 0, std::as_bytes(std::span{text}));
    status = first_failure(status, (*file)->close());
    if (!status.ok()) ::unlink(target.c_str());
    if (exclusive || !status.ok()) return status;
    if (std::rename(scratch.c_str(), path.c_str()) == 0) return {};
    return system_status(errno, "cannot rename " + scratch + " to " + path);
}

Status rewrite_subfile_index(std::string const& path, SubfileIndex const& index) {
    auto const text = sealed(index.text());
    auto file = open_posix(path, {AccessMode::read_write});
    auto const size = file ? (*file)->size() : Result<Size>{file.status()};
    constexpr Size block = 4096;  // which is there already: no full disk can cut the text off
    if (!size || *size == 0 || *size > block || static_cast<Size>(text.size()) > block)
        return write_subfile_index(path, index);
    auto status = write_fully(**file, 0, std::as_bytes(std::span{text}));
    if (status.ok() && *size > static_cast<Size>(text.size())) status = (*file)->resize(static_cast<Size>(text.size()));
    return first_failure(status, (*file)->close());
}

std::string new_subfile_mark() {
    std::uint64_t number = 0;
    if (getrandom(&number, sizeof number, 0) != sizeof number) number = static_cast<std::uint64_t>(::getpid());
    return hexadecimal(number).substr(8);
}

Result<std::unique_ptr<Storage>> open_subfiles(std::string const& path, SubfileIndex const& index,
                                               OpenOptions const& options, PieceAccess access) {
    auto pieces = std::make_unique<Subfiles>(path, index, options, std::move(access));
    auto const status = options.create && options.mode != AccessMode::read ? pieces->make_single() : Status{};
    if (!status.ok()) return status;
    return std::unique_ptr<Storage>{std::move(pieces)};
}

Result<PieceFacts> examine_piece(std::string const& piece_path, bool checksum) {
    if (!checksum) {
        struct stat seen {};
        if (::stat(piece_path.c_str(), &seen) == 0) return PieceFacts{seen.st_size, 0};
        return errno == ENOENT ? Result<PieceFacts>{PieceFacts{0, 0}}
                               : system_status(errno, "cannot see " + piece_path);
    }
    auto file = open_posix(piece_path, {AccessMode::read});
    if (!file && file.status().code() == Code::not_found) return PieceFacts{0, 0};
    if (!file) return file.status();
    auto const size = (*file)->size();
    if (!size) return size.status();
    PieceFacts facts{*size, 0};
    std::vector<std::byte> buffer(static_cast<std::size_t>(std::min(reading, *size)));
    for (Offset at = 0; at < *size; at += reading) {
        auto const got =
            read_fully(**file, at, std::span{buffer}.first(static_cast<std::size_t>(std::min(reading, *size - at))));
        if (!got) return got.status();
        facts.checksum = checksum_of(std::span{buffer}.first(static_cast<std::size_t>(*got)), facts.checksum);
    }
    return facts;
}

Status check_piece(std::string const& path, SubfileIndex const& index, int piece, bool checksum) {
    auto const name = index.piece_path(path, piece);
    auto const& known = index.pieces[static_cast<std::size_t>(piece)];
    auto const prefix = "piece " + std::to_string(piece) + " of " + path + " (" + name + ") ";
    auto const compare = checksum && index.checksums;
    auto const found = examine_piece(name, compare);
    if (!found) return {found.status().code(), prefix + found.status().message(), found.status().system_error()};
    if (found->size != known.size) {
        if (::access(name.c_str(), F_OK) != 0) return {Code::not_found, prefix + "is missing"};
        return {Code::io,
                prefix + "has " + std::to_string(found->size) + " bytes instead of " + std::to_string(known.size)};
    }
    if (compare && found->checksum != known.checksum)
        return {Code::io, prefix + "is damaged: other bytes than were written"};
    return {};
}

}  // namespace muster
