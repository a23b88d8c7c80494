#include "storage/storage.hpp"

namespace muster {

Status write_fully(Storage& storage, Offset offset, std::span<std::byte const> from) {
    while (!from.empty()) {
        auto const written = storage.write_at(offset, from);
        if (!written) return written.status();
        if (*written <= 0) return {Code::io, "cannot write at offset " + std::to_string(offset) + ": no progress"};
        offset += *written;
        from = from.subspan(static_cast<std::size_t>(*written));
    }
    return {};
}

Result<Size> read_fully(Storage& storage, Offset offset, std::span<std::byte> into) {
    Size total = 0;
    while (!into.empty()) {
        auto const got = storage.read_at(offset + total, into);
        if (!got) return got.status();
        if (*got == 0) break;
        total += *got;
        into = into.subspan(static_cast<std::size_t>(*got));
    }
    return total;
}

}  // namespace muster
