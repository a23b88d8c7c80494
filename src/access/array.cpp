#include "access/array.hpp"

namespace muster {

namespace {

Shape row(Element const& element, Offset start, Size count) {
    return Shape::repeat(element.shape, count, element.extent).shifted(start * element.extent);
}

Status check_dimension(SubArray const& box, std::size_t i) {
    auto const size = box.sizes[i], subsize = box.subsizes[i], start = box.starts[i];
    if (size >= 0 && subsize >= 0 && start >= 0 && start <= size && subsize <= size - start) return {};
    return {Code::invalid_argument, "dimension " + std::to_string(i) + ": " + std::to_string(subsize) +
                                        " elements from " + std::to_string(start) + " do not fit into " +
                                        std::to_string(size)};
}

Status check(SubArray const& box, Size element_size) {
    if (element_size < 0) return {Code::invalid_argument, "an element cannot have a negative size"};
    if (box.sizes.size() != box.subsizes.size() || box.sizes.size() != box.starts.size()) {
        return {Code::invalid_argument, "sizes, subsizes and starts must have one entry per dimension each"};
    }
    auto bytes = element_size;
    for (std::size_t i = 0; i < box.sizes.size(); ++i) {
        if (auto status = check_dimension(box, i); !status.ok()) return status;
        auto const size = std::max(box.sizes[i], Size{1});  // an empty dimension must not hide what the others are
        if (__builtin_mul_overflow(bytes, size, &bytes)) {
            return {Code::invalid_argument, "the array has more bytes than a 64-bit offset can tell"};
        }
    }
    return {};
}

}  // namespace

Shape subarray_shape(SubArray const& box, Element const& element) {
    auto part = element;
    auto const dimensions = box.sizes.size();
    for (std::size_t i = 0; i < dimensions; ++i) {
        auto const d = box.order == ArrayOrder::c ? dimensions - 1 - i : i;  // the fastest first
        part = {row(part, box.starts[d], box.subsizes[d]), part.extent * box.sizes[d]};
    }
    return part.shape;
}

Result<Shape> subarray_shape(SubArray const& box, Size element_size) {
    if (auto status = check(box, element_size); !status.ok()) return status;
    return subarray_shape(box, Element{Shape::block(0, element_size), element_size});
}

Shape distributed_shape(Distribution const& part, Element const& element) {
    auto const blocks = part.size / part.block;  // whole ones, of all processes
    auto const mine = (blocks - part.coordinate + part.processes - 1) / part.processes;
    auto const block = Element{row(element, 0, part.block), part.block * element.extent};
    auto const turn = Element{block.shape, part.processes * block.extent};
    auto const whole = row(turn, 0, std::max<Size>(mine, 0)).shifted(part.coordinate * block.extent);
    auto const rest_is_mine = blocks % part.processes == part.coordinate;
    if (!rest_is_mine) return whole;
    return Shape::chain({whole, row(element, blocks * part.block, part.size % part.block)});
}

}  // namespace muster
