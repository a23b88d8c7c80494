#include "capture/capture.hpp"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <map>

#include "core/coding.hpp"

namespace muster {

namespace {

constexpr std::string_view magic = "muster capture 1\n";
constexpr std::size_t check_size = 8;
constexpr Size most_of_a_rank = Size{1} << 50;  // bytes, pieces

// FNV-1a: finds what was cut off or overwritten.
std::uint64_t check_of(std::span<std::byte const> bytes) {
    std::uint64_t hash = 0xcbf29ce484222325;
    for (auto const byte : bytes) hash = (hash ^ static_cast<std::uint64_t>(byte)) * 0x100000001b3;
    return hash;
}

Status damaged(std::string const& what) { return {Code::invalid_argument, "this capture is damaged: " + what}; }

}  // namespace

std::vector<std::byte> capture_head(int ranks) {
    ByteWriter out;
    std::memcpy(out.room(magic.size()), magic.data(), magic.size());
    out.number(Size{ranks});
    return out.take();
}

std::vector<std::byte> sealed(std::vector<std::byte> section) {
    ByteWriter out;
    out.number(static_cast<Size>(section.size()));
    auto const check = check_of(section);
    auto* const room = out.room(section.size() + check_size);
    if (!section.empty()) std::memcpy(room, section.data(), section.size());
    std::memcpy(room + section.size(), &check, check_size);
    return out.take();
}

// --- reading ---

class Capture::Reader {
public:
    explicit Reader(std::span<std::byte const> bytes) : in_{bytes} {}

    Result<Capture> run() {
        for (auto const letter : magic) {
            if (in_.byte() != static_cast<unsigned char>(letter)) {
                return Status{Code::invalid_argument, "this is no capture of 'muster capture'"};
            }
        }
        ranks_ = in_.size();
        if (ranks_ < 1 || ranks_ > static_cast<Size>(in_.left())) return damaged("it ends early");
        for (Size rank = 0; rank < ranks_; ++rank) {
            if (auto const status = read_section(static_cast<Rank>(rank)); !status.ok()) return status;
        }
        return in_.at_end() ? finish() : damaged("something follows the last rank");
    }

private:
    // A file as the ranks tell it, one after the other.
    struct Told {
        CapturedFile file;
        int missing{0};                                      // ranks that have not told anything yet
        std::vector<std::vector<CapturedCall::Part>> parts;  // by rank of the file
        std::vector<std::vector<bool>> writes;
        std::vector<bool> told;
    };

    std::string text() {
        auto const bytes = blob();
        return {reinterpret_cast<char const*>(bytes.data()), bytes.size()};
    }
    std::span<std::byte const> blob() {
        auto const size = static_cast<std::size_t>(in_.size());
        if (size > in_.left()) {
            bad_ = true;
            return {};
        }
        std::span<std::byte const> const bytes{in_.position(), size};
        in_.move_to(in_.position() + size);
        return bytes;
    }
    // Something that can be added up over all ranks.
    Size amount() {
        auto const value = in_.size();
        if (value <= most_of_a_rank) return value;
        bad_ = true;
        return 0;
    }
    // Of things that take at least a byte each.
    Size count() {
        auto const value = in_.size();
        if (value <= static_cast<Size>(in_.left())) return value;
        bad_ = true;
        return 0;
    }

    Status read_section(Rank rank) {
        auto const contents = blob();
        if (bad_ || in_.left() < check_size)
            return damaged("the section of rank " + std::to_string(rank) + " ends early");
        if (in_.fixed(check_size) != check_of(contents)) return damaged("the section of rank " + std::to_string(rank));
        auto const after = in_;
        in_ = ByteReader{contents};
        read_contents(rank);
        if (bad_ || in_.failed()) return damaged("the section of rank " + std::to_string(rank));
        in_ = after;
        return {};
    }

    void read_contents(Rank rank) {
        made_.complete_ = in_.byte() == 0 && made_.complete_;
        Section section;
        section.node = text();
        for (auto left = count(); left > 0 && !bad_; --left) {
            KnownShape shape{amount(), amount(), {}};
            auto const code = blob();
            shape.code.assign(code.begin(), code.end());
            section.shapes.push_back(std::move(shape));
        }
        made_.sections_.push_back(std::move(section));
        for (auto left = count(); left > 0 && !bad_; --left) read_file(rank);
    }

    void read_file(Rank world_rank) {
        std::pair<Size, Size> const name{in_.size(), in_.size()};
        auto const rank = in_.size(), ranks = in_.size();
        if (in_.failed() || ranks < 1 || ranks > ranks_ || rank >= ranks) {
            bad_ = true;
            return;
        }
        auto& told = told_[name];
        if (told.parts.empty()) {
            told.missing = static_cast<int>(ranks);
            told.file.members.resize(static_cast<std::size_t>(ranks));
            told.parts.resize(static_cast<std::size_t>(ranks));
            told.writes.resize(static_cast<std::size_t>(ranks));
            told.told.resize(static_cast<std::size_t>(ranks));
        }
        auto const known =
            told.parts.size() == static_cast<std::size_t>(ranks) ? told.told[static_cast<std::size_t>(rank)] : true;
        bad_ = bad_ || known;
        if (bad_) return;
        told.told[static_cast<std::size_t>(rank)] = true;
        --told.missing;
        told.file.members[static_cast<std::size_t>(rank)] = world_rank;
        read_words(told.file);
        read_accesses(told, static_cast<std::size_t>(rank));
    }

    void read_words(CapturedFile& file) {
        auto path = text();
        if (!path.empty()) file.path = std::move(path);
        for (auto left = count(); left > 0 && !bad_; --left) {
            auto hint = text();
            file.hints.emplace_back(std::move(hint), text());
        }
        for (std::size_t i = 0; i < 2; ++i) {
            file.alone[i] += amount();
            file.alone_bytes[i] += amount();
        }
    }

    void read_accesses(Told& told, std::size_t rank) {
        auto const shapes = static_cast<Size>(made_.sections_.back().shapes.size());
        Offset base = 0;
        for (auto left = count(); left > 0 && !bad_; --left) {
            auto const word = in_.size();
            bad_ = __builtin_add_overflow(base, in_.signed_number(), &base) || word / 2 >= shapes || base < 0 || bad_;
            told.parts[rank].push_back({static_cast<int>(word / 2), base});
            told.writes[rank].push_back(word % 2 == 1);
        }
    }

    // Where a rank had to stop, so do the others.
    Status join(Told& told) {
        if (told.missing != 0) return damaged("not all ranks of " + told.file.path + " are in it");
        auto calls = told.parts.front().size();
        for (auto const& parts : told.parts) calls = std::min(calls, parts.size());
        for (std::size_t call = 0; call < calls; ++call) {
            CapturedCall joined{told.writes.front()[call], {}};
            for (std::size_t rank = 0; rank < told.parts.size(); ++rank) {
                if (told.writes[rank][call] != joined.write) return damaged("ranks differ in what they called");
                joined.parts.push_back(told.parts[rank][call]);
            }
            told.file.calls.push_back(std::move(joined));
        }
        return {};
    }

    Result<Capture> finish() {
        for (auto& [name, told] : told_) {
            if (auto const status = join(told); !status.ok()) return status;
            made_.files_.push_back(std::move(told.file));
        }
        return std::move(made_);
    }

    ByteReader in_;
    Size ranks_{0};  // of the world
    bool bad_{false};
    Capture made_;
    std::map<std::pair<Size, Size>, Told> told_;  // by leader and serial
};

Result<Capture> Capture::parse(std::span<std::byte const> bytes) { return Reader{bytes}.run(); }

Capture::KnownShape const& Capture::shape_of(CapturedFile const& file, CapturedCall const& call, Rank rank) const {
    auto const& section = sections_[static_cast<std::size_t>(file.members[static_cast<std::size_t>(rank)])];
    return section.shapes[static_cast<std::size_t>(call.parts[static_cast<std::size_t>(rank)].shape)];
}

Shape Capture::part(CapturedFile const& file, CapturedCall const& call, Rank rank) const {
    auto const& shape = shape_of(file, call, rank);
    // Neighbours that touch are counted as one piece where nodes of the code meet.
    auto const decoded = decode(shape.code, {shape.pieces + static_cast<Size>(shape.code.size())});
    if (!decoded) return {};  // not with a section whose check was right
    return decoded->alone().shifted(call.parts[static_cast<std::size_t>(rank)].base);
}

Size Capture::bytes(CapturedFile const& file, CapturedCall const& call) const {
    Size sum = 0;
    for (Rank rank = 0; rank < file.ranks(); ++rank) sum += shape_of(file, call, rank).bytes;
    return sum;
}

Size Capture::pieces(CapturedFile const& file, CapturedCall const& call) const {
    Size sum = 0;
    for (Rank rank = 0; rank < file.ranks(); ++rank) sum += shape_of(file, call, rank).pieces;
    return sum;
}

Size Capture::bytes(CapturedFile const& file, bool write) const {
    Size sum = 0;
    for (auto const& call : file.calls) sum += call.write == write ? bytes(file, call) : 0;
    return sum;
}

std::vector<int> Capture::node_of(CapturedFile const& file) const {
    std::map<std::string, int> numbers;
    std::vector<int> nodes;
    for (auto const member : file.members) {
        auto const& name = sections_[static_cast<std::size_t>(member)].node;
        nodes.push_back(numbers.emplace(name, static_cast<int>(numbers.size())).first->second);
    }
    return nodes;
}

Result<Capture> read_capture(std::string const& path) {
    std::ifstream in{path, std::ios::binary};
    if (!in) return Status{Code::not_found, "cannot read " + path};
    std::string const text{std::istreambuf_iterator<char>{in}, {}};
    auto capture = Capture::parse(std::as_bytes(std::span{text}));
    if (!capture) return Status{capture.status().code(), path + ": " + capture.status().message()};
    return capture;
}

bool is_capture(std::string const& path) {
    std::ifstream in{path, std::ios::binary};
    std::string start(magic.size(), '\0');
    return in.read(start.data(), static_cast<std::streamsize>(start.size())) && start == magic;
}

}  // namespace muster
