// A file that goes to another place when its own is full or fails, with all that it holds, while several processes use it.
#pragma once

#include <functional>

#include "storage/storage.hpp"

namespace muster {

struct TwoPlaces {
    std::string first;
    std::string second;
    // Around the file in the first place; for faults.
    std::function<std::unique_ptr<Storage>(std::unique_ptr<Storage>)> wrap{};
};

// The name in the second place until all is there.
std::string unfinished(std::string const& second);

// Where the file is in the second place already, it is opened there. `notes` of the storage tell when it had to move.
// Whoever finds the first place full, failing or gone copies the file and marks the old one. Others look for the mark after
// each access, and repeat it in the new place; so nothing that a write has returned from is lost.
Result<std::unique_ptr<Storage>> open_moving(TwoPlaces places, OpenOptions const& options);

}  // namespace muster
