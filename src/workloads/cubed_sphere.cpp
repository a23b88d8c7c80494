#include "workloads/cubed_sphere.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <utility>

namespace muster {

namespace {

// Element (face, y, x) of faces with n x n elements; its corners and edges get integer coordinates on the surface
// of a cube of edge 2n, where elements that share them agree.
struct Element {
    Size face;
    Size x;
    Size y;
};

std::uint64_t surface_point(Size face, Size u, Size v, Size edge) {
    std::array<std::array<Size, 3>, 6> const places{
        {{edge, u, v}, {edge - u, edge, v}, {0, edge - u, v}, {u, 0, v}, {edge - v, u, 0}, {v, u, edge}}};
    auto const& place = places[static_cast<std::size_t>(face)];
    return (static_cast<std::uint64_t>(place[0]) << 42) | (static_cast<std::uint64_t>(place[1]) << 21) |
           static_cast<std::uint64_t>(place[2]);
}

// A corner (1 point) or the inner points of an edge (2 points) of an element.
struct Shared {
    std::uint64_t place;
    std::uint32_t element;
    std::uint32_t points;
};

void add_shared(std::vector<Shared>& shared, Element const& element, Size n) {
    auto const number = static_cast<std::uint32_t>((element.face * n + element.y) * n + element.x);
    for (Size dv = 0; dv <= 2; ++dv) {
        for (Size du = 0; du <= 2; ++du) {
            if (du == 1 && dv == 1) continue;
            auto const place = surface_point(element.face, 2 * element.x + du, 2 * element.y + dv, 2 * n);
            shared.push_back({place, number, du == 1 || dv == 1 ? 2u : 1u});
        }
    }
}

std::vector<Shared> shared_places(Size n) {
    std::vector<Shared> shared;
    shared.reserve(static_cast<std::size_t>(6 * n * n * 8));
    for (Size face = 0; face < 6; ++face) {
        for (Size y = 0; y < n; ++y) {
            for (Size x = 0; x < n; ++x) add_shared(shared, {face, x, y}, n);
        }
    }
    std::sort(shared.begin(), shared.end(), [](Shared const& left, Shared const& right) {
        return std::pair{left.place, left.element} < std::pair{right.place, right.element};
    });
    return shared;
}

// Columns that belong to each element: its 4 inner points, and what it shares with later elements only.
std::vector<Size> count_columns(Size n) {
    std::vector<Size> counts(static_cast<std::size_t>(6 * n * n), 4);
    auto const shared = shared_places(n);
    for (std::size_t i = 0; i < shared.size(); ++i) {
        if (i == 0 || shared[i].place != shared[i - 1].place) counts[shared[i].element] += shared[i].points;
    }
    return counts;
}

// How the curve runs over a face: as Hilbert's from the lower left to the lower right corner, after these turns.
struct FaceOnCurve {
    Size face;
    bool transposed;
    bool mirrored;  // left to right
    bool upside_down;
};

// As in the model: round half of the equator, over the top, down the back, and below to the rest of the equator.
constexpr std::array<FaceOnCurve, 6> faces_on_curve{{{0, false, false, true},
                                                     {1, false, false, true},
                                                     {5, false, true, true},
                                                     {3, true, false, true},
                                                     {4, false, false, false},
                                                     {2, false, false, false}}};

// The elements of a face with n x n, in the order in which a curve through the next power of two meets them.
std::vector<Size> face_curve(FaceOnCurve const& turns, Size n) {
    auto const side = static_cast<Size>(std::bit_ceil(static_cast<std::uint64_t>(n)));
    std::vector<std::pair<Size, Size>> elements;
    for (Size y = 0; y < n; ++y) {
        for (Size x = 0; x < n; ++x) {
            auto u = turns.mirrored ? n - 1 - x : x;
            auto v = turns.upside_down ? n - 1 - y : y;
            if (turns.transposed) std::swap(u, v);
            elements.emplace_back(hilbert_distance(side, u, v), (turns.face * n + y) * n + x);
        }
    }
    std::sort(elements.begin(), elements.end());
    std::vector<Size> order;
    for (auto const& [distance, element] : elements) order.push_back(element);
    return order;
}

}  // namespace

Size hilbert_distance(Size side, Size x, Size y) {
    Size distance = 0;
    for (auto half = side / 2; half > 0; half /= 2) {
        auto const right = (x & half) != 0;
        auto const upper = (y & half) != 0;
        distance += half * half * (right ? (upper ? 2 : 3) : (upper ? 1 : 0));
        if (upper) continue;
        if (right) {  // the last quarter is turned the other way round
            x = side - 1 - x;
            y = side - 1 - y;
        }
        std::swap(x, y);
    }
    return distance;
}

CubedSphere::CubedSphere(Size n) {
    first_column_.push_back(0);
    for (auto const count : count_columns(n)) first_column_.push_back(first_column_.back() + count);
    for (auto const& turns : faces_on_curve) {
        auto const face = face_curve(turns, n);
        curve_.insert(curve_.end(), face.begin(), face.end());
    }
}

Extent CubedSphere::columns_of(Size element) const {
    auto const index = static_cast<std::size_t>(element);
    return {first_column_[index], first_column_[index + 1] - first_column_[index]};
}

}  // namespace muster
