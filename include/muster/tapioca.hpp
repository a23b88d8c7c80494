// Declared I/O by the names that users of TAPIOCA know: Init tells the coming accesses, Write and Read hand over or take them
// one by one, Finalize completes them. A thin layer over muster/declared.hpp.
//
//   muster::Tapioca tapioca;
//   tapioca.Init(file, count, size, offset, 3);          // counts, element sizes and offsets of 3 variables; collective
//   tapioca.Write(offset[0], x, count[0] * size[0]);     // local
//   ...
//   tapioca.Finalize();                                  // collective
#pragma once

#include <limits>
#include <optional>

#include "muster/declared.hpp"

namespace muster {

class Tapioca {
public:
    enum class Kind { write, read };

    // Collective. Variable i: count[i] elements of size[i] bytes at offset[i] of the file.
    Status Init(File& file, Size const* count, Size const* size, Offset const* offset, int variables,
                Kind kind = Kind::write) {
        std::vector<Part> parts;
        for (int i = 0; i < variables; ++i) parts.push_back({{{offset[i], bytes_of(count[i], size[i])}}});
        auto declared = kind == Kind::write ? Declared::write(file, parts) : Declared::read(file, parts);
        if (!declared) return declared.status();
        declared_.emplace(std::move(*declared));
        parts_ = std::move(parts);
        return {};
    }

    // Local. Bytes of one variable, from any place inside it on.
    Status Write(Offset offset, void const* data, Size bytes) {
        auto const part = find(offset, bytes);
        if (!part) return nowhere();
        return declared_->put(*part, data, offset - parts_[*part].extents[0].offset, bytes);
    }
    Status Read(Offset offset, void* data, Size bytes) {
        auto const part = find(offset, bytes);
        if (!part) return nowhere();
        return declared_->get(*part, data, offset - parts_[*part].extents[0].offset, bytes).status();
    }

    // Collective.
    Status Finalize() {
        if (!declared_) return nowhere();
        auto const status = declared_->finish().status();
        declared_.reset();
        return status;
    }

private:
    std::optional<std::size_t> find(Offset offset, Size bytes) const {
        for (std::size_t i = 0; declared_ && i < parts_.size(); ++i) {
            auto const& extent = parts_[i].extents[0];
            if (extent.offset <= offset && offset <= extent.end() && bytes <= extent.end() - offset) return i;
        }
        return {};
    }
    // What cannot be is declared as such, and refused by all ranks.
    static Size bytes_of(Size count, Size size) {
        auto const possible =
            count >= 0 && size >= 0 && (size == 0 || count <= std::numeric_limits<Size>::max() / size);
        return possible ? count * size : -1;
    }
    static Status nowhere() { return {Code::invalid_argument, "these bytes were not told to Init"}; }

    std::optional<Declared> declared_;
    std::vector<Part> parts_;
};

}  // namespace muster
