// Why a call goes to the MPI's own I/O.
#pragma once

#include <array>
#include <string_view>

namespace muster::preload {

enum class Reason : int {
    none,  // it does not: Muster has done it
    independent,
    shared_pointer,
    atomic,
    sequential,
    representation,
    threads,
    not_a_file,
    hint,
    not_opened,
    no_gain,
    early,
    set,
    count
};
inline constexpr auto reason_count = static_cast<std::size_t>(Reason::count);

// As the report says it.
inline constexpr std::array<std::string_view, reason_count> reason_names{
    "handled",
    "independent access",
    "shared file pointer",
    "atomic mode",
    "sequential mode",
    "data representation other than native",
    "nonblocking without MPI_THREAD_MULTIPLE",
    "not a regular file that is seen by its path",
    "the hint muster_enable is off, or a variable is wrong",
    "Muster could not open it",
    "the MPI's own I/O is faster",
    "one of the first small accesses to the file",
    "a set of pieces (muster join makes one file of it)",
};
constexpr std::string_view name_of(Reason reason) { return reason_names[static_cast<std::size_t>(reason)]; }

}  // namespace muster::preload
