// For tests of files that are kept as pieces.
#pragma once

#include "engine/subfiling.hpp"
#include "engine/testing.hpp"

namespace muster::test {

// A set that goes away with its pieces.
class SharedSet {
public:
    ~SharedSet() {
        barrier(world());
        if (rank() == 0) {
            if (auto index = read_subfile_index(get()); index && *index) remove_pieces(get(), **index);
        }
        barrier(world());
    }
    std::string const& get() const { return path_.get(); }
    SubfileIndex index() const {
        barrier(world());
        return **read_subfile_index(get());
    }
    // What the pieces hold together, on rank 0.
    std::string contents() const {
        auto const set = index();
        std::string text(static_cast<std::size_t>(set.size()), '\0');
        if (rank() != 0) return text;
        auto storage = open_subfiles(get(), set, {AccessMode::read});
        EXPECT_EQ(*read_fully(**storage, 0, std::as_writable_bytes(std::span{text})), set.size());
        return text;
    }

private:
    SharedPath path_;
};

inline Hints in_pieces(Hints hints, std::string how) {
    hints.subfiles = std::move(how);
    hints.subfile_unit = 48;
    return hints;
}

}  // namespace muster::test
