#include "workloads/box.hpp"

#include "workloads/sizes.hpp"

namespace muster {

Shape box(Array3 const& array, Triple const& begin, Triple const& end) {
    auto const offset = begin[0] * array.plane() + begin[1] * array.row() + begin[2] * array.element;
    Extent const line{offset, (end[2] - begin[2]) * array.element};
    auto const plane = Shape::strip(line, end[1] - begin[1], array.row());
    return Shape::repeat(plane, end[0] - begin[0], array.plane());
}

Shape share_of(Array3 const& array, Triple const& parts, Triple const& index) {
    Triple begin{};
    Triple end{};
    for (std::size_t i = 0; i < 3; ++i) {
        begin[i] = share_begin(array.extent[i], parts[i], index[i]);
        end[i] = share_begin(array.extent[i], parts[i], index[i] + 1);
    }
    return box(array, begin, end);
}

}  // namespace muster
