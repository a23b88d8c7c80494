#include "hdf5/together.hpp"

#include <algorithm>
#include <cstring>
#include <new>

#include "access/copy.hpp"

namespace muster::hdf5 {

namespace {

std::intptr_t address_of(std::byte const* base) { return reinterpret_cast<std::intptr_t>(base); }

Result<std::vector<Access>> accesses_of(std::span<Participant const> participants, Direction direction) {
    auto const overlap = direction == Direction::write ? Overlap::last_wins : Overlap::duplicate;
    Selections selections;
    std::vector<Access> accesses;
    for (auto const& [entry, subject] : participants) {
        auto access = access_of(*entry, *subject, selections);
        if (!access) return access.status();
        if (access->size() == 0) continue;
        auto sorted = ordered(std::move(*access), overlap);
        if (!sorted) return sorted.status();
        accesses.push_back(std::move(*sorted));
    }
    return accesses;
}

// One behind the other, with memory counted from the lowest address.
Access chained(std::vector<Access> const& accesses) {
    auto lowest = address_of(accesses.front().base) + accesses.front().memory.shape.low();
    for (auto const& access : accesses) {
        lowest = std::min(lowest, address_of(access.base) + access.memory.shape.low());
    }
    std::vector<Shape> file;
    std::vector<Shape> memory;
    Access all;
    all.base = reinterpret_cast<std::byte*>(lowest);
    for (auto const& access : accesses) {
        auto const shift = address_of(access.base) - lowest;
        file.push_back(access.file.shape);
        memory.push_back(access.memory.shape.shifted(shift));
        for (auto const& [from, to, length, place] : access.duplicates) {
            all.duplicates.push_back({from + shift, to + shift, length, place});
        }
    }
    all.file = Stream::whole(Shape::chain(std::move(file)));
    all.memory = Stream::whole(Shape::chain(std::move(memory)));
    return all;
}

// Where the datasets lie that have a place of their own: all ranks together often write all of them.
std::vector<Extent> frame_of(std::span<Participant const> participants) {
    std::vector<Extent> frame;
    for (auto const& participant : participants) {
        auto const& subject = *participant.subject;
        if (!subject.chunked()) frame.push_back({subject.address, subject.bytes()});
    }
    std::sort(frame.begin(), frame.end(), [](Extent const& a, Extent const& b) { return a.offset < b.offset; });
    std::size_t last = 0;
    for (std::size_t i = 1; i < frame.size(); ++i) {
        if (frame[last].end() == frame[i].offset) {
            frame[last].length += frame[i].length;
        } else {
            frame[++last] = frame[i];
        }
    }
    if (!frame.empty()) frame.resize(last + 1);
    return frame;
}

}  // namespace

Result<Access> one_access(std::span<Participant const> participants, Direction direction) try {
    auto accesses = accesses_of(participants, direction);
    if (!accesses) return accesses.status();
    std::sort(accesses->begin(), accesses->end(),
              [](Access const& left, Access const& right) { return left.file.shape.low() < right.file.shape.low(); });
    auto all = accesses->empty() ? Access{} : chained(*accesses);
    all.frame = frame_of(participants);
    return all;
} catch (std::bad_alloc const&) {
    return Status{Code::out_of_memory, "no memory for the selections of a call"};
}

void clear_behind(Access const& access, Offset end_of_file) {
    zip(access, 0, access.size(), [&](Offset offset, std::byte* memory, Size length) {
        auto const kept = std::clamp<Size>(end_of_file - offset, 0, length);
        std::memset(memory + kept, 0, static_cast<std::size_t>(length - kept));
    });
    for (auto const& copy : access.duplicates) {
        auto const kept = std::clamp<Size>(end_of_file - copy.file, 0, copy.length);
        std::memset(access.base + copy.to + kept, 0, static_cast<std::size_t>(copy.length - kept));
    }
}

}  // namespace muster::hdf5
