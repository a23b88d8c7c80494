// HACC-IO: particles of nine values, 38 bytes each. Every rank's particles lie together in the file, as records
// (array of structures) or as nine arrays one behind the other (structure of arrays).
#include <array>

#include "workloads/registry.hpp"
#include "workloads/sizes.hpp"

namespace muster {

namespace {

struct Member {
    char const* name;
    Size size;
};
constexpr std::array<Member, 9> members{
    {{"xx", 4}, {"yy", 4}, {"zz", 4}, {"vx", 4}, {"vy", 4}, {"vz", 4}, {"phi", 4}, {"pid", 8}, {"mask", 2}}};
constexpr Size record = 38;

Size bytes_before(int member) {
    Size sum = 0;
    for (int i = 0; i < member; ++i) sum += members[static_cast<std::size_t>(i)].size;
    return sum;
}

Shape member_of_records(Size particles, Rank rank, int member) {
    auto const size = members[static_cast<std::size_t>(member)].size;
    return Shape::strip({rank * particles * record, size}, particles, record);
}

Shape member_array(Size particles, Rank rank, int member) {
    return Shape::block(rank * particles * record, particles * members[static_cast<std::size_t>(member)].size);
}

Result<Workload> make_hacc(int ranks, WorkloadOptions const& options) {
    auto const particles = options.number("particles");
    auto const& arrangement = options.text("arrangement");
    auto const records = arrangement == "records" || arrangement == "aos";
    if (auto const total = product({particles, record, ranks}, "hacc"); !total.ok()) return total.status();

    Workload workload;
    workload.ranks = ranks;
    workload.interleaved = true;
    for (int i = 0; i < static_cast<int>(members.size()); ++i) {
        auto const& member = members[static_cast<std::size_t>(i)];
        auto const base = bytes_before(i) * (records ? 1 : particles);
        workload.variables.push_back({member.name, base, member.size, ranks * particles * member.size, i});
    }
    auto const member_shape = records ? member_of_records : member_array;
    workload.pattern = [=](Rank rank, int member) { return member_shape(particles, rank, member); };
    workload.all_variables = [=](Rank rank) { return Shape::block(rank * particles * record, particles * record); };
    return workload;
}

}  // namespace

WorkloadInfo hacc_info() {
    return {"hacc",
            "HACC-IO: particles of nine values (38 bytes), as records or as nine arrays per rank",
            {{"particles", OptionKind::number, "25000", "per rank"},
             {"arrangement",
              OptionKind::word,
              "records",
              "records or aos (array of structures); arrays or soa (structure of arrays)",
              0,
              {"records", "aos", "arrays", "soa"}}},
            16384,
            make_hacc};
}

}  // namespace muster
