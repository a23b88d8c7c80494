#include "hdf5/chunks.hpp"

#include <algorithm>
#include <unordered_map>

namespace muster::hdf5 {

namespace {

// Cuts pieces of the dataset at the edges of chunks.
class Chunker {
public:
    Chunker(hid_t dataset, ChunkGrid const& grid) : dataset_{dataset}, grid_{grid}, at_(grid.extent.size()) {}

    void add(Offset offset, Size length) {
        while (length > 0 && status_.ok()) {
            auto const run = std::min(go_to(offset / grid_.element) * grid_.element, length);
            pieces_.push_back({address() + inner_offset(), run});
            offset += run;
            length -= run;
        }
    }

    Result<Shape> take() {
        if (!status_.ok()) return status_;
        return Shape::pieces(std::move(pieces_));
    }

private:
    // Sets the coordinates of an element; how many follow it on its row of its chunk, itself included.
    Size go_to(Size element) {
        for (auto d = at_.size(); d-- > 0; element /= grid_.extent[d]) at_[d] = element % grid_.extent[d];
        auto const last = at_.size() - 1;
        auto const in_chunk = grid_.chunk[last] - at_[last] % grid_.chunk[last];
        return std::min(in_chunk, grid_.extent[last] - at_[last]);
    }

    Size inner_offset() const {
        Size element = 0;
        for (std::size_t d = 0; d < at_.size(); ++d) element = element * grid_.chunk[d] + at_[d] % grid_.chunk[d];
        return element * grid_.element;
    }

    // Of the chunk at the coordinates.
    Offset address() {
        Size index = 0;
        for (std::size_t d = 0; d < at_.size(); ++d) {
            auto const chunks = (grid_.extent[d] + grid_.chunk[d] - 1) / grid_.chunk[d];
            index = index * chunks + at_[d] / grid_.chunk[d];
        }
        auto const [found, fresh] = addresses_.try_emplace(index, 0);
        if (fresh) found->second = look_up();
        return found->second;
    }

    Offset look_up() {
        std::vector<hsize_t> first;
        for (std::size_t d = 0; d < at_.size(); ++d) {
            first.push_back(static_cast<hsize_t>(at_[d] - at_[d] % grid_.chunk[d]));
        }
        unsigned filters = 0;
        haddr_t address = HADDR_UNDEF;
        hsize_t size = 0;
        auto const found = H5Dget_chunk_info_by_coord(dataset_, first.data(), &filters, &address, &size);
        if (found >= 0 && address != HADDR_UNDEF) return static_cast<Offset>(address);
        status_ = {Code::io, "HDF5 does not tell where a chunk lies"};
        return 0;
    }

    hid_t dataset_;
    ChunkGrid const& grid_;
    std::vector<Size> at_;
    std::unordered_map<Size, Offset> addresses_;
    std::vector<Extent> pieces_;
    Status status_;
};

}  // namespace

Size ChunkGrid::chunk_count() const {
    Size count = 1;
    for (std::size_t d = 0; d < extent.size(); ++d) count *= (extent[d] + chunk[d] - 1) / chunk[d];
    return count;
}

Size ChunkGrid::pieces(Size elements) const {
    return elements / std::max<Size>(1, std::min(chunk.back(), extent.back())) + 1;
}

Result<Shape> place_in_chunks(hid_t dataset, ChunkGrid const& grid, Shape const& shape) {
    Chunker chunker{dataset, grid};
    shape.for_each([&](Offset offset, Size length) { chunker.add(offset, length); });
    return chunker.take();
}

}  // namespace muster::hdf5
