// How C learns what went wrong: a code, and a message kept per thread. No exception passes.
#pragma once

#include <exception>
#include <new>

#include "muster/extent.hpp"
#include "muster/muster.h"
#include "muster/status.hpp"

namespace muster {

// The status as a code. A failure is kept for muster_last_message.
MUSTER_API muster_error keep(Status status) noexcept;

// For exceptions that nobody expected.
MUSTER_API Status unexpected(char const* what) noexcept;

inline Status invalid_argument(char const* message) { return {Code::invalid_argument, message}; }

// Runs `work`, which returns a Status, and keeps the outcome.
template <class Work>
muster_error guarded(Work const& work) noexcept {
    try {
        return keep(work());
    } catch (std::bad_alloc const&) {
        return keep({Code::out_of_memory, "no memory"});
    } catch (std::exception const& exception) {
        return keep(unexpected(exception.what()));
    } catch (...) {
        return keep(unexpected("an unknown exception"));
    }
}

// The same for work on what a handle stands for.
template <class Handle, class Work>
muster_error guarded(Handle* handle, Work const& work) noexcept {
    return guarded(
        [&]() -> Status { return handle == nullptr ? invalid_argument("the handle is NULL") : work(*handle); });
}

// Hands out a number, where it is wanted.
inline Status deliver(Result<Size> const& result, std::int64_t* number) {
    if (result && number != nullptr) *number = *result;
    return result.status();
}

}  // namespace muster
