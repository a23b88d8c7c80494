// How an operation ended: a code, the system's error number where there was one, and a sentence for people.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "muster/export.h"

namespace muster {

enum class Code : int {
    ok = 0,
    invalid_argument,
    invalid_hint,
    not_found,
    exists,
    permission_denied,
    no_space,
    io,
    out_of_memory,
    unsupported,
    mismatch,  // ranks called different things
    internal,
};

// "no_space" and the like, for messages and reports.
MUSTER_API char const* name_of(Code code);

class [[nodiscard]] Status {
public:
    Status() = default;
    Status(Code code, std::string message, int system_error = 0)
        : code_{code}, system_error_{system_error}, message_{std::move(message)} {}

    bool ok() const { return code_ == Code::ok; }
    Code code() const { return code_; }
    int system_error() const { return system_error_; }  // errno, or 0
    std::string const& message() const { return message_; }
    MUSTER_API std::string text() const;  // "no_space: cannot write 4096 bytes at 0 of x.nc: No space left on device"

private:
    Code code_{Code::ok};
    int system_error_{0};
    std::string message_;
};

// The status for an errno value; `what` says what was tried ("cannot open x.nc").
MUSTER_API Status system_status(int error, std::string const& what);

// Keeps the first failure: `first_failure(a, b)` is `a` unless `a` is ok.
inline Status first_failure(Status first, Status second) { return first.ok() ? std::move(second) : std::move(first); }

// A value, or the reason why there is none.
template <class T>
class [[nodiscard]] Result {
public:
    Result(T value) : content_{std::in_place_index<0>, std::move(value)} {}
    Result(Status status) : content_{std::in_place_index<1>, std::move(status)} {}

    bool ok() const { return content_.index() == 0; }
    explicit operator bool() const { return ok(); }
    T& value() { return std::get<0>(content_); }
    T const& value() const { return std::get<0>(content_); }
    T& operator*() { return value(); }
    T const& operator*() const { return value(); }
    T* operator->() { return &value(); }
    T const* operator->() const { return &value(); }
    Status status() const { return ok() ? Status{} : std::get<1>(content_); }

private:
    std::variant<T, Status> content_;
};

}  // namespace muster
