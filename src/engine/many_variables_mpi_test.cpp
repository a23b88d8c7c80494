// Many variables of one file in one call.
#include "engine/testing.hpp"

namespace muster {

namespace {

using namespace muster::test;

// Variables one behind the other; of each, every rank has every so-and-so-many-th byte, in memory of its own.
struct Variables {
    static constexpr Size count = 20;
    static constexpr Size per_rank = 16;

    Variables() : bytes(count, std::string(per_rank, '?')) {
        Size const all = per_rank * ranks();
        for (Size variable = count; variable-- > 0;) {  // in any order
            for (Size i = 0; i < per_rank; ++i) extents.push_back({variable * all + i * ranks() + rank(), 1});
            segments.push_back({bytes[static_cast<std::size_t>(variable)].data(), per_rank});
        }
    }
    void mark_all() {
        for (std::size_t i = 0; i < extents.size(); ++i) {
            auto const variable = static_cast<std::size_t>(count) - 1 - i / per_rank;
            bytes[variable][i % per_rank] = mark(rank(), extents[i].offset);
        }
    }
    Deal deal() const {
        Deal all(static_cast<std::size_t>(ranks()));
        for (Offset at = 0; at < count * per_rank * ranks(); ++at) {
            all[static_cast<std::size_t>(at % ranks())].push_back({at, 1});
        }
        return all;
    }

    std::vector<std::string> bytes;
    Extents extents;
    std::vector<Segment> segments;
};

TEST(ManyVariables, go_in_one_call_whatever_their_order) {
    for (auto const& setting : settings()) {
        SCOPED_TRACE(setting.name);
        SharedPath const path;
        Variables variables;
        variables.mark_all();
        OpenFile file{path.get(), Mode::create, setting.hints};
        EXPECT_OK(file->write_all(Pieces{variables.extents, variables.segments}));
        path.expect(written({}, variables.deal()));
        auto const expected = variables.bytes;
        for (auto& own : variables.bytes) std::fill(own.begin(), own.end(), '?');
        EXPECT_OK(file->read_all(Pieces{variables.extents, variables.segments}));
        EXPECT_EQ(variables.bytes, expected);
    }
}

TEST(ManyVariables, are_planned_once_for_many_steps) {
    SharedPath const path;
    Variables variables;
    variables.mark_all();
    auto const step = Variables::count * Variables::per_rank * ranks();
    OpenFile file{path.get(), Mode::create, settings().front().hints};
    auto plan = file->plan_write(Pieces{variables.extents, variables.segments});
    EXPECT_OK(plan);
    // By extents a buffer stands for the lowest segment.
    void const* lowest = variables.bytes.front().data();
    for (auto const& own : variables.bytes) lowest = std::min<void const*>(lowest, own.data());
    for (Offset i = 0; i < 3; ++i) EXPECT_OK(plan->write(lowest, i * step));
    auto const once = written({}, variables.deal());
    path.expect(once + once + once);
}

}  // namespace

}  // namespace muster
