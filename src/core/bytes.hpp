// Numbers to bytes and back, for codes that travel.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "muster/extent.hpp"

namespace muster {

static_assert(std::endian::native == std::endian::little, "codes are written as they lie in memory");

class ByteWriter {
public:
    void byte(unsigned value) { bytes_.push_back(static_cast<std::byte>(value)); }
    void number(std::uint64_t value) {
        for (; value >= 0x80; value >>= 7) byte(static_cast<unsigned>(value & 0x7F) | 0x80U);
        byte(static_cast<unsigned>(value));
    }
    void number(Size value) { number(static_cast<std::uint64_t>(value)); }
    void signed_number(Offset value) {
        number((static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63));
    }
    // Room for that many bytes at the end; give back what is not needed with `end_at`.
    std::byte* room(std::size_t count) {
        auto const used = bytes_.size();
        bytes_.resize(used + count);
        return bytes_.data() + used;
    }
    void end_at(std::byte const* end) { bytes_.resize(static_cast<std::size_t>(end - bytes_.data())); }
    std::vector<std::byte> take() { return std::move(bytes_); }

private:
    std::vector<std::byte> bytes_;
};

// Never reads beyond the end: there it gives zeros and remembers that it failed.
class ByteReader {
public:
    explicit ByteReader(std::span<std::byte const> bytes) : at_{bytes.data()}, end_{bytes.data() + bytes.size()} {}
    bool failed() const { return failed_; }
    bool at_end() const { return at_ == end_; }
    std::size_t left() const { return static_cast<std::size_t>(end_ - at_); }
    std::byte const* position() const { return at_; }
    void move_to(std::byte const* position) { at_ = position; }

    unsigned byte() {
        if (at_ == end_) return static_cast<unsigned>(fail());
        return static_cast<unsigned>(*at_++);
    }
    std::uint64_t number() {
        std::uint64_t value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            auto const next = byte();
            if (shift == 63 && next > 1) return fail();
            value |= static_cast<std::uint64_t>(next & 0x7F) << shift;
            if (next < 0x80) return value;
        }
        return fail();
    }
    // At most the largest Size.
    Size size() {
        auto const value = number();
        return static_cast<Size>(value >> 63 == 0 ? value : fail());
    }
    Offset signed_number() {
        auto const value = number();
        return static_cast<Offset>((value >> 1) ^ (0 - (value & 1)));
    }
    // The lowest `count` bytes of a number.
    std::uint64_t fixed(std::size_t count) {
        std::uint64_t value = 0;
        if (left() < count) return fail();
        std::memcpy(&value, at_, count);
        at_ += count;
        return value;
    }

private:
    std::uint64_t fail() {
        failed_ = true;
        at_ = end_;
        return 0;
    }

    std::byte const* at_;
    std::byte const* end_;
    bool failed_{false};
};

}  // namespace muster
