#include "storage/window.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "memory/buffer.hpp"

namespace muster {

namespace {

// Costs are counted in bytes moved.
constexpr Size call_cost = Size{16} << 10;
constexpr Size scratch_size = Size{1} << 20;
constexpr Size read_through = Size{64} << 10;

using Extents = std::span<Extent const>;

Extent hull(Extents extents) { return {extents.front().offset, extents.back().end() - extents.front().offset}; }

std::span<std::byte> part_of(std::span<std::byte> bytes, Offset start, Extent extent) {
    return bytes.subspan(static_cast<std::size_t>(extent.offset - start), static_cast<std::size_t>(extent.length));
}

// Cuts the longest head off `extents` in which each neighbour is worth joining.
template <class Joins>
Extents take_group(Extents& extents, Joins joins) {
    std::size_t count = 1;
    while (count < extents.size() && joins(extents[count - 1], extents[count])) ++count;
    auto const group = extents.first(count);
    extents = extents.subspan(count);
    return group;
}

// How a window is cut into groups, and which of them are read, modified and written.
struct Grouping {
    Size reach{call_cost};  // a neighbour is joined if it adds at most so many bytes to what is moved
    bool lock{true};

    Extents take(Extents& extents) const {
        return take_group(extents, [this](Extent const& left, Extent const& right) {
            return 2 * (right.offset - left.end()) + right.length <= reach;  // holes are read and written
        });
    }

    bool as_a_whole(Extents group) const {
        if (group.size() == 1) return false;
        return reach > call_cost || cost_of_whole(group) < static_cast<Size>(group.size()) * call_cost;
    }

    // Beyond that of the covered bytes, which are written anyway.
    Size cost_of_whole(Extents group) const {
        Size covered = 0;
        for (auto const& extent : group) covered += extent.length;
        auto const to_read = group.back().offset - group.front().end();
        auto const holes = hull(group).length - covered;
        return (lock ? 3 : 2) * call_cost + to_read + holes;
    }

    Size write_calls(Extents extents) const {
        Size calls = 0;
        while (!extents.empty()) {
            auto const group = take(extents);
            calls += as_a_whole(group) ? 1 : static_cast<Size>(group.size());
        }
        return calls;
    }
};

Grouping choose_grouping(Extents covered, HolePolicy const& policy) {
    Grouping grouping{.lock = policy.lock};
    auto const bound = std::max(policy.max_writes, 1);
    while (grouping.write_calls(covered) > bound) grouping.reach *= 2;
    return grouping;
}

bool means_no_locks(Status const& status) {
    auto const error = status.system_error();
    return error == ENOLCK || error == ENOSYS || error == EOPNOTSUPP || error == ENOTSUP;
}

class WindowWriter {
public:
    WindowWriter(Storage& storage, WindowStore const& window, HolePolicy const& policy)
        : storage_{storage}, window_{window}, policy_{policy} {}

    Status store() {
        if (window_.covered.empty()) return {};
        if (!storage_.readable() || policy_.max_writes == HolePolicy::any_number) return write_each(window_.covered);
        auto const grouping = choose_grouping(window_.covered, policy_);
        std::vector<Extents> wholes;  // come last: who shares bytes must not wait for a lock of them
        {
            Sharing const sharing{storage_, hull(window_.covered), policy_.lock};
            for (auto rest = window_.covered; !rest.empty();) {
                auto const group = grouping.take(rest);
                if (grouping.as_a_whole(group)) {
                    wholes.push_back(group);
                } else if (auto status = write_all_of(group); !status.ok()) {
                    return status;
                }
            }
        }
        for (auto const& group : wholes) {
            if (auto status = write_locked(group); !status.ok()) return status;
        }
        return {};
    }

    StoreOutcome const& outcome() const { return outcome_; }

private:
    Status write_each(Extents extents) {
        Sharing const sharing{storage_, hull(extents), policy_.lock};
        return write_all_of(extents);
    }

    Status write_all_of(Extents extents) {
        for (auto const& extent : extents) {
            if (auto status = write(extent); !status.ok()) return status;
            ++outcome_.separate_writes;
        }
        return {};
    }

    Status write_locked(Extents group) {
        if (!policy_.lock) return read_modify_write(group);
        if (outcome_.lock_refused) return write_each(group);
        auto const locked = storage_.lock(hull(group));
        if (!locked.ok()) return without_lock(group, locked);
        auto status = read_modify_write(group);
        return first_failure(std::move(status), storage_.unlock(hull(group)));
    }

    // Writing just the covered bytes needs no lock: slower, and as right.
    Status without_lock(Extents group, Status const& refusal) {
        if (!means_no_locks(refusal)) return refusal;
        outcome_.lock_refused = true;
        return write_each(group);
    }

    Status read_modify_write(Extents group) {
        if (auto filled = fill_holes(group); !filled.ok()) return filled;
        ++outcome_.read_modify_writes;
        return write(hull(group));
    }

    // Reads from the first hole to the last, piece by piece, and copies the holes into the window.
    Status fill_holes(Extents group) {
        Extent const span{group.front().end(), group.back().offset - group.front().end()};
        if (auto ready = ensure_scratch(); !ready.ok()) return ready;
        for (auto at = span.offset; at < span.end(); at += scratch_.size()) {
            Extent const piece{at, std::min(scratch_.size(), span.end() - at)};
            if (auto read = read_old(piece); !read.ok()) return read;
            while (group.size() > 1 && group[1].offset <= at) group = group.subspan(1);
            copy_holes(group, piece);
        }
        return {};
    }

    Status ensure_scratch() {
        if (scratch_.size() > 0) return {};
        auto allocated = Buffer::allocate(std::min(scratch_size, static_cast<Size>(window_.bytes.size())));
        if (allocated) scratch_ = std::move(*allocated);
        return allocated.status();
    }

    // What lies beyond the end of the file is zero.
    Status read_old(Extent piece) {
        auto const old = scratch_.span().first(static_cast<std::size_t>(piece.length));
        auto const got = read_fully(storage_, piece.offset, old);
        if (!got) return got.status();
        std::ranges::fill(old.subspan(static_cast<std::size_t>(*got)), std::byte{0});
        return {};
    }

    void copy_holes(Extents group, Extent piece) {
        for (std::size_t i = 0; i + 1 < group.size() && group[i].end() < piece.end(); ++i) {
            auto const begin = std::max(group[i].end(), piece.offset);
            auto const end = std::min(group[i + 1].offset, piece.end());
            if (begin >= end) continue;
            auto const old = part_of(scratch_.span(), piece.offset, {begin, end - begin});
            std::memcpy(bytes_of({begin, end - begin}).data(), old.data(), old.size());
        }
    }

    Status write(Extent extent) { return write_fully(storage_, extent.offset, bytes_of(extent)); }
    std::span<std::byte> bytes_of(Extent extent) const { return part_of(window_.bytes, window_.offset, extent); }

    Storage& storage_;
    WindowStore const& window_;
    HolePolicy const& policy_;
    Buffer scratch_;
    StoreOutcome outcome_;
};

bool near_enough(Extent const& left, Extent const& right) { return right.offset - left.end() < read_through; }

}  // namespace

Result<StoreOutcome> store_window(Storage& storage, WindowStore const& window, HolePolicy const& policy) {
    WindowWriter writer{storage, window, policy};
    auto const status = writer.store();
    if (!status.ok()) return status;
    return writer.outcome();
}

Result<Size> load_window(Storage& storage, std::span<std::byte> into, Offset offset, std::span<Extent const> wanted) {
    auto exists = static_cast<Size>(into.size());
    while (!wanted.empty()) {
        auto const run = hull(take_group(wanted, near_enough));
        auto const bytes = part_of(into, offset, run);
        bool const beyond = run.offset - offset >= exists;
        auto const got = beyond ? Result<Size>{0} : read_fully(storage, run.offset, bytes);
        if (!got) return got.status();
        if (*got == run.length) continue;
        std::ranges::fill(bytes.subspan(static_cast<std::size_t>(*got)), std::byte{0});
        if (beyond) continue;
        auto const size = storage.size();  // the end may lie in the hole before this run
        if (!size) return size.status();
        exists = std::clamp(*size - offset, Size{0}, run.offset + *got - offset);
    }
    return exists;
}

}  // namespace muster
