// What a File holds, and how its arguments become an access.
#pragma once

#include "access/access.hpp"
#include "engine/session.hpp"
#include "muster/file.hpp"

namespace muster {

struct File::State {
    std::shared_ptr<Session> session;  // declarations keep it
    View view;
    Offset position{0};  // in etypes
    bool open{true};

    // Collective. At the position, which moves on by what was asked for.
    Result<Size> transfer(Direction direction, Result<Memory> memory);
};

// Local. Through a view, from its `offset`-th etype on.
Result<Access> viewed(View const& view, Offset offset, Result<Memory> memory);
Result<Access> boxed(Subarray const& block, void const* buffer);
Result<Access> listed(Pieces const& pieces);
// Refuses a null buffer for an access that has bytes.
Result<Access> with_buffer(Result<Access> access, void const* buffer);
Status no_buffer();

}  // namespace muster
