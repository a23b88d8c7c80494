#include "engine/node_step.hpp"

#include "access/copy.hpp"

namespace muster {

NodeStep::NodeStep(Call& call, Group* group, Gathering const* gathering)
    : call_{call}, group_{group}, gathering_{gathering}, access_{call.intent.access} {
    if (group == nullptr || group->alone()) return;
    slots_ = &group->share.slots();
    access_ = {};
    if (group->leads()) access_.file = Stream::whole(gathering->merged);
    gathered_.starts.resize(static_cast<std::size_t>(call.plan.domains.count));
}

void NodeStep::find_starts(Passage const& passage) {
    auto const& domains = call_.plan.domains;
    Size start = 0;
    for (auto domain = passage.first; domain < passage.last; ++domain) {
        gathered_.starts[static_cast<std::size_t>(domain)] = start;
        for (int index = 0; index < domains.parts(); ++index) {
            start += gathering_->list.bytes_in(domains.part(domain, passage.round, index));
        }
    }
    gathered_.bytes = slots_->bytes(used_);
}

// Calls copy(place in the slot, memory, length) for this rank's pieces.
template <class Copy>
void NodeStep::for_own_pieces(Passage const& passage, Copy&& copy) const {
    auto const& domains = call_.plan.domains;
    auto const& access = call_.intent.access;
    auto const& list = gathering_->list;
    for (auto domain = passage.first; domain < passage.last; ++domain) {
        auto start = gathered_.starts[static_cast<std::size_t>(domain)];
        for (int index = 0; index < domains.parts(); ++index) {
            auto const part = domains.part(domain, passage.round, index);
            if (part.length <= 0) continue;
            auto const cut = access.file.within(part.offset, part.end());
            if (cut.size() > 0) {
                MergedList::Walk walk{list, cut.bounds().offset};
                auto const place = start - list.position_of(part.offset);
                zip(access, cut.begin - access.file.begin, cut.end - access.file.begin,
                    [&](Offset offset, std::byte* memory, Size length) {
                        copy(place + walk.position_of(offset), memory, length);
                    });
            }
            start += list.bytes_in(part);
        }
    }
}

void NodeStep::hand_over(Passage& passage) {
    if (!gathers()) return;
    find_starts(passage);
    {
        auto const lap = call_.watch.phase(Phase::wait);
        slots_->wait_free(used_);
    }
    {
        auto const lap = call_.watch.phase(Phase::pack);
        auto* const slot = gathered_.bytes.data();
        for_own_pieces(passage, [=](Offset place, std::byte const* memory, Size length) {
            copy_small(slot + place, memory, length);
        });
        slots_->fill(used_, static_cast<std::uint32_t>(group_->comm.size));
    }
    if (!leads()) return;
    auto const lap = call_.watch.phase(Phase::wait);
    slots_->wait_full(used_);
    passage.gathered = &gathered_;
}

void NodeStep::handed_on() {
    if (leads()) slots_->empty(used_, 1);
    ++used_;
}

void NodeStep::make_room(Passage& passage) {
    if (!gathers()) return;
    find_starts(passage);
    if (!leads()) return;
    auto const lap = call_.watch.phase(Phase::wait);
    slots_->wait_free(used_);
    passage.gathered = &gathered_;
}

void NodeStep::hand_out(Passage const& passage) {
    if (!gathers()) return;
    if (leads()) slots_->fill(used_, 1);
    {
        auto const lap = call_.watch.phase(Phase::wait);
        slots_->wait_full(used_);
    }
    auto const lap = call_.watch.phase(Phase::pack);
    auto const* const slot = gathered_.bytes.data();
    for_own_pieces(passage,
                   [=](Offset place, std::byte* memory, Size length) { copy_small(memory, slot + place, length); });
    slots_->empty(used_++, static_cast<std::uint32_t>(group_->comm.size));
}

void NodeStep::finish() {
    if (gathers()) slots_->finish(used_);
}

}  // namespace muster
