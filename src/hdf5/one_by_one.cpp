#include "hdf5/one_by_one.hpp"

#include "access/copy.hpp"
#include "hdf5/handle.hpp"

namespace muster::hdf5 {

namespace {

// What H5Dwrite and H5Dread have in common.
struct Transfer {
    hid_t memory_space;
    hid_t file_space;
    void* buffer;
};

Status call_hdf5(Request const& request, Entry const& entry, Transfer const& transfer) {
    auto const [memory_space, file_space, buffer] = transfer;
    auto const write = request.direction == Direction::write;
    auto const outcome =
        write ? H5Dwrite(entry.dataset, entry.memory_type, memory_space, file_space, request.dxpl, buffer)
              : H5Dread(entry.dataset, entry.memory_type, memory_space, file_space, request.dxpl, buffer);
    if (outcome >= 0) return {};
    return {Code::io, std::string{"HDF5 cannot "} + name_of(request.direction) + " " + name_of_object(entry.dataset)};
}

void select_blocks(hid_t space, BlockList const& blocks) {
    H5Sselect_none(space);
    auto operation = H5S_SELECT_SET;
    for (std::size_t i = 0; i < blocks.count; ++i) {
        BlockList const one{1, blocks.dimensions, blocks.starts + i * blocks.dimensions,
                            blocks.sizes + i * blocks.dimensions};
        if (one.elements() == 0) continue;
        H5Sselect_hyperslab(space, operation, one.starts, nullptr, one.sizes, nullptr);
        operation = H5S_SELECT_OR;
    }
}

// Blocks as HDF5 wants them: one selection in the file, and memory in the order of the file.
class BlockTransfer {
public:
    BlockTransfer(Request const& request, Entry const& entry)
        : request_{request}, entry_{entry}, space_{H5Dget_space(entry.dataset), H5Sclose} {
        auto const element = static_cast<Size>(H5Tget_size(entry.memory_type));
        auto const arrangement = aggregate(*entry.blocks, extent_of(space_), element);
        overlapping_ = !arrangement.file.ordered();
        memory_ = Stream::whole(overlapping_ ? Shape{} : arrangement.memory);
        elements_ = static_cast<hsize_t>(memory_.size() / element);
        if (overlapping_)
            H5Sselect_none(space_);
        else if (extent_of(space_).empty())
            select_scalar();
        else
            select_blocks(space_, *entry.blocks);
    }

    Status run() {
        std::vector<std::byte> bytes(static_cast<std::size_t>(memory_.size()));
        auto* const base = static_cast<std::byte*>(entry_.buffer);
        if (request_.direction == Direction::write) gather(memory_, base, bytes.data());
        Handle const memory_space{H5Screate_simple(1, &elements_, nullptr), H5Sclose};
        auto status = call_hdf5(request_, entry_, {memory_space, space_, bytes.data()});
        if (request_.direction == Direction::read && status.ok()) scatter(bytes.data(), memory_, base);
        if (!overlapping_) return status;
        return {Code::unsupported, "overlapping blocks of a dataset that HDF5 has to do"};
    }

private:
    void select_scalar() {
        if (elements_ == 0) H5Sselect_none(space_);
    }

    Request const& request_;
    Entry const& entry_;
    Handle space_;
    Stream memory_;
    hsize_t elements_{0};
    bool overlapping_{false};
};

}  // namespace

Status transfer_one(Request const& request, Entry const& entry) {
    if (entry.blocks != nullptr) return BlockTransfer{request, entry}.run();
    return call_hdf5(request, entry, {entry.memory_space, entry.file_space, entry.buffer});
}

}  // namespace muster::hdf5
