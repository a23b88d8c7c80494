// What the opaque handles of C stand for, and how its arguments become those of C++.
#pragma once

#include <optional>

#include "c/errors.hpp"
#include "muster/file.hpp"

struct muster_file {
    std::optional<muster::File> file;     // always, once it is open
    std::vector<muster::HintPair> hints;  // in force; they do not change
};

struct muster_plan {
    muster::File::Plan plan;
};

namespace muster {

// A rank with a wrong argument takes part in the call with an access that the file refuses, so that all ranks are told.
Pieces pieces_of(muster_pieces const* pieces);
Subarray block_of(muster_subarray const* block);

// A copy that C frees.
MUSTER_API Status deliver(std::string const& text, char** copy);

}  // namespace muster
