// Makes a storage fail on purpose, by a plan given as text: "write:3:ENOSPC@2" fails the third write of rank 2.
#pragma once

#include <chrono>
#include <string_view>
#include <vector>

#include "storage/storage.hpp"

namespace muster {

enum class Operation : int { open, read, write, lock, unlock, size, resize, reserve, sync, close };
inline constexpr int operation_count = 10;
char const* name_of(Operation operation);

struct Fault {
    enum class Kind { error, short_transfer, delay };
    static constexpr Size every_call = 0;
    static constexpr Rank every_rank = -1;

    Operation operation{Operation::write};
    Size call{1};  // the n-th on its rank, from 1, or every_call
    Kind kind{Kind::error};
    int error{0};                        // errno
    std::chrono::milliseconds delay{0};  // before the call, which then goes on as usual
    Rank rank{every_rank};
    bool operator==(Fault const&) const = default;
};

// operation:call:what@rank, separated by semicolons; call and rank may be *. `what` is an errno name, `short` (reads
// and writes: only half of the bytes, at least one) or `delay=MS`: "write:3:ENOSPC@2;read:*:EIO@*;write:2:short@0".
Result<std::vector<Fault>> parse_faults(std::string_view text);

// The storage itself where no fault is meant for this rank.
std::unique_ptr<Storage> inject_faults(std::unique_ptr<Storage> inner, std::vector<Fault> faults, Rank rank);

// To be asked before the n-th opening of a file: the error that is to happen, or ok.
Status open_fault(std::vector<Fault> const& faults, Rank rank, Size call = 1);

}  // namespace muster
