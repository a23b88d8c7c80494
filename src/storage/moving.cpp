#include "storage/moving.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <limits>
#include <mutex>

namespace muster {

namespace {

constexpr Size copied_at_once = Size{4} << 20;
constexpr Extent mover{std::numeric_limits<Offset>::max() - 1, 1};  // locked by whoever moves the file

bool is_one_of(int error, std::initializer_list<int> errors) {
    return std::find(errors.begin(), errors.end(), error) != errors.end();
}
// The place is full or broken; another may not be.
bool place_fails(Status const& status) {
    return is_one_of(status.system_error(),
                     {ENOSPC, EDQUOT, EIO, EROFS, EFBIG, ENODEV, ENXIO, ESTALE, EREMOTEIO, ENOTCONN, ESHUTDOWN});
}
bool place_refuses(Status const& status) {
    return place_fails(status) || is_one_of(status.system_error(), {ENOENT, ENOTDIR, EACCES, EPERM, ELOOP});
}

Status copy_all(Storage& from, Storage& to) {
    auto const size = from.size();
    if (!size) return size.status();
    std::vector<std::byte> buffer(static_cast<std::size_t>(std::min(copied_at_once, *size)));
    for (Offset at = 0; at < *size; at += copied_at_once) {
        auto const part = std::span{buffer}.first(static_cast<std::size_t>(std::min(copied_at_once, *size - at)));
        auto const got = read_fully(from, at, part);
        if (!got) return got.status();
        auto const empty = std::all_of(part.begin(), part.end(), [](std::byte byte) { return byte == std::byte{0}; });
        if (empty) continue;
        if (auto status = write_fully(to, at, part.first(static_cast<std::size_t>(*got))); !status.ok()) return status;
    }
    return to.resize(*size);
}

class MovingFile final : public Storage {
public:
    MovingFile(TwoPlaces places, OpenOptions const& options) : places_{std::move(places)}, options_{options} {}

    // The first place unless the file is in the second, or must be made and the first refuses.
    Status open() {
        auto existing = options_;
        existing.create = false;
        auto opened = open_posix(places_.first, existing);
        if (!opened && second_exists()) return open_second(existing, opened.status());
        auto const make = !opened && opened.status().code() == Code::not_found && options_.create;
        if (make) {
            auto anew = options_;
            anew.exclusive = true;
            opened = open_posix(places_.first, anew);
        }
        if (make && !opened && opened.status().system_error() == EEXIST) return open();  // somebody else has made it
        if (!opened && options_.create && place_refuses(opened.status())) return open_second(options_, opened.status());
        if (!opened) return opened.status();
        first_ = places_.wrap ? places_.wrap(std::move(*opened)) : std::move(*opened);
        return second_exists() ? follow_from_open(make) : Status{};
    }

    Result<Size> read_at(Offset offset, std::span<std::byte> into) override {
        if (moved_) return second_->read_at(offset, into);
        auto got = first_->read_at(offset, into);
        auto const elsewhere = look();
        if (!elsewhere) return got;
        if (auto status = follow({}); !status.ok()) return got.ok() ? Result<Size>{status} : got;
        return moved_ ? second_->read_at(offset, into) : got;
    }

    Result<Size> write_at(Offset offset, std::span<std::byte const> from) override {
        if (moved_) return second_->write_at(offset, from);
        auto written = first_->write_at(offset, from);
        if (!written && !place_fails(written.status())) return written;
        if (written && !look()) return written;
        auto const status = follow(written.status());
        if (moved_) return second_->write_at(offset, from);
        if (written && status.ok()) return written;  // the mark was taken back
        return written ? status : written.status();
    }

    Status lock(Extent extent) override { return here().lock(extent); }
    Status unlock(Extent extent) override { return here().unlock(extent); }
    void share(Extent extent) override { here().share(extent); }
    void end_sharing(Extent extent) override { here().end_sharing(extent); }
    Result<Size> size() override { return here().size(); }
    Status resize(Size size) override {
        return changed([&](Storage& file) { return file.resize(size); });
    }
    Status reserve(Size size) override {
        return changed([&](Storage& file) { return file.reserve(size); });
    }
    Status sync() override { return here().sync(); }
    bool readable() const override { return moved_ ? second_->readable() : first_->readable(); }
    bool one_writer() override { return moved_ ? second_->one_writer() : first_->one_writer(); }

    // A name that is gone takes the bytes with it when nobody has them open any more.
    Status close() override {
        Status status;
        if (!moved_ && first_ && options_.mode != AccessMode::read && look()) status = follow({});
        if (first_) status = first_failure(status, first_->close());
        if (second_) status = first_failure(status, second_->close());
        return status;
    }

    std::vector<std::string> notes() const override {
        std::lock_guard const guard{mutex_};
        return notes_;
    }

private:
    Storage& here() {
        if (!moved_ && look()) (void)follow({});
        return moved_ ? *second_ : *first_;
    }
    // Whether the file has moved, or must: for those who read, a name that is gone is no reason.
    bool look() {
        auto const state = first_->state();
        return state && (state->moved || (state->gone && options_.mode != AccessMode::read));
    }

    template <class Change>
    Status changed(Change&& change) {
        auto status = change(here());
        if (status.ok() || moved_ || !place_fails(status)) return status;
        auto const followed = follow(status);
        return moved_ ? change(*second_) : first_failure(status, followed);
    }

    Status open_second(OpenOptions const& options, Status const& why) {
        auto opened = open_posix(places_.second, options);
        if (!opened) return first_failure(why.code() == Code::not_found ? Status{} : why, opened.status());
        second_ = std::move(*opened);
        note(why);
        moved_ = true;
        return {};
    }

    void note(Status const& why) {
        notes_.push_back(places_.first + " lies in " + places_.second +
                         (why.ok() || why.code() == Code::not_found ? "" : ": " + why.message()));
    }

    bool second_exists() const { return ::access(places_.second.c_str(), F_OK) == 0; }

    // Somebody has moved the file since we looked for it, or is about to. What we have made here meanwhile is nobody's: whoever else
    // opened it sees the second one as well.
    Status follow_from_open(bool made) {
        if (auto status = first_->lock(mover); !status.ok()) return status;
        auto status = second_exists() ? open_second({options_.mode}, {}) : Status{};
        if (made && moved_) ::unlink(places_.first.c_str());
        (void)first_->unlock(mover);
        return status;
    }

    // To where the file is now, or by moving it, because of `why` or because its name is gone. One process after the other.
    Status follow(Status const& why) {
        std::lock_guard const guard{mutex_};
        if (moved_) return {};
        if (auto status = first_->lock(mover); !status.ok()) return first_failure(why, status);
        auto const state = first_->state();
        auto const status = state ? follow_from(*state, why) : state.status();
        (void)first_->unlock(mover);
        return status;
    }

    // Nobody else is moving it now: a mark on a file that has its name, without a second one, is that of somebody who came to
    // no end. Those who may only read leave it to others.
    Status follow_from(FileState const& state, Status const& why) {
        if (state.moved && (state.gone || second_exists())) return open_second({options_.mode}, {});
        if (options_.mode == AccessMode::read) return why;
        if (state.moved) return move(first_failure(why, {Code::io, "whoever moved it came to no end"}));
        return state.gone || !why.ok() ? move(why) : Status{};
    }

    // Marked first: who writes to the old file from now on sees it, and waits to write to the new one.
    Status move(Status const& why) {
        if (second_exists()) return open_second({options_.mode}, why);
        if (auto marked = first_->mark_moved(true); !marked.ok() && marked.system_error() != EROFS) {
            return first_failure(why, marked);
        }
        auto made = copy();
        if (!made) {
            (void)first_->mark_moved(false);
            return first_failure(why, made.status());
        }
        second_ = std::move(*made);
        moved_ = true;
        note(why.ok() ? Status{Code::io, "its directory is gone"} : why);
        ::unlink(places_.first.c_str());
        (void)first_->resize(0);  // room for others
        return {};
    }

    // It gets its name when all is there: a copy that came to no end is nobody's file.
    Result<std::unique_ptr<Storage>> copy() {
        auto const part = unfinished(places_.second);
        auto options = options_;
        options.create = options.truncate = true;
        options.exclusive = false;
        auto made = open_posix(part, options);
        if (!made) return made;
        auto status = copy_all(*first_, **made);
        if (status.ok() && std::rename(part.c_str(), places_.second.c_str()) != 0) {
            status = system_status(errno, "cannot rename " + part + " to " + places_.second);
        }
        if (status.ok()) return made;
        ::unlink(part.c_str());
        return status;
    }

    TwoPlaces places_;
    OpenOptions options_;
    std::unique_ptr<Storage> first_;
    std::unique_ptr<Storage> second_;
    std::atomic<bool> moved_{false};
    mutable std::mutex mutex_;  // guards moving and notes
    std::vector<std::string> notes_;
};

}  // namespace

std::string unfinished(std::string const& second) { return second + ".part"; }

Result<std::unique_ptr<Storage>> open_moving(TwoPlaces places, OpenOptions const& options) {
    auto file = std::make_unique<MovingFile>(std::move(places), options);
    if (auto status = file->open(); !status.ok()) return status;
    return std::unique_ptr<Storage>{std::move(file)};
}

}  // namespace muster
