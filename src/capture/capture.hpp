// The accesses of a whole run, as its ranks have recorded them.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "capture/recorder.hpp"
#include "muster/status.hpp"

namespace muster {

// One collective access; each rank of the file has a part.
struct CapturedCall {
    struct Part {
        int shape{0};  // of that rank
        Offset base{0};
    };
    bool write{false};
    std::vector<Part> parts;  // by rank of the file
};

class Capture;

struct CapturedFile {
    std::string path;
    std::vector<Rank> members;    // by rank of the file: the rank in the world
    std::vector<HintPair> hints;  // in effect, where they differ from the default, and what the program gave
    std::vector<CapturedCall> calls;
    std::array<Size, 2> alone{};  // accesses that are only counted: reads, writes; all ranks together
    std::array<Size, 2> alone_bytes{};

    int ranks() const { return static_cast<int>(members.size()); }
};

class Capture {
public:
    // invalid_argument when the bytes are no capture, or damaged.
    static Result<Capture> parse(std::span<std::byte const> bytes);

    int ranks() const { return static_cast<int>(sections_.size()); }
    bool complete() const { return complete_; }                        // false: a rank had to stop recording
    std::vector<CapturedFile> const& files() const { return files_; }  // in the order of their opening by each leader

    // What a rank of the file has in a call: ordered.
    Shape part(CapturedFile const& file, CapturedCall const& call, Rank rank) const;
    Size bytes(CapturedFile const& file, CapturedCall const& call, Rank rank) const {
        return shape_of(file, call, rank).bytes;
    }
    Size bytes(CapturedFile const& file, CapturedCall const& call) const;   // of all ranks
    Size pieces(CapturedFile const& file, CapturedCall const& call) const;  // as above
    Size bytes(CapturedFile const& file, bool write) const;                 // of all calls
    // Nodes by number, from 0 on, for the ranks of the file.
    std::vector<int> node_of(CapturedFile const& file) const;

private:
    struct KnownShape {
        Size bytes{0};
        Size pieces{0};
        std::vector<std::byte> code;
    };
    struct Section {
        std::string node;
        std::vector<KnownShape> shapes;
    };
    class Reader;

    KnownShape const& shape_of(CapturedFile const& file, CapturedCall const& call, Rank rank) const;

    std::vector<Section> sections_;  // by rank in the world
    std::vector<CapturedFile> files_;
    bool complete_{true};
};

Result<Capture> read_capture(std::string const& path);
bool is_capture(std::string const& path);

// --- writing one ---

// What comes before the sections, which follow in the order of the ranks.
std::vector<std::byte> capture_head(int ranks);
// With its length before it, and a check of its bytes behind it.
std::vector<std::byte> sealed(std::vector<std::byte> section);

}  // namespace muster

// The format. Numbers are those of core/coding.hpp; a text is its length and its bytes.
//   capture = "muster capture 1\n", ranks, a section for each rank of the world
//   section = length of what follows without the check, contents, check (8 bytes)
//   contents= 1 if the rank had to stop, else 0 (one byte); name of the node (text);
//             count, then for each shape: bytes, pieces, code of it with its first byte at 0 (as a text);
//             count, then for each opening of a file:
//               leader, serial, own rank in the file's communicator, its size, path (text, by the first rank only),
//               count of hints and (name, value) of each (by the first rank only),
//               reads of this rank alone, their bytes, writes of this rank alone, their bytes,
//               count, then for each collective access: 2 * shape + (1 if it writes), base minus that of the access before (zigzag)
