// One file kept as several pieces: blocks are dealt to them in turn. A small index under the file's own name tells how.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "storage/storage.hpp"

namespace muster {

struct PieceFacts {
    Size size{-1};  // bytes; -1: not known, because the set was never closed
    std::uint64_t checksum{0};
    bool operator==(PieceFacts const&) const = default;
};

// Byte x of the file is byte x / (count * unit) * unit + x % unit of piece x / unit % count.
struct SubfileIndex {
    int count{1};
    Size unit{Size{1} << 20};
    std::string mark;       // in the names of the pieces, so that old ones are never taken for new ones
    std::string directory;  // of the pieces; empty: beside the index
    bool checksums{true};   // those of the pieces are known
    std::vector<PieceFacts> pieces;

    bool closed() const;
    std::string piece_path(std::string const& path, int piece) const;
    int piece_of(Offset offset) const { return static_cast<int>(offset / unit % count); }
    Offset place_of(Offset offset) const { return offset / unit / count * unit + offset % unit; }
    // The end of the file if a piece has so many bytes.
    Size end_of(int piece, Size size) const;
    // How many bytes a piece has if the file ends there.
    Size size_of(int piece, Size end) const;
    Size size() const;  // of the file, when closed
    std::string text() const;
    bool operator==(SubfileIndex const&) const = default;
};

// Text that is no index gives `not_found`, a broken one `io`.
Result<SubfileIndex> parse_subfile_index(std::string_view text);
// The index that a file is, if it is one.
Result<std::optional<SubfileIndex>> read_subfile_index(std::string const& path);
// In one step: readers see the old one or the new one.
Status write_subfile_index(std::string const& path, SubfileIndex const& index, bool exclusive = false);
std::string new_subfile_mark();

// The pieces as one storage. They are opened, and made where `options` allows it, when they are first touched; a single one of a
// new set at once.
Result<std::unique_ptr<Storage>> open_subfiles(std::string const& path, SubfileIndex const& index,
                                               OpenOptions const& options);

// Size and checksum of a piece as it is; a piece that nobody wrote to has no bytes.
Result<PieceFacts> examine_piece(std::string const& piece_path, bool checksum);
// What is wrong with a piece, if something is: missing, of another size, or (where asked for) damaged.
Status check_piece(std::string const& path, SubfileIndex const& index, int piece, bool checksum);

}  // namespace muster
