// Large pieces go straight between user memory and file: an exchange could only slow them down.
#include "access/copy.hpp"
#include "engine/call.hpp"
#include "engine/node_share.hpp"

namespace muster {

namespace {

constexpr Size gathered_at_once = Size{4} << 20;            // bytes of scattered memory that are stored by one write
constexpr std::size_t worth_a_turn = std::size_t{1} << 20;  // to hand it on takes as long as to store 0.3 MiB

// What one transfer moves: an extent of the file and the part of the memory stream that belongs to it.
struct Transfer {
    Offset offset{0};
    Stream memory;
};

// Memory that is one piece already, or nothing.
std::span<std::byte> single_piece(Transfer const& transfer, std::byte* base) {
    if (transfer.memory.piece_count() != 1) return {};
    std::span<std::byte> whole;
    transfer.memory.for_each([&](Offset offset, Size length) {
        whole = {base + offset, static_cast<std::size_t>(length)};
    });
    return whole;
}

// Calls `move` for each extent of the access with its memory; scattered memory in portions that fit the scratch buffer.
template <class Move>
Status for_each_transfer(Call& call, Move&& move) {
    auto const& access = call.intent.access;
    auto const scattered = access.memory.piece_count() > 1;
    auto scratch = call.session.pool.reserve(scattered ? std::min(gathered_at_once, access.size()) : 0);
    if (!scratch) return scratch.status();
    auto at = access.memory.begin;
    Status status;
    access.file.for_each([&](Offset offset, Size length) {
        for (Size done = 0, step = 0; done < length && status.ok(); done += step, at += step) {
            step = length - done;
            auto const whole = access.memory.shape.pieces_between(at, at + step) == 1;
            if (!whole) step = std::min(step, scratch->size());
            status = move(Transfer{offset + done + call.shift, {access.memory.shape, at, at + step}}, scratch->span());
        }
    });
    call.session.pool.release(std::move(*scratch));
    return status;
}

// Where there are more ranks than cores, those who cannot write yet sleep until it is their turn.
Board* turns_of(Call& call, Storage& storage) {
    auto* const share = call.session.share();
    auto const crowded = share != nullptr && !share->board().member().spin;
    return crowded && storage.one_writer() ? &share->board() : nullptr;
}

}  // namespace

Status write_directly(Call& call) {
    if (call.intent.access.size() == 0) return {};
    auto storage = call.session.storage();
    if (!storage) return storage.status();
    auto* const base = call.intent.access.base;
    auto* const turns = turns_of(call, **storage);
    auto const bounds = call.intent.access.file.bounds();
    Sharing const sharing{**storage, {bounds.offset + call.shift, bounds.length}, call.session.hole_policy().lock};
    return for_each_transfer(call, [&](Transfer const& transfer, std::span<std::byte> scratch) {
        auto bytes = single_piece(transfer, base);
        if (bytes.empty()) {
            auto const lap = call.watch.phase(Phase::pack);
            bytes = scratch.first(static_cast<std::size_t>(transfer.memory.size()));
            gather(transfer.memory, base, bytes.data());
        }
        Turn const turn{bytes.size() >= worth_a_turn ? turns : nullptr};
        return write_fully(**storage, transfer.offset, bytes);
    });
}

Status read_directly(Call& call) {
    if (call.intent.access.size() == 0) return {};
    auto storage = call.session.storage();
    if (!storage) return storage.status();
    auto* const base = call.intent.access.base;
    return for_each_transfer(call, [&](Transfer const& transfer, std::span<std::byte> scratch) {
        auto const whole = single_piece(transfer, base);
        auto const bytes = whole.empty() ? scratch.first(static_cast<std::size_t>(transfer.memory.size())) : whole;
        auto const got = read_fully(**storage, transfer.offset, bytes);
        auto const lap = call.watch.phase(Phase::pack);
        if (got && whole.empty()) scatter(bytes.data(), transfer.memory, base);
        return got.status();
    });
}

}  // namespace muster
