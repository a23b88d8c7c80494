#include "muster/status.hpp"

#include <cerrno>
#include <cstring>

namespace muster {

char const* name_of(Code code) {
    switch (code) {
        case Code::ok: return "ok";
        case Code::invalid_argument: return "invalid_argument";
        case Code::invalid_hint: return "invalid_hint";
        case Code::not_found: return "not_found";
        case Code::exists: return "exists";
        case Code::permission_denied: return "permission_denied";
        case Code::no_space: return "no_space";
        case Code::io: return "io";
        case Code::out_of_memory: return "out_of_memory";
        case Code::unsupported: return "unsupported";
        case Code::mismatch: return "mismatch";
        case Code::internal: return "internal";
    }
    return "unknown";
}

namespace {

Code code_of(int error) {
    switch (error) {
        case ENOENT:
        case ENOTDIR: return Code::not_found;
        case EEXIST: return Code::exists;
        case EACCES:
        case EPERM:
        case EROFS: return Code::permission_denied;
        case ENOSPC:
        case EDQUOT:
        case EFBIG: return Code::no_space;
        case ENOMEM: return Code::out_of_memory;
        case EINVAL:
        case EISDIR: return Code::invalid_argument;
        default: return Code::io;
    }
}

}  // namespace

Status system_status(int error, std::string const& what) {
    return {code_of(error), what + ": " + std::strerror(error), error};
}

std::string Status::text() const { return ok() ? "ok" : std::string{name_of(code_)} + ": " + message_; }

}  // namespace muster
