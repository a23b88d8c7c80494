// Random messages between ranks and aggregators, the same on all ranks, with contents that tell where they belong.
#pragma once

#include <algorithm>
#include <numeric>
#include <random>

#include "exchange/exchange.hpp"
#include "exchange/staging.hpp"
#include "plan/schedule.hpp"

namespace muster::testing_exchange {

using Index = std::size_t;
using Memory = std::vector<std::byte>;

// Bytes of the message between each rank and each aggregator, 0: none.
struct Messages {
    std::vector<Rank> aggregators;
    std::vector<std::vector<Size>> bytes;  // by aggregator index and rank

    Size of(int aggregator, Rank rank) const { return bytes[Index(aggregator)][Index(rank)]; }
    Size largest() const {
        Size most = 1;
        for (auto const& row : bytes) most = std::max(most, *std::max_element(row.begin(), row.end()));
        return most;
    }
};

struct Mix {
    unsigned seed{1};
    int present_percent{50};
    Size longest{200};
};

inline Messages random_messages(int ranks, Mix mix) {
    std::mt19937 random{mix.seed};
    std::vector<Rank> order(static_cast<Index>(ranks));
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random);
    order.resize(1 + random() % order.size());
    Messages messages{order, {}};
    for (Index i = 0; i < order.size(); ++i) {
        auto& row = messages.bytes.emplace_back();
        for (int rank = 0; rank < ranks; ++rank) {
            auto const present = static_cast<int>(random() % 100) < mix.present_percent;
            row.push_back(present ? 1 + static_cast<Size>(random() % static_cast<unsigned>(mix.longest)) : 0);
        }
    }
    return messages;
}

inline std::byte content(Rank from, Rank to, Index i) {
    return static_cast<std::byte>(static_cast<unsigned>(from) * 31 + static_cast<unsigned>(to) * 7 + i * 3 + i / 251);
}

// One rank's part in an exchange of messages: makes the lanes, checks contents on arrival, counts what is under way.
class Part {
public:
    Part(Courier& courier, Messages const& messages, Direction direction, Kernel kernel)
        : courier_{courier}, messages_{messages}, direction_{direction} {
        Schedule const schedule{
            {kernel, courier.comm().size, messages.aggregators, courier.machine().ranks_round_robin()}};
        auto const me = courier.comm().rank;
        for (auto const aggregator : schedule.aggregators_of(me)) add(owner_, aggregator, me);
        auto const found = std::find(messages.aggregators.begin(), messages.aggregators.end(), me);
        if (found == messages.aggregators.end()) return;
        auto const own = static_cast<int>(found - messages.aggregators.begin());
        for (auto const rank : schedule.ranks_of(own)) add(window_, own, rank);
    }

    // An aggregator has room for so many bytes at once only.
    void limit_room(Size bytes) {
        room_.resize(static_cast<Index>(bytes));
        staging_.emplace_back(room_, window_.peers.size());
    }

    Lanes lanes() {
        auto const write = direction_ == Direction::write;
        auto owner = lane_of(owner_, write);
        auto window = lane_of(window_, !write);
        return write ? Lanes{std::move(owner), std::move(window)} : Lanes{std::move(window), std::move(owner)};
    }

    bool right{true};
    int most_flying_out{0};
    int most_flying_in{0};
    Size done{0};
    Size expected() const { return static_cast<Size>(owner_.peers.size() + window_.peers.size()); }

private:
    struct End {
        std::vector<Rank> peers;
        std::vector<Memory> memory;
    };

    void add(End& end, int aggregator, Rank rank) {
        auto const server = messages_.aggregators[Index(aggregator)];
        auto const bytes = messages_.of(aggregator, rank);
        if (bytes == 0 || server == rank) return;
        end.peers.push_back(&end == &owner_ ? server : rank);
        end.memory.emplace_back(static_cast<Index>(bytes));
    }

    std::span<std::byte> room_for(End& end, Index i) {
        if (&end != &window_ || staging_.empty()) return end.memory[i];
        return staging_[0].take(i, end.memory[i].size());
    }

    Lane lane_of(End& end, bool sends) {
        auto& flying = sends ? flying_out_ : flying_in_;
        auto& most = sends ? most_flying_out : most_flying_in;
        Lane lane{end.peers, {}, {}};
        lane.load = [this, &end, &flying, &most, sends](Index i) {
            auto const room = room_for(end, i);
            if (room.empty()) return room;
            most = std::max(most, ++flying);
            for (Index at = 0; at < room.size(); ++at)
                room[at] = sends ? content(me(), end.peers[i], at) : std::byte{0};
            return room;
        };
        lane.unload = [this, &end, &flying, sends](Index i) {
            --flying;
            ++done;
            auto const limited = &end == &window_ && !staging_.empty();
            auto const room = limited ? staging_[0].of(i) : std::span{end.memory[i]};
            for (Index at = 0; at < room.size() && !sends; ++at)
                right = right && room[at] == content(end.peers[i], me(), at);
            if (limited) staging_[0].give_back(i);
        };
        lane.fits_at_once = staging_.empty() || total(end) <= static_cast<Size>(room_.size());
        return lane;
    }

    static Size total(End const& end) {
        Size bytes = 0;
        for (auto const& each : end.memory) bytes += static_cast<Size>(each.size());
        return bytes;
    }
    Rank me() const { return courier_.comm().rank; }

    Courier& courier_;
    Messages const& messages_;
    Direction direction_;
    End owner_;
    End window_;
    Memory room_;
    std::vector<Staging> staging_;  // at most one
    int flying_out_{0};
    int flying_in_{0};
};

}  // namespace muster::testing_exchange
