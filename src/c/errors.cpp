#include "c/errors.hpp"

#include <cstdlib>

namespace muster {

namespace {

thread_local Status last_failure;

constexpr bool same(Code code, muster_error error) { return static_cast<int>(code) == static_cast<int>(error); }
static_assert(same(Code::ok, MUSTER_OK));
static_assert(same(Code::invalid_argument, MUSTER_INVALID_ARGUMENT));
static_assert(same(Code::invalid_hint, MUSTER_INVALID_HINT));
static_assert(same(Code::not_found, MUSTER_NOT_FOUND));
static_assert(same(Code::exists, MUSTER_EXISTS));
static_assert(same(Code::permission_denied, MUSTER_PERMISSION_DENIED));
static_assert(same(Code::no_space, MUSTER_NO_SPACE));
static_assert(same(Code::io, MUSTER_IO));
static_assert(same(Code::out_of_memory, MUSTER_OUT_OF_MEMORY));
static_assert(same(Code::unsupported, MUSTER_UNSUPPORTED));
static_assert(same(Code::mismatch, MUSTER_MISMATCH));
static_assert(same(Code::internal, MUSTER_INTERNAL));

}  // namespace

muster_error keep(Status status) noexcept {
    auto const error = static_cast<muster_error>(status.code());
    if (error != MUSTER_OK) last_failure = std::move(status);
    return error;
}

Status unexpected(char const* what) noexcept try { return {Code::internal, what}; } catch (...) {
    return {Code::internal, {}};
}

}  // namespace muster

char const* muster_error_name(int error) { return muster::name_of(static_cast<muster::Code>(error)); }
char const* muster_last_message() { return muster::last_failure.message().c_str(); }
int muster_last_system_error() { return muster::last_failure.system_error(); }
void muster_free(void* text) { std::free(text); }
