// Counts what is asked of a storage, for the report.
#pragma once

#include <atomic>

#include "storage/storage.hpp"

namespace muster {

struct StorageCounts {
    Size reads{0};  // calls, failed ones included
    Size writes{0};
    Size bytes_read{0};
    Size bytes_written{0};
    Size locks{0};
    double seconds{0};  // in calls of any kind
};
StorageCounts operator-(StorageCounts const& later, StorageCounts const& earlier);

// Any thread may use it; counts() may be asked at any time.
class CountingStorage final : public Storage {
public:
    explicit CountingStorage(std::unique_ptr<Storage> inner) : inner_{std::move(inner)} {}
    StorageCounts counts() const;

    Result<Size> read_at(Offset offset, std::span<std::byte> into) override;
    Result<Size> write_at(Offset offset, std::span<std::byte const> from) override;
    Status lock(Extent extent) override;
    Status unlock(Extent extent) override;
    void share(Extent extent) override { inner_->share(extent); }
    void end_sharing(Extent extent) override { inner_->end_sharing(extent); }
    Result<Size> size() override;
    Status resize(Size size) override;
    Status reserve(Size size) override;
    Status sync() override;
    bool readable() const override { return inner_->readable(); }
    bool one_writer() override { return inner_->one_writer(); }
    std::vector<std::string> notes() const override { return inner_->notes(); }
    Status close() override;

private:
    template <class Call>
    auto timed(Call call);

    std::unique_ptr<Storage> inner_;
    std::atomic<Size> reads_{0};
    std::atomic<Size> writes_{0};
    std::atomic<Size> bytes_read_{0};
    std::atomic<Size> bytes_written_{0};
    std::atomic<Size> locks_{0};
    std::atomic<Size> nanoseconds_{0};
};

}  // namespace muster
