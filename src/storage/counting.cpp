#include "storage/counting.hpp"

#include <chrono>

namespace muster {

StorageCounts operator-(StorageCounts const& later, StorageCounts const& earlier) {
    return {later.reads - earlier.reads,           later.writes - earlier.writes,
            later.bytes_read - earlier.bytes_read, later.bytes_written - earlier.bytes_written,
            later.locks - earlier.locks,           later.seconds - earlier.seconds};
}

template <class Call>
auto CountingStorage::timed(Call call) {
    auto const start = std::chrono::steady_clock::now();
    auto outcome = call();
    nanoseconds_ += std::chrono::nanoseconds{std::chrono::steady_clock::now() - start}.count();
    return outcome;
}

StorageCounts CountingStorage::counts() const {
    return {reads_, writes_, bytes_read_, bytes_written_, locks_, 1e-9 * static_cast<double>(nanoseconds_)};
}

Result<Size> CountingStorage::read_at(Offset offset, std::span<std::byte> into) {
    ++reads_;
    auto const got = timed([&] { return inner_->read_at(offset, into); });
    if (got) bytes_read_ += *got;
    return got;
}

Result<Size> CountingStorage::write_at(Offset offset, std::span<std::byte const> from) {
    ++writes_;
    auto const written = timed([&] { return inner_->write_at(offset, from); });
    if (written) bytes_written_ += *written;
    return written;
}

Status CountingStorage::lock(Extent extent) {
    ++locks_;
    return timed([&] { return inner_->lock(extent); });
}

Status CountingStorage::unlock(Extent extent) {
    return timed([&] { return inner_->unlock(extent); });
}

Result<Size> CountingStorage::size() {
    return timed([&] { return inner_->size(); });
}

Status CountingStorage::resize(Size size) {
    return timed([&] { return inner_->resize(size); });
}

Status CountingStorage::reserve(Size size) {
    return timed([&] { return inner_->reserve(size); });
}

Status CountingStorage::sync() {
    return timed([&] { return inner_->sync(); });
}

Status CountingStorage::close() {
    return timed([&] { return inner_->close(); });
}

}  // namespace muster
