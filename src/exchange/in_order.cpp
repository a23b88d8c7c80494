// The kernels that send one message after the other: ascending, spread-out, balanced and pairwise.
#include <array>

#include "exchange/exchange.hpp"

namespace muster {

namespace {

// The messages of one lane that may be under way, counted together or apart for the own node and the rest.
class Throttle {
public:
    explicit Throttle(Terms const& terms)
        : apart_{terms.throttle_inside > 0}, limits_{terms.throttle, terms.throttle_inside} {
        if (terms.kernel == Kernel::pairwise) *this = Throttle{{Kernel::automatic, 1, 0, terms.tag}};
    }

    bool open(bool inside) const {
        auto const kind = kind_of(inside);
        return limits_[kind] == 0 || flying_[kind] < limits_[kind];
    }
    void leave(bool inside) { ++flying_[kind_of(inside)]; }
    void arrive(bool inside) { --flying_[kind_of(inside)]; }

private:
    std::size_t kind_of(bool inside) const { return apart_ && inside ? 1 : 0; }

    bool apart_;
    std::array<int, 2> limits_;
    std::array<int, 2> flying_{};
};

// One lane as far as it has got.
struct Side {
    Lane const& lane;
    Throttle throttle;
    bool sends;
    std::size_t next{0};
};

// Starts messages in their order and notices when they are done.
class Flight {
public:
    Flight(Courier& courier, Terms const& terms, Lanes const& lanes)
        : courier_{courier},
          tag_{terms.tag},
          mode_{terms.kernel == Kernel::ascending ? Send::plain : Send::synchronous},
          sides_{Side{lanes.incoming, Throttle{terms}, false}, Side{lanes.outgoing, Throttle{terms}, true}} {}

    bool done() const {
        auto const through = [](Side const& side) { return side.next == side.lane.peers.size(); };
        return requests_.empty() && through(sides_[0]) && through(sides_[1]);
    }

    // As many as may be under way.
    void start() {
        for (std::size_t side = 0; side < sides_.size(); ++side) {
            while (start_next(side)) {
            }
        }
    }

    // Whether any message was done.
    bool land() {
        if (requests_.empty()) return false;
        int count = 0;
        landed_.resize(requests_.size());
        MPI_Testsome(static_cast<int>(requests_.size()), requests_.data(), &count, landed_.data(), MPI_STATUSES_IGNORE);
        landed_.resize(static_cast<std::size_t>(count));
        std::sort(landed_.begin(), landed_.end(), std::greater{});  // so that each can make room for the last
        for (auto const i : landed_) finish(static_cast<std::size_t>(i));
        return count > 0;
    }

    // Whom this rank waits for, if it is one alone.
    int only_peer() const { return requests_.size() == 1 ? peer_of(tickets_[0]) : -1; }

private:
    struct Ticket {
        std::size_t side;
        std::size_t message;
    };

    Rank peer_of(Ticket ticket) const { return sides_[ticket.side].lane.peers[ticket.message]; }

    bool start_next(std::size_t index) {
        auto& side = sides_[index];
        if (side.next == side.lane.peers.size()) return false;
        auto const peer = side.lane.peers[side.next];
        auto const inside = courier_.inside_node(peer);
        if (!side.throttle.open(inside)) return false;
        auto const bytes = side.lane.load(side.next);
        if (bytes.empty()) return false;
        requests_.push_back(side.sends ? courier_.send(bytes, peer, tag_, mode_) : courier_.receive(bytes, peer, tag_));
        tickets_.push_back({index, side.next++});
        side.throttle.leave(inside);
        return true;
    }

    void finish(std::size_t i) {
        auto const ticket = tickets_[i];
        auto& side = sides_[ticket.side];
        side.throttle.arrive(courier_.inside_node(peer_of(ticket)));
        requests_[i] = requests_.back();
        tickets_[i] = tickets_.back();
        requests_.pop_back();
        tickets_.pop_back();
        side.lane.unload(ticket.message);
    }

    Courier& courier_;
    int tag_;
    Send mode_;
    std::array<Side, 2> sides_;
    std::vector<MPI_Request> requests_;
    std::vector<Ticket> tickets_;  // of each request
    std::vector<int> landed_;
};

}  // namespace

void exchange_in_order(Courier& courier, Terms const& terms, Lanes const& lanes, Work const& meanwhile) {
    Flight flight{courier, terms, lanes};
    flight.start();
    meanwhile();
    Patience patience;
    while (!flight.done()) {
        if (flight.land()) {
            flight.start();
            patience = {};
        } else {
            watchdog().peer = flight.only_peer();
            patience.pause();
        }
    }
    watchdog().peer = -1;
}

}  // namespace muster
