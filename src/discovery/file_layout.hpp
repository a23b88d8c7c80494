// How a file lies on its storage, asked of the file system.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "muster/hints.hpp"
#include "plan/plan.hpp"

namespace muster {

// Local. Never fails: what cannot be found out stays at its default. For a file that does not exist yet, its directory
// is asked.
FileLayout discover_layout(std::string const& path);

// What the user says about stripes holds, whatever the file system says.
FileLayout apply_layout_hints(FileLayout layout, Hints const& hints);

// From the bytes of Lustre's layout attribute: plain layouts of both versions, and composite ones, of which the widest
// component counts, because that is where large files lie. Nothing when it is none, cut off, or not yet decided.
std::optional<FileLayout> parse_lustre_layout(std::span<std::byte const> attribute);

// From a file system's type and preferred block size, as statfs gives them.
FileLayout layout_of_blocks(long file_system_type, Size block_size);

}  // namespace muster
