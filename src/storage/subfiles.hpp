// One file kept as several pieces: blocks are dealt to them in turn. A small index under the file's own name tells how.
#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "storage/storage.hpp"

namespace muster {

struct PieceFacts {
    Size size{-1};  // bytes; -1: not known, because the set was never closed
    std::uint64_t checksum{0};
    bool moved{false};  // beside the index, because the directory was full or failed
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
    // Where a piece goes whose directory is full or fails.
    std::string moved_path(std::string const& path, int piece) const;
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

// Local. The path of a piece as it is now, while the set is in use.
std::string current_path(std::string const& path, SubfileIndex const& index, int piece);

// Text that is no index gives `not_found`, a broken one `io`.
Result<SubfileIndex> parse_subfile_index(std::string_view text);
// The index that a file is, if it is one; one that is cut off or changed is told by `io`.
Result<std::optional<SubfileIndex>> read_subfile_index(std::string const& path);
// In one step: readers see the old one or the new one.
Status write_subfile_index(std::string const& path, SubfileIndex const& index, bool exclusive = false);
// Over the one that is there, of the same set: in fewer steps; readers look again where they find it half changed.
Status rewrite_subfile_index(std::string const& path, SubfileIndex const& index);
std::string new_subfile_mark();

struct PieceAccess {
    std::vector<bool> reachable{};  // pieces that this rank sees; empty: all
    // Around pieces in a directory of the set; for faults.
    std::function<std::unique_ptr<Storage>(std::unique_ptr<Storage>)> wrap{};
};

// The pieces as one storage. They are opened, and made where `options` allows it, when they are first touched; a single one of a
// new set at once.
Result<std::unique_ptr<Storage>> open_subfiles(std::string const& path, SubfileIndex const& index,
                                               OpenOptions const& options, PieceAccess access = {});

// Size and checksum of a piece as it is; a piece that nobody wrote to has no bytes.
Result<PieceFacts> examine_piece(std::string const& piece_path, bool checksum);
// What is wrong with a piece, if something is: missing, of another size, or (where asked for) damaged.
Status check_piece(std::string const& path, SubfileIndex const& index, int piece, bool checksum);

}  // namespace muster
