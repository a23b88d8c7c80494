#include "exchange/lists.hpp"

#include <new>
#include <utility>

#include "core/coding.hpp"
#include "exchange/exchange.hpp"
#include "exchange/route.hpp"
#include "plan/rank_order.hpp"
#include "plan/schedule.hpp"

namespace muster {

namespace {

using Coded = std::vector<std::byte>;

std::vector<Extent> parts_of(Plan const& plan, int domain, Chapter chapter) {
    std::vector<Extent> parts;
    for (auto round = chapter.first_round; round < chapter.last_round; ++round) {
        for (int index = 0; index < plan.domains.parts(); ++index) {
            auto const part = plan.domains.part(domain, round, index);
            if (part.length > 0) parts.push_back(part);
        }
    }
    return parts;
}

bool reaches(Stream const& stream, std::vector<Extent> const& parts) {
    return std::any_of(parts.begin(), parts.end(),
                       [&](Extent const& part) { return stream.within(part.offset, part.end()).size() > 0; });
}

bool is_short(Coded const& coded) { return static_cast<Size>(coded.size()) <= whole_list_limit; }

// The coded lists of one rank: the whole one shared by all domains it reaches, or one cut for each domain.
struct Outgoing {
    Coded own;  // where the caller has none
    std::span<std::byte const> whole;
    std::vector<Coded> cut;
    std::vector<Size> sizes;  // by domain; 0: nothing there

    std::span<std::byte const> of(std::size_t domain) const { return whole.empty() ? cut[domain] : whole; }
    void take_whole(Coded const& coded) {
        if (is_short(coded)) whole = coded;
    }
};

Outgoing encode_lists(Plan const& plan, OwnList const& mine, Chapter chapter) {
    auto const count = plan.aggregators.size();
    Outgoing outgoing{{}, {}, std::vector<Coded>(count), std::vector<Size>(count)};
    if (mine.stream.size() == 0) return outgoing;
    outgoing.take_whole(mine.coded);
    auto untried =
        mine.coded
            .empty();  // a list is long where what one domain wants of it is: then it is not coded as a whole at all
    for (std::size_t domain = 0; domain < count; ++domain) {
        auto const parts = parts_of(plan, static_cast<int>(domain), chapter);
        if (!reaches(mine.stream, parts)) continue;
        auto& cut = outgoing.cut[domain];
        if (outgoing.whole.empty()) cut = encode_within(mine.stream, parts);
        if (std::exchange(untried, false) && is_short(cut)) outgoing.take_whole(outgoing.own = encode(mine.stream));
        outgoing.sizes[domain] = static_cast<Size>(outgoing.of(domain).size());
    }
    return outgoing;
}

// Collective. How many bytes of lists each rank has for this rank's domain; all zero on ranks that are no aggregators.
std::vector<Size> exchange_sizes(Comm const& comm, Plan const& plan, std::vector<Size> const& mine) {
    auto const count = static_cast<std::size_t>(comm.size);
    std::vector<int> send_counts(count), send_places(count), receive_counts(count), receive_places(count);
    for (std::size_t domain = 0; domain < mine.size(); ++domain) {
        auto const rank = static_cast<std::size_t>(plan.aggregators[domain]);
        send_counts[rank] = 1;
        send_places[rank] = static_cast<int>(domain);
    }
    std::vector<Size> received(count);
    auto const aggregates = plan.aggregator_index(comm.rank) >= 0;
    for (std::size_t rank = 0; rank < count; ++rank) {
        receive_counts[rank] = aggregates ? 1 : 0;
        receive_places[rank] = static_cast<int>(rank);
    }
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ialltoallv(mine.data(), send_counts.data(), send_places.data(), MPI_INT64_T, received.data(),
                   receive_counts.data(), receive_places.data(), MPI_INT64_T, comm.handle, &request);
    wait(request);
    return received;
}

Result<std::vector<Contributor>> decode_lists(std::vector<Coded> const& coded) {
    std::vector<Contributor> contributors;
    for (std::size_t rank = 0; rank < coded.size(); ++rank) {
        if (coded[rank].empty()) continue;
        auto stream = decode(coded[rank]);
        if (!stream) return stream.status();
        contributors.push_back({static_cast<Rank>(rank), std::move(*stream)});
    }
    return contributors;
}

// Lists to the aggregators, in the order of the kernel.
Lane outgoing_lane(Courier const& courier, Plan const& plan, Schedule const& schedule, Outgoing const& lists) {
    std::vector<std::span<std::byte>> messages;
    Lane lane;
    for (auto const domain : schedule.aggregators_of(courier.comm().rank)) {
        auto const index = static_cast<std::size_t>(domain);
        auto const to = plan.aggregators[index];
        if (lists.sizes[index] == 0 || to == courier.comm().rank) continue;
        auto const list = lists.of(index);
        messages.emplace_back(const_cast<std::byte*>(list.data()), list.size());  // only read from
        lane.peers.push_back(to);
    }
    lane.load = [messages = std::move(messages)](std::size_t i) { return messages[i]; };
    lane.unload = [](std::size_t) {};
    return lane;
}

// What comes to this aggregator: `received` has the sizes already.
Lane incoming_lane(Courier const& courier, Plan const& plan, Schedule const& schedule, std::vector<Coded>& received) {
    Lane lane;
    auto const own = plan.aggregator_index(courier.comm().rank);
    if (own >= 0) lane.peers = schedule.ranks_of(own);
    std::erase_if(lane.peers, [&](Rank rank) {
        return rank == courier.comm().rank || received[static_cast<std::size_t>(rank)].empty();
    });
    lane.load = [&received, peers = lane.peers](std::size_t i) {
        return std::span{received[static_cast<std::size_t>(peers[i])]};
    };
    lane.unload = [](std::size_t) {};
    return lane;
}

// Collective. Lists travel to the aggregators: what each rank has sent is in `received`, which has the sizes already.
void deliver(Courier& courier, Plan const& plan, Outgoing const& outgoing, std::vector<Coded>& received) {
    auto const& comm = courier.comm();
    Schedule const schedule{{plan.metadata_kernel, comm.size, plan.aggregators, dealt_ranks(plan, courier.machine())}};
    Lanes const lanes{outgoing_lane(courier, plan, schedule, outgoing),
                      incoming_lane(courier, plan, schedule, received)};
    exchange(courier, {plan.metadata_kernel, plan.metadata_throttle, plan.throttle_inside, list_tag}, lanes, [&] {
        auto const own = plan.aggregator_index(comm.rank);
        if (own < 0) return;
        auto const list = outgoing.of(static_cast<std::size_t>(own));
        auto& kept = received[static_cast<std::size_t>(comm.rank)];
        std::copy_n(list.begin(), kept.size(), kept.begin());
    });
}

// Local. What `work` makes, or that there is no memory for it.
template <class Work>
auto with_memory(Work&& work) -> Result<decltype(work())> {
    try {
        return work();
    } catch (std::bad_alloc const&) {
        return Status{Code::out_of_memory, "no memory for lists of extents"};
    }
}

std::vector<Coded> room_for(std::vector<Size> const& sizes) {
    std::vector<Coded> room(sizes.size());
    for (std::size_t rank = 0; rank < sizes.size(); ++rank) room[rank].resize(static_cast<std::size_t>(sizes[rank]));
    return room;
}

// Collective.
bool all_ready(Comm const& comm, bool mine) {
    Size failures = mine ? 0 : 1;
    reduce_all(comm, std::span{&failures, 1}, MPI_MAX);
    return failures == 0;
}

}  // namespace

OwnList make_list(Stream stream) {
    auto coded = stream.size() > 0 ? encode(stream) : Coded{};
    return {std::move(stream), std::move(coded)};
}

Result<std::vector<Contributor>> exchange_lists(Courier& courier, Plan const& plan, OwnList const& mine,
                                                Chapter chapter) {
    auto const outgoing = with_memory([&] { return encode_lists(plan, mine, chapter); });
    std::vector<Size> const none(plan.aggregators.size());
    auto const sizes = exchange_sizes(courier.comm(), plan, outgoing ? outgoing->sizes : none);
    auto received = with_memory([&] { return room_for(sizes); });
    auto const failure = first_failure(outgoing.status(), received.status());
    if (!all_ready(courier.comm(), failure.ok())) {
        if (!failure.ok()) return failure;
        return std::vector<Contributor>{};
    }
    deliver(courier, plan, *outgoing, *received);
    auto contributors = with_memory([&] { return decode_lists(*received); });
    return contributors ? std::move(*contributors) : contributors.status();
}

}  // namespace muster
