#include "core/fingerprint.hpp"
#include "core/merge.hpp"
#include "exchange/rounds.hpp"

namespace muster {

std::vector<Extent> covered_extents(std::vector<Contributor> const& contributors, Extent part) {
    if (part.length <= 0) return {};
    Fingerprint fingerprint;
    for (auto const& contributor : contributors) {
        contributor.stream.within(part.offset, part.end()).for_each([&](Offset offset, Size length) {
            fingerprint.add({offset, length});
        });
    }
    if (fingerprint.tiles(part)) return {part};
    CoverBuilder cover;
    for (auto const& contributor : contributors) {
        std::vector<Extent> list;
        contributor.stream.within(part.offset, part.end()).for_each([&](Offset offset, Size length) {
            list.push_back({offset, length});
        });
        cover.add(list);
    }
    return cover.take();
}

}  // namespace muster
