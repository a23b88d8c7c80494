// Room for messages under way in a buffer of fixed size: taken in the order of the messages, given back in any order.
#pragma once

#include <span>
#include <vector>

namespace muster {

class Staging {
public:
    Staging(std::span<std::byte> memory, std::size_t messages) : memory_{memory}, stays_(messages) {}

    // Room for a message, which comes after those that took room before it; empty: none now. Any message that is not
    // larger than the buffer finds room when no other has any.
    std::span<std::byte> take(std::size_t message, std::size_t bytes) {
        forget_those_gone();
        auto const place = place_for(bytes);
        if (place + bytes > memory_.size()) return {};
        if (oldest_ == after_latest_) oldest_ = message;
        stays_[message] = {place, place + bytes};
        latest_end_ = place + bytes;
        after_latest_ = message + 1;
        return memory_.subspan(place, bytes);
    }
    std::span<std::byte> of(std::size_t message) const {
        return memory_.subspan(stays_[message].begin, stays_[message].end - stays_[message].begin);
    }
    void give_back(std::size_t message) { stays_[message] = {}; }

private:
    struct Stay {
        std::size_t begin{0};
        std::size_t end{0};  // 0: no message is there
    };

    void forget_those_gone() {
        while (oldest_ < after_latest_ && stays_[oldest_].end == 0) ++oldest_;
    }

    // Behind the latest, or at the start again; beyond the end of the buffer when there is no room.
    std::size_t place_for(std::size_t bytes) const {
        if (oldest_ == after_latest_) return 0;
        auto const oldest = stays_[oldest_].begin;
        if (latest_end_ <= oldest) return latest_end_ + bytes <= oldest ? latest_end_ : memory_.size();
        if (latest_end_ + bytes <= memory_.size()) return latest_end_;
        return bytes <= oldest ? 0 : memory_.size();
    }

    std::span<std::byte> memory_;
    std::vector<Stay> stays_;  // by message
    std::size_t oldest_{0};    // of those that have room
    std::size_t after_latest_{0};
    std::size_t latest_end_{0};
};

}  // namespace muster
