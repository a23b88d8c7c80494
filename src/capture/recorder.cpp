#include "capture/recorder.hpp"

#include <algorithm>
#include <cstring>

#include "capture/capture.hpp"
#include "core/coding.hpp"
#include "core/compact.hpp"
#include "core/merge.hpp"

namespace muster {

namespace {

constexpr Size bytes_of_an_access = 24;

void write_bytes(ByteWriter& out, std::span<std::byte const> bytes) {
    out.number(static_cast<Size>(bytes.size()));
    if (!bytes.empty()) std::memcpy(out.room(bytes.size()), bytes.data(), bytes.size());
}

void write_text(ByteWriter& out, std::string const& text) { write_bytes(out, std::as_bytes(std::span{text})); }

// Views may run backwards, or over the same bytes twice: what is accessed counts, not in which order.
Shape in_file_order(Stream const& stream) {
    if (stream.shape.ordered()) return stream.alone();
    std::vector<Extent> pieces;
    stream.for_each([&](Offset offset, Size length) { pieces.push_back({offset, length}); });
    return Shape::pieces(cover(std::move(pieces)));
}

}  // namespace

int Recorder::open(Opening opening) {
    std::lock_guard const lock{mutex_};
    files_.push_back({std::move(opening), {}, {}, {}, {}});
    return static_cast<int>(files_.size()) - 1;
}

int Recorder::number_of(Shape const& shape) {
    auto code = encode(Stream::whole(compact(shape)));
    auto const [known, is_new] = numbers_.emplace(std::move(code), static_cast<int>(shapes_.size()));
    if (is_new) {
        shapes_.push_back({known->first, shape.size(), shape.piece_count()});
        kept_ += 2 * static_cast<Size>(known->first.size());
    }
    return known->second;
}

void Recorder::add(int file, bool write, Stream const& stream) {
    std::lock_guard const lock{mutex_};
    full_ = full_ || kept_ > limit_;
    if (full_) return;
    auto const shape = in_file_order(stream);
    auto const base = shape.low();
    files_[static_cast<std::size_t>(file)].accesses.push_back({write, number_of(shape.shifted(-base)), base});
    kept_ += bytes_of_an_access;
}

void Recorder::count(int file, bool write, Size bytes) {
    std::lock_guard const lock{mutex_};
    auto& counted = files_[static_cast<std::size_t>(file)];
    ++counted.counted[write ? 1 : 0];
    counted.counted_bytes[write ? 1 : 0] += bytes;
}

void Recorder::set_hints(int file, std::vector<HintPair> hints) {
    std::lock_guard const lock{mutex_};
    files_[static_cast<std::size_t>(file)].hints = std::move(hints);
}

void Recorder::write_file(ByteWriter& out, File const& file) {
    out.number(Size{file.opening.name.leader});
    out.number(file.opening.name.serial);
    out.number(Size{file.opening.rank});
    out.number(Size{file.opening.ranks});
    write_text(out, file.opening.path);
    out.number(static_cast<Size>(file.hints.size()));
    for (auto const& [name, value] : file.hints) {
        write_text(out, name);
        write_text(out, value);
    }
    for (std::size_t i = 0; i < 2; ++i) {
        out.number(file.counted[i]);
        out.number(file.counted_bytes[i]);
    }
    out.number(static_cast<Size>(file.accesses.size()));
    Offset before = 0;
    for (auto const& access : file.accesses) {
        out.number(Size{access.shape} * 2 + (access.write ? 1 : 0));
        out.signed_number(access.base - before);
        before = access.base;
    }
}

std::vector<std::byte> Recorder::section(std::string const& node) const {
    std::lock_guard const lock{mutex_};
    ByteWriter out;
    out.byte(full_ ? 1 : 0);
    write_text(out, node);
    out.number(static_cast<Size>(shapes_.size()));
    for (auto const& shape : shapes_) {
        out.number(shape.bytes);
        out.number(shape.pieces);
        write_bytes(out, shape.code);
    }
    out.number(static_cast<Size>(files_.size()));
    for (auto const& file : files_) write_file(out, file);
    return sealed(out.take());
}

}  // namespace muster
