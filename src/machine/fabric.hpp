// Switches joined by cables in any way, with places plugged into them: what the walk of an InfiniBand network finds.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "muster/status.hpp"

namespace muster {

// Between two vertices: places come first, then switches.
struct Cable {
    int one{0};
    int other{0};
    double width{1};  // so many cables of usual speed side by side
    bool operator==(Cable const&) const = default;
};

// A value that is cheap to copy. Places do not pass on what is not theirs. Hops are kept from all switches to those that
// have places, one byte each: nothing grows with the square of the places.
class Fabric {
public:
    Fabric() = default;
    // Cables between the same two are joined. An error where a place cannot be reached, or above 2^25 pairs of switches.
    static Result<Fabric> make(int places, std::vector<Cable> const& cables);

    int places() const;
    int switches() const;
    std::vector<Cable> const& cables() const;
    // Links on a shortest way; more than there are vertices where there is no way at all.
    int distance(int from, int to) const;
    // Calls visit(index of the cable, from its end `other` to `one`) along a shortest way. Among equal ways the place to be
    // reached decides, as in the tables of such switches.
    void for_each_cable(int from, int to, std::function<void(std::size_t, bool)> const& visit) const;

    bool operator==(Fabric const& other) const;

private:
    struct Body;
    std::shared_ptr<Body const> body_;
};

}  // namespace muster
