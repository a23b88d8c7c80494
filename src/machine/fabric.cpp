#include "machine/fabric.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>

namespace muster {

namespace {

constexpr std::uint8_t no_way = std::numeric_limits<std::uint8_t>::max();
constexpr std::size_t most_pairs = std::size_t{1} << 25;

// The far end of a cable, seen from a vertex.
struct End {
    int vertex;
    std::size_t cable;
};

std::vector<Cable> joined(std::vector<Cable> const& cables) {
    std::map<std::pair<int, int>, double> widths;
    for (auto const& cable : cables) widths[std::minmax(cable.one, cable.other)] += cable.width;
    std::vector<Cable> all;
    all.reserve(widths.size());
    for (auto const& [ends, width] : widths) all.push_back({ends.first, ends.second, width});
    return all;
}

std::size_t at(int index) { return static_cast<std::size_t>(index); }

}  // namespace

struct Fabric::Body {
    int places{0};
    std::vector<Cable> cables;
    std::vector<std::vector<End>> ends;  // of every vertex
    std::vector<int> row_of;             // of every vertex in the table of hops; -1: no place is plugged in there
    std::vector<std::uint8_t> hops;      // row by row, to every switch

    Body(int place_count, std::vector<Cable> all) : places{place_count}, cables{std::move(all)} {
        int count = places;
        for (auto const& cable : cables) count = std::max(count, cable.other + 1);
        ends.resize(at(count));
        row_of.assign(at(count), -1);
        for (std::size_t i = 0; i < cables.size(); ++i) {
            ends[at(cables[i].one)].push_back({cables[i].other, i});
            ends[at(cables[i].other)].push_back({cables[i].one, i});
        }
    }

    int vertices() const { return static_cast<int>(ends.size()); }
    bool is_place(int vertex) const { return vertex < places; }
    std::size_t switches() const { return ends.size() - at(places); }
    std::uint8_t hops_between(int leaf, int vertex) const {
        return hops[at(row_of[at(leaf)]) * switches() + at(vertex - places)];
    }

    // The cables at both ends of the shortest way between two places; nothing where there is none, or they are one cable.
    struct Way {
        End first{};
        End last{};
        int hops{no_way};
    };
    std::optional<std::size_t> direct(int from, int to) const {
        for (auto const& end : ends[at(from)]) {
            if (end.vertex == to) return end.cable;
        }
        return {};
    }
    Way shortest(int from, int to) const {
        Way best;
        auto const turns = ends[at(to)].size();
        for (std::size_t i = 0; i < turns; ++i) {
            auto const& last = ends[at(to)][(i + at(to)) % turns];
            for (auto const& first : ends[at(from)]) {
                if (is_place(first.vertex) || is_place(last.vertex)) continue;
                auto const found = hops_between(last.vertex, first.vertex);
                if (found < best.hops) best = {first, last, found};
            }
        }
        return best;
    }

    // Gives the switches that have places a row each; how many there are.
    int number_leaves() {
        int rows = 0;
        for (int place = 0; place < places; ++place) {
            for (auto const& end : ends[at(place)]) {
                if (!is_place(end.vertex) && row_of[at(end.vertex)] < 0) row_of[at(end.vertex)] = rows++;
            }
        }
        return rows;
    }

    void count_hops(int leaf) {
        auto const row = [this, first = at(row_of[at(leaf)]) * switches()](int vertex) -> std::uint8_t& {
            return hops[first + at(vertex - places)];
        };
        std::vector<int> reached{leaf};
        row(leaf) = 0;
        for (std::size_t i = 0; i < reached.size(); ++i) {
            auto const next = static_cast<std::uint8_t>(row(reached[i]) + 1);
            if (next == no_way) return;
            for (auto const& end : ends[at(reached[i])]) {
                if (is_place(end.vertex) || row(end.vertex) != no_way) continue;
                row(end.vertex) = next;
                reached.push_back(end.vertex);
            }
        }
    }

    // The next step from a switch towards another.
    End step(int vertex, int leaf, int to) const {
        std::vector<End> nearer;
        for (auto const& end : ends[at(vertex)]) {
            if (is_place(end.vertex)) continue;
            if (hops_between(leaf, end.vertex) + 1 == hops_between(leaf, vertex)) nearer.push_back(end);
        }
        return nearer[at(to) % nearer.size()];
    }
};

namespace {

Status wrong(std::string const& what) { return {Code::invalid_argument, "not a fabric such as '2: 0-2,1-2': " + what}; }

Status check(int places, std::vector<Cable> const& cables) {
    if (places < 1) return wrong("at least one place expected");
    for (auto const& cable : cables) {
        if (cable.one < 0 || cable.other < 0 || cable.one == cable.other || !(cable.width > 0)) {
            return wrong("a cable joins two different ends");
        }
    }
    // Every vertex has a cable: nothing is reserved for numbers that are left out.
    auto const most = 2 * cables.size();
    auto const beyond = [&](Cable const& cable) { return at(std::max(cable.one, cable.other)) >= most; };
    if ((places > 1 && at(places) > most) || std::any_of(cables.begin(), cables.end(), beyond)) {
        return wrong("places and switches must be numbered without gaps, and have cables");
    }
    return {};
}

}  // namespace

Result<Fabric> Fabric::make(int places, std::vector<Cable> const& cables) {
    if (auto const status = check(places, cables); !status.ok()) return status;
    auto body = std::make_shared<Body>(places, joined(cables));
    auto const vertices = body->vertices();
    auto const rows = body->number_leaves();
    if (at(rows) * body->switches() > most_pairs) return wrong("too many switches");
    body->hops.assign(at(rows) * body->switches(), no_way);
    for (int vertex = places; vertex < vertices; ++vertex) {
        if (body->row_of[at(vertex)] >= 0) body->count_hops(vertex);
    }
    Fabric fabric;
    fabric.body_ = std::move(body);
    for (int place = 1; place < places; ++place) {
        if (fabric.distance(0, place) > vertices) return wrong("no way from place 0 to place " + std::to_string(place));
    }
    return fabric;
}

int Fabric::places() const { return body_ ? body_->places : 0; }
int Fabric::switches() const { return body_ ? static_cast<int>(body_->switches()) : 0; }
std::vector<Cable> const& Fabric::cables() const {
    static std::vector<Cable> const none;
    return body_ ? body_->cables : none;
}

int Fabric::distance(int from, int to) const {
    if (from == to) return 0;
    if (body_->direct(from, to)) return 1;
    auto const hops = body_->shortest(from, to).hops;
    return hops == no_way ? body_->vertices() + 1 : hops + 2;
}

void Fabric::for_each_cable(int from, int to, std::function<void(std::size_t, bool)> const& visit) const {
    if (from == to) return;
    auto const pass = [&](int vertex, std::size_t cable) { visit(cable, body_->cables[cable].other == vertex); };
    if (auto const cable = body_->direct(from, to)) return pass(from, *cable);
    auto const way = body_->shortest(from, to);
    if (way.hops == no_way) return;
    pass(from, way.first.cable);
    for (auto vertex = way.first.vertex; vertex != way.last.vertex;) {
        auto const next = body_->step(vertex, way.last.vertex, to);
        pass(vertex, next.cable);
        vertex = next.vertex;
    }
    pass(way.last.vertex, way.last.cable);
}

bool Fabric::operator==(Fabric const& other) const {
    return body_ == other.body_ || (places() == other.places() && cables() == other.cables());
}

}  // namespace muster
