#include "engine/gathering.hpp"

#include <array>
#include <new>

#include "core/coding.hpp"
#include "core/fold.hpp"
#include "core/merge.hpp"
#include "exchange/rounds.hpp"

namespace muster {

namespace {

using Coded = std::vector<std::byte>;

// The parts of all windows of a chapter, in file order.
std::vector<Extent> parts_of(Plan const& plan, Chapter chapter) {
    std::vector<Extent> parts;
    for (auto round = chapter.first_round; round < chapter.last_round; ++round) {
        for (int domain = 0; domain < plan.domains.count; ++domain) {
            for (int index = 0; index < plan.domains.parts(); ++index) {
                auto const part = plan.domains.part(domain, round, index);
                if (part.length > 0) parts.push_back(part);
            }
        }
    }
    std::sort(parts.begin(), parts.end(),
              [](auto const& left, auto const& right) { return left.offset < right.offset; });
    return parts;
}

Result<Coded> own_list(Call const& call, Chapter chapter) try {
    auto const& list = call.intent.list;
    if (list.stream.size() == 0) return Coded{};
    if (chapter.last_round - chapter.first_round < call.plan.rounds) {
        return encode_within(list.stream, parts_of(call.plan, chapter));
    }
    return list.coded.empty() ? encode(list.stream) : list.coded;
} catch (std::bad_alloc const&) {
    return Status{Code::out_of_memory, "no memory for the list of extents"};
}

// The lists of all ranks of a group, one behind the other in shared memory.
struct Post {
    SharedMemory memory;
    std::vector<Size> sizes;  // by rank of the group

    std::span<std::byte> list(int rank) const {
        Size start = 0;
        for (int i = 0; i < rank; ++i) start += sizes[static_cast<std::size_t>(i)];
        return memory.bytes().subspan(static_cast<std::size_t>(start),
                                      static_cast<std::size_t>(sizes[static_cast<std::size_t>(rank)]));
    }
};

// Collective in the group.
Result<Post> hand_in(Group& group, Coded const& mine) {
    Post post;
    Size total = 0;
    std::array const size{static_cast<Size>(mine.size())};
    group.share.board().vote(size, [&](std::span<Size const> theirs) {
        post.sizes.push_back(theirs[0]);
        total += theirs[0];
    });
    auto memory = share_memory(group.comm, std::max<Size>(total, 1));
    if (!memory) return memory.status();
    post.memory = std::move(*memory);
    std::copy(mine.begin(), mine.end(), post.list(group.comm.rank).begin());
    group.share.board().meet();
    return post;
}

// By the local aggregator.
Result<Shape> merge(Post const& post) try {
    CoverBuilder cover;
    std::vector<Extent> extents;
    for (int rank = 0; rank < static_cast<int>(post.sizes.size()); ++rank) {
        if (post.list(rank).empty()) continue;
        auto const stream = decode(post.list(rank));
        if (!stream) return stream.status();
        extents.clear();
        stream->for_each([&](Offset offset, Size length) { extents.push_back({offset, length}); });
        cover.add(extents);
    }
    return folded(Shape::pieces(cover.take()));
} catch (std::bad_alloc const&) {
    return Status{Code::out_of_memory, "no memory to merge the lists of a node"};
}

void write_entries(Shape const& shape, std::span<MergedExtent> entries) {
    Size position = 0;
    auto* entry = entries.data();
    shape.for_each([&](Offset offset, Size length) {
        *entry++ = {offset, position};
        position += length;
    });
    *entry = {shape.high(), position};
}

// Collective in the group: what the local aggregator merged, for all of it.
Status publish(Group& group, Result<Shape>& merged, Gathering& gathering) {
    Size entries = 0;
    std::array const mine{group.leads() && merged ? merged->piece_count() + 1 : 0};
    group.share.board().vote(mine, [&](std::span<Size const> theirs) { entries += theirs[0]; });
    if (entries == 0) return group.leads() ? merged.status() : Status{};
    auto memory = share_memory(group.comm, entries * static_cast<Size>(sizeof(MergedExtent)));
    if (!memory) return memory.status();
    std::span const list{reinterpret_cast<MergedExtent*>(memory->bytes().data()), static_cast<std::size_t>(entries)};
    if (group.leads()) write_entries(*merged, list);
    group.share.board().meet();
    gathering.memory = std::move(*memory);
    gathering.list = MergedList{list};
    if (group.leads()) gathering.merged = std::move(*merged);
    return {};
}

// Collective in the group.
Status merge_lists(Call const& call, Group& group, Chapter chapter, Gathering& gathering) {
    auto const mine = own_list(call, chapter);
    auto post = hand_in(group, mine ? *mine : Coded{});
    if (!post) return post.status();
    auto merged = group.leads() ? merge(*post) : Shape{};
    return first_failure(mine.status(), publish(group, merged, gathering));
}

Size bytes_in_passage(Plan const& plan, MergedList const& list, Passage const& passage) {
    Size bytes = 0;
    for (auto domain = passage.first; domain < passage.last; ++domain) {
        for (int index = 0; index < plan.domains.parts(); ++index) {
            bytes += list.bytes_in(plan.domains.part(domain, passage.round, index));
        }
    }
    return bytes;
}

// The most that the group has in a wave of the chapter's rounds.
Size slot_for(Plan const& plan, MergedList const& list, Chapter chapter, Size waves) {
    Size most = 0;
    for (auto round = chapter.first_round; round < chapter.last_round; ++round) {
        for (Size wave = 0; wave < waves; ++wave) {
            most = std::max(most, bytes_in_passage(plan, list, passage_of(plan, round, wave, waves)));
        }
    }
    return most;
}

// So many that two slots of each group of a node fit in its memory, as far as cutting between domains can do that.
Size waves_for(Call const& call, MergedList const& list, Chapter chapter) {
    auto const& plan = call.plan;
    auto const limit = call.session.hints().node_memory / (2 * plan.local_aggregators);
    Size waves = 1;
    while (waves < plan.domains.count && slot_for(plan, list, chapter, waves) > limit) {
        waves = std::min<Size>(waves * 2, plan.domains.count);
    }
    return waves;
}

// Collective. As many waves as the group that needs most of them, and what a slot must hold then.
void count_waves(Call const& call, Group& group, Chapter chapter, Gathering& gathering) {
    gathering.waves = group.leads() ? waves_for(call, gathering.list, chapter) : 1;
    reduce_all(call.session.comm(), {&gathering.waves, 1}, MPI_MAX);
    std::array const mine{group.leads() ? slot_for(call.plan, gathering.list, chapter, gathering.waves) : 0};
    group.share.board().vote(mine, [&](std::span<Size const> theirs) { gathering.slot_size += theirs[0]; });
}

}  // namespace

Result<std::shared_ptr<Gathering>> gather_lists(Call& call, Group& group, Chapter chapter) {
    auto gathering = std::make_shared<Gathering>();
    auto mine = group.alone() ? Status{} : merge_lists(call, group, chapter, *gathering);
    if (auto status = call.session.quorum().agree(mine); !status.ok()) return status;
    count_waves(call, group, chapter, *gathering);
    // The next passage is packed while this one travels; where there is no next, its slot would be memory for nothing.
    auto const slots = (chapter.last_round - chapter.first_round) * gathering->waves > 1 ? 2 : 1;
    mine = group.alone() ? Status{}
                         : group.share.provide_slots(group.comm, slots, std::max<Size>(gathering->slot_size, 1));
    if (auto status = call.session.quorum().agree(mine); !status.ok()) return status;
    return gathering;
}

}  // namespace muster
