#include "core/piece_coding.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <utility>

#include "core/last_places.hpp"

namespace muster {

namespace {

// A piece as it is coded: relative to the end of the one before, in units.
struct Delta {
    std::uint64_t gap;
    std::uint64_t length;
    bool operator==(Delta const&) const = default;
};

// The widths of numbers in a list, four of them, so that two bits tell a number's width. Each list takes the set that suits it.
using Widths = std::array<std::uint8_t, 4>;
constexpr std::array<Widths, 3> sets_of_widths{{{1, 2, 4, 8}, {1, 2, 3, 4}, {1, 2, 3, 8}}};
constexpr std::uint64_t mask_of_width(std::size_t bytes) { return ~std::uint64_t{0} >> (64 - 8 * bytes); }
constexpr unsigned set_position = 6;  // in the first byte; below it is the shift
constexpr std::size_t longest_pair = 1 + 4 * 8;
constexpr std::size_t least_match = 3;  // a shorter one costs more than its literals

std::size_t bytes_of(std::uint64_t value) { return (static_cast<std::size_t>(std::bit_width(value | 1)) + 7) / 8; }

// How many numbers need so many bytes.
using Widening = std::array<std::size_t, 9>;

// In bytes; without end where a number does not fit.
std::size_t cost_of(Widths const& widths, Widening const& numbers) {
    std::size_t cost = 0;
    for (std::size_t bytes = 1; bytes < numbers.size(); ++bytes) {
        auto const fits = std::find_if(widths.begin(), widths.end(), [&](auto width) { return width >= bytes; });
        if (fits == widths.end() && numbers[bytes] > 0) return std::numeric_limits<std::size_t>::max();
        if (fits != widths.end()) cost += numbers[bytes] * *fits;
    }
    return cost;
}

std::size_t cheapest_set(Widening const& numbers) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < sets_of_widths.size(); ++i) {
        if (cost_of(sets_of_widths[i], numbers) < cost_of(sets_of_widths[best], numbers)) best = i;
    }
    return best;
}

class PieceEncoder {
public:
    PieceEncoder(std::span<Extent const> list, ByteWriter& out) : out_{out}, last_{list.size()} {
        auto const shift = static_cast<unsigned>(make_deltas(list));
        auto const set = choose_widths();
        out_.byte(shift | static_cast<unsigned>(set) << set_position);
    }

    void encode() {
        while (at_ + least_match <= deltas_.size()) {
            auto const match = find_match();
            if (match < least_match) {
                at_ += std::min(1 + (at_ - literal_) / literals_per_step, longest_step);
            } else {
                add_match(match);
            }
        }
        if (literal_ < deltas_.size()) add_literals(deltas_.size());
    }

private:
    static constexpr std::size_t literals_per_step = 256;  // search less often the longer nothing is found
    static constexpr std::size_t longest_step = 4;

    int make_deltas(std::span<Extent const> list) {
        deltas_.resize(list.size());
        std::uint64_t bits = 0;
        auto end = list[0].offset;
        for (std::size_t i = 0; i < list.size(); ++i) {
            deltas_[i] = {static_cast<std::uint64_t>(list[i].offset - end), static_cast<std::uint64_t>(list[i].length)};
            bits |= deltas_[i].gap | deltas_[i].length;
            end = list[i].end();
        }
        auto const shift = std::countr_zero(bits);
        for (auto& delta : deltas_) delta = {delta.gap >> shift, delta.length >> shift};
        return shift;
    }

    std::size_t choose_widths() {
        Widening numbers{};
        for (auto const& delta : deltas_) {
            ++numbers[bytes_of(delta.gap)];
            ++numbers[bytes_of(delta.length)];
        }
        auto const set = cheapest_set(numbers);
        widths_ = sets_of_widths[set];
        for (std::size_t i = 0; i + 1 < widths_.size(); ++i) limits_[i] = mask_of_width(widths_[i]);
        return set;
    }

    // Length of the longest match found at the current place; its period is then period_.
    std::size_t find_match() {
        auto const earlier = remember();
        std::size_t best = 0;
        auto const candidates = {period_, std::size_t{1}, at_ - earlier};
        for (auto const period : candidates) {
            if (period > at_ || deltas_[at_ - period] != deltas_[at_]) continue;
            auto const length = match_length(period);
            if (length <= best) continue;
            best = length;
            period_ = period;
            if (best >= 16) break;
        }
        return best;
    }

    std::size_t match_length(std::size_t period) const {
        auto at = at_;
        while (at < deltas_.size() && deltas_[at] == deltas_[at - period]) ++at;
        return at - at_;
    }

    // Where the two deltas from here were seen last; beyond this place when never.
    std::size_t remember() {
        if (at_ + 1 >= deltas_.size()) return at_ + 1;
        auto const& [first, second] = std::pair{deltas_[at_], deltas_[at_ + 1]};
        auto const hash = (first.gap + first.length * 0x9E37U) * 0x9E3779B97F4A7C15U +
                          (second.gap + second.length * 0x9E37U) * 0xC2B2AE3D27D4EB4FU;
        return last_.exchange(hash, at_).value_or(at_ + 1);
    }

    void add_match(std::size_t length) {
        add_literals(at_);
        out_.number(static_cast<std::uint64_t>(length));
        out_.number(static_cast<std::uint64_t>(period_));
        at_ += length;
        literal_ = at_;
    }

    void add_literals(std::size_t end) {
        out_.number(static_cast<std::uint64_t>(end - literal_));
        auto* to = out_.room((end - literal_ + 2) / 2 * longest_pair);
        for (; literal_ + 1 < end; literal_ += 2) to = put_pair(to, deltas_[literal_], deltas_[literal_ + 1]);
        if (literal_ < end) to = put_last(to, deltas_[literal_++]);
        out_.end_at(to);
    }

    unsigned class_of(std::uint64_t value) const {
        return (value > limits_[0]) + (value > limits_[1]) + (value > limits_[2]);
    }

    std::byte* put(std::byte* to, std::uint64_t value, unsigned value_class) const {
        std::memcpy(to, &value, sizeof value);
        return to + widths_[value_class];
    }

    std::byte* put_pair(std::byte* to, Delta const& first, Delta const& second) const {
        auto const a = class_of(first.gap);
        auto const b = class_of(first.length);
        auto const c = class_of(second.gap);
        auto const d = class_of(second.length);
        *to++ = static_cast<std::byte>(a | b << 2 | c << 4 | d << 6);
        to = put(put(to, first.gap, a), first.length, b);
        return put(put(to, second.gap, c), second.length, d);
    }

    std::byte* put_last(std::byte* to, Delta const& only) const {
        auto const a = class_of(only.gap);
        auto const b = class_of(only.length);
        *to++ = static_cast<std::byte>(a | b << 2);
        return put(put(to, only.gap, a), only.length, b);
    }

    ByteWriter& out_;
    std::vector<Delta> deltas_;
    Widths widths_{};
    std::array<std::uint64_t, 3> limits_{};  // the largest numbers of the first three widths
    LastPlaces last_;                        // by hash of two deltas
    std::size_t at_{0};
    std::size_t literal_{0};  // literals from here to at_ are not written yet
    std::size_t period_{1};
};

// Where the next piece goes. Damage is noted here and looked at after each token, not after each piece; unsigned
// arithmetic keeps what is computed until then harmless.
struct Placing {
    static constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<Size>::max());
    unsigned shift{0};
    bool damaged{false};
    std::uint64_t end{0};

    Extent place(std::uint64_t gap, std::uint64_t length) {
        auto const most_units = most >> shift;
        auto const offset = end + (gap << shift);
        end = offset + (length << shift);
        damaged |= (length == 0) | (gap > most_units) | (length > most_units) | (offset > most) | (end > most);
        return {static_cast<Offset>(offset), static_cast<Size>(length << shift)};
    }
};

// Grows the list only as far as a token's own bytes or the caller's limit allow.
class PieceDecoder {
public:
    PieceDecoder(ByteReader& in, Size count) : in_{in}, count_{static_cast<std::size_t>(count)} {}

    std::vector<Extent> decode() {
        auto const first = in_.byte();
        placing_.shift = first & ((1U << set_position) - 1);
        auto const set = first >> set_position;
        if (placing_.shift > 62 || set >= sets_of_widths.size()) return {};
        for (std::size_t i = 0; i < widths_.size(); ++i) {
            widths_[i] = sets_of_widths[set][i];
            masks_[i] = mask_of_width(widths_[i]);
        }
        while (list_.size() < count_ && !damaged()) {
            read_literals();
            if (list_.size() < count_ && !damaged()) read_match();
        }
        if (damaged() || list_[0].offset != 0) return {};
        return std::move(list_);
    }

private:
    bool damaged() const { return placing_.damaged || in_.failed(); }
    std::size_t missing() const { return count_ - list_.size(); }

    // At the end of the list, new.
    Extent* grow(std::size_t count) {
        list_.resize(list_.size() + count);
        return list_.data() + list_.size() - count;
    }

    void read_literals() {
        auto left = in_.number();
        if (left > missing() || left > in_.left() / 2) return fail();  // a literal takes more than two bytes
        auto* to = grow(static_cast<std::size_t>(left));
        if (in_.left() >= longest_pair) {
            auto const careful = read_pairs(to, left);
            to += left - careful;
            left = careful;
        }
        for (; left > 0 && !in_.failed(); left -= std::min<std::uint64_t>(left, 2), to += 2) read_carefully(to, left);
    }

    // As long as there is no danger to read beyond the end. Works on copies, which stay in registers.
    std::uint64_t read_pairs(Extent* to, std::uint64_t left) {
        auto placing = placing_;
        auto const widths = widths_;
        auto const masks = masks_;
        auto const* from = in_.position();
        auto const* const last = from + in_.left() - longest_pair;
        for (; left >= 2 && from <= last; left -= 2, to += 2) {
            auto const classes = static_cast<unsigned>(*from++);
            auto const next = [&](unsigned value_class) {
                std::uint64_t value = 0;
                std::memcpy(&value, from, sizeof value);
                from += widths[value_class];
                return value & masks[value_class];
            };
            auto const first_gap = next(classes & 3U);
            to[0] = placing.place(first_gap, next(classes >> 2 & 3U));
            auto const second_gap = next(classes >> 4 & 3U);
            to[1] = placing.place(second_gap, next(classes >> 6));
        }
        in_.move_to(from);
        placing_ = placing;
        return left;
    }

    // Near the end of the code, and the last of an odd number.
    void read_carefully(Extent* to, std::uint64_t left) {
        auto classes = in_.byte();
        for (std::uint64_t i = 0; i < std::min<std::uint64_t>(left, 2); ++i, classes >>= 4) {
            auto const gap = in_.fixed(widths_[classes & 3U]);
            to[i] = placing_.place(gap, in_.fixed(widths_[classes >> 2 & 3U]));
        }
    }

    void read_match() {
        auto const length = in_.number();
        auto const period = in_.number();
        if (length == 0 || length > missing() || period == 0 || period > list_.size()) return fail();
        auto* to = grow(static_cast<std::size_t>(length));
        auto const* from = to - period;
        for (auto* const end = to + length; to < end; ++to, ++from) {
            auto const gap =
                from == list_.data() ? 0 : word(from->offset) - word(from[-1].offset) - word(from[-1].length);
            *to = placing_.place(gap >> placing_.shift, word(from->length) >> placing_.shift);
        }
    }

    static std::uint64_t word(Size value) { return static_cast<std::uint64_t>(value); }
    void fail() { placing_.damaged = true; }

    ByteReader& in_;
    std::size_t count_;
    std::vector<Extent> list_;
    Placing placing_;
    Widths widths_{};
    std::array<std::uint64_t, 4> masks_{};
};

}  // namespace

void encode_pieces(std::span<Extent const> list, ByteWriter& out) { PieceEncoder{list, out}.encode(); }

std::vector<Extent> decode_pieces(ByteReader& in, Size count) { return PieceDecoder{in, count}.decode(); }

}  // namespace muster
