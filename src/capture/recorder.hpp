// What one rank of a program does to its files, as few bytes: where its bytes lie, not what they are. The format is described
// at the end of capture.hpp.
#pragma once

#include <array>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "core/bytes.hpp"
#include "core/shape.hpp"
#include "muster/hints.hpp"

namespace muster {

// Who opened a file: the same on all ranks that have it open, and different for every opening.
struct OpeningName {
    Rank leader{0};  // the first rank of its communicator, counted in the world
    Size serial{0};  // of the leader's openings
};

// As one rank sees it.
struct Opening {
    OpeningName name;
    Rank rank{0};  // in the communicator of the file
    int ranks{1};
    std::string path;  // told by the first rank only
};

// Thread-safe. What does not fit any more is left out, and the section says so.
class Recorder {
public:
    static constexpr Size most_bytes = Size{64} << 20;  // of what is kept
    explicit Recorder(Size limit = most_bytes) : limit_{limit} {}

    // The number of the file, for the others.
    int open(Opening opening);
    // The next collective access to it.
    void add(int file, bool write, Stream const& stream);
    // An access of this rank alone, or one whose place is not known: only counted.
    void count(int file, bool write, Size bytes);
    // In effect when it is closed.
    void set_hints(int file, std::vector<HintPair> hints);

    // All of it. `node`: the name of the machine that this rank runs on.
    std::vector<std::byte> section(std::string const& node) const;

private:
    struct KnownShape {
        std::vector<std::byte> code;
        Size bytes{0};
        Size pieces{0};
    };
    struct Access {
        bool write{false};
        int shape{0};
        Offset base{0};
    };
    struct File {
        Opening opening;
        std::vector<HintPair> hints;
        std::array<Size, 2> counted{};  // read, written
        std::array<Size, 2> counted_bytes{};
        std::vector<Access> accesses;
    };

    int number_of(Shape const& shape);
    static void write_file(ByteWriter& out, File const& file);

    mutable std::mutex mutex_;
    Size limit_;
    Size kept_{0};
    bool full_{false};
    std::vector<KnownShape> shapes_;
    std::map<std::vector<std::byte>, int> numbers_;
    std::vector<File> files_;
};

}  // namespace muster
