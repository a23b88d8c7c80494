#include "engine/file_state.hpp"

namespace muster {

Result<Access> viewed(View const& view, Offset offset, Result<Memory> memory) {
    if (!memory) return memory.status();
    auto file = file_stream(view, offset, memory->stream.size());
    if (!file) return file.status();
    return make_access(std::move(*file), std::move(*memory));
}

Result<Access> boxed(Subarray const& block, void const* buffer) {
    auto const order = block.fortran_order ? ArrayOrder::fortran : ArrayOrder::c;
    auto shape = subarray_shape({block.sizes, block.subsizes, block.starts, order}, block.element_size);
    if (!shape) return shape.status();
    if (!is_possible({block.offset, shape->high()})) {
        return Status{Code::invalid_argument, "a sub-array at " + std::to_string(block.offset) + " is in no file"};
    }
    auto* const base = static_cast<std::byte*>(const_cast<void*>(buffer));  // writing only reads from it
    auto const size = shape->size();
    return make_access(Stream::whole(shape->shifted(block.offset)), {Stream::whole(Shape::block(0, size)), base});
}

Result<Access> with_buffer(Result<Access> access, void const* buffer) {
    if (access && access->size() > 0 && buffer == nullptr) return no_buffer();
    return access;
}

Status no_buffer() { return {Code::invalid_argument, "a null pointer for a buffer that is not empty"}; }

Result<Access> listed(Pieces const& pieces) { return make_access(pieces.extents, pieces.segments); }

}  // namespace muster
