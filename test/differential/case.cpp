#include "case.hpp"

#include <algorithm>
#include <numeric>

namespace muster::differential {

Type Type::predefined(MPI_Datatype type) {
    Type result;
    result.handle_ = type;
    result.owned_ = false;
    return result;
}
Type::Type(Type&& other) noexcept : handle_{std::exchange(other.handle_, MPI_DATATYPE_NULL)}, owned_{other.owned_} {}
Type& Type::operator=(Type&& other) noexcept {
    std::swap(handle_, other.handle_);
    std::swap(owned_, other.owned_);
    return *this;
}
Type::~Type() {
    if (handle_ != MPI_DATATYPE_NULL && owned_) MPI_Type_free(&handle_);
}
Size Type::size() const {
    int size = 0;
    MPI_Type_size(handle_, &size);
    return size;
}

namespace {

struct Place {
    int rank{0};
    int size{1};
};

Type resized(MPI_Datatype inner, Size extent) {
    MPI_Datatype made = MPI_DATATYPE_NULL;
    MPI_Type_create_resized(inner, 0, extent, &made);
    MPI_Type_free(&inner);
    return Type{made};
}

// For ranks without a byte: some type, because MPI-IO does not like empty ones.
Type unused(MPI_Datatype etype, Size extent) {
    MPI_Datatype made = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(1, etype, &made);
    return resized(made, extent);
}

// Pieces of one tile as a type, by one of several constructors.
Type type_of(std::vector<Extent> const& pieces, MPI_Datatype etype, Size element, Size extent, Dice& dice) {
    std::vector<int> lengths;
    std::vector<MPI_Aint> places;
    if (std::all_of(pieces.begin(), pieces.end(), [](Extent const& piece) { return piece.length == 0; })) {
        return unused(etype, extent);
    }
    for (auto const& piece : pieces) {
        lengths.push_back(static_cast<int>(piece.length / element));
        places.push_back(piece.offset);
    }
    auto const count = static_cast<int>(pieces.size());
    MPI_Datatype made = MPI_DATATYPE_NULL;
    auto const equal =
        !lengths.empty() && std::all_of(lengths.begin(), lengths.end(), [&](int l) { return l == lengths[0]; });
    if (equal && dice.chance(50)) {
        MPI_Type_create_hindexed_block(count, lengths[0], places.data(), etype, &made);
    } else if (dice.chance(25)) {
        std::vector<MPI_Datatype> types(pieces.size(), etype);
        MPI_Type_create_struct(count, lengths.data(), places.data(), types.data(), &made);
    } else {
        MPI_Type_create_hindexed(count, lengths.data(), places.data(), etype, &made);
    }
    return resized(made, extent);
}

// Cells of random length dealt at random, some to nobody.
void scatter_cells(Case& c, Dice& dice, Place place) {
    auto const cells = dice.roll(1, 60) * place.size;
    auto const holes = dice.chance(40) ? static_cast<int>(dice.roll(1, 60)) : 0;
    auto const longest = dice.pick<Size>({1, 4, 16, 200});
    std::vector<Extent> mine;
    Offset at = 0;
    for (Size cell = 0; cell < cells; ++cell) {
        auto const length = dice.roll(1, longest) * c.element;
        auto const owner = dice.chance(holes) ? -1 : static_cast<int>(dice.roll(0, place.size - 1));
        if (owner == place.rank) mine.push_back({at, length});
        at += length;
    }
    Size total = 0;
    for (auto const& piece : mine) total += piece.length;
    c.filetype = type_of(mine, c.etype.get(), c.element, at, dice);
    c.elements = dice.roll(1, 3) * (total / c.element);
    if (c.elements > 0 && dice.chance(20)) --c.elements;
}

void deal_blocks(Case& c, Dice& dice, Place place) {
    std::vector<Size> counts;
    for (int i = 0; i < place.size; ++i)
        counts.push_back(dice.chance(20) ? 0 : dice.roll(0, dice.pick<Size>({3, 500, 20000})));
    auto const before = std::accumulate(counts.begin(), counts.begin() + place.rank, Size{0});
    auto const all = std::accumulate(counts.begin(), counts.end(), Size{0});
    c.elements = counts[static_cast<std::size_t>(place.rank)];
    c.filetype = type_of({{before * c.element, c.elements * c.element}}, c.etype.get(), c.element,
                         std::max<Size>(all, 1) * c.element, dice);
}

void deal_cyclic(Case& c, Dice& dice, Place place) {
    auto const block = dice.roll(1, dice.pick<Size>({2, 30, 1000}));
    auto const gap = dice.chance(30) ? dice.roll(1, 10) : 0;
    auto const blocks = dice.roll(1, 50);
    auto const tile = (block + gap) * place.size;
    auto const element = static_cast<int>(c.element);
    MPI_Datatype strip = MPI_DATATYPE_NULL;
    MPI_Type_vector(static_cast<int>(blocks), static_cast<int>(block), static_cast<int>(tile), c.etype.get(), &strip);
    int const one = 1;
    MPI_Aint const start = (block + gap) * place.rank * element;
    MPI_Datatype moved = MPI_DATATYPE_NULL;
    MPI_Type_create_hindexed(1, &one, &start, strip, &moved);
    MPI_Type_free(&strip);
    c.filetype = resized(moved, tile * blocks * element);
    c.elements = dice.chance(10) ? 0 : block * blocks * dice.roll(1, 2);
}

// A grid of ranks over a two- or three-dimensional array; the last rank in a dimension takes what is left.
void deal_grid(Case& c, Dice& dice, Place place) {
    std::vector<int> shape(static_cast<std::size_t>(dice.roll(2, 3)), 0);
    MPI_Dims_create(place.size, static_cast<int>(shape.size()), shape.data());
    std::vector<int> sizes, subsizes, starts;
    auto left = place.rank;
    for (auto const ranks : shape) {
        auto const size = static_cast<int>(dice.roll(ranks, ranks * 12));
        auto const each = size / ranks;
        auto const at = left % ranks;
        left /= ranks;
        sizes.push_back(size);
        starts.push_back(at * each);
        subsizes.push_back(at == ranks - 1 ? size - at * each : each);
    }
    MPI_Datatype made = MPI_DATATYPE_NULL;
    auto const order = dice.chance(50) ? MPI_ORDER_C : MPI_ORDER_FORTRAN;
    MPI_Type_create_subarray(static_cast<int>(sizes.size()), sizes.data(), subsizes.data(), starts.data(), order,
                             c.etype.get(), &made);
    c.filetype = Type{made};
    c.elements = c.filetype.size() / c.element;
    c.block = {{sizes.begin(), sizes.end()},
               {subsizes.begin(), subsizes.end()},
               {starts.begin(), starts.end()},
               c.element,
               c.displacement,
               order == MPI_ORDER_FORTRAN};
}

void deal_darray(Case& c, Dice& dice, Place place) {
    int const dims = 2;
    std::vector<int> ranks(dims, 0), sizes, kinds, arguments;
    MPI_Dims_create(place.size, dims, ranks.data());
    for (int i = 0; i < dims; ++i) {
        auto const cyclic = dice.chance(50);
        sizes.push_back(static_cast<int>(dice.roll(1, 40)));
        kinds.push_back(cyclic ? MPI_DISTRIBUTE_CYCLIC : MPI_DISTRIBUTE_BLOCK);
        arguments.push_back(cyclic ? static_cast<int>(dice.roll(1, 4)) : MPI_DISTRIBUTE_DFLT_DARG);
    }
    MPI_Datatype made = MPI_DATATYPE_NULL;
    MPI_Type_create_darray(place.size, place.rank, dims, sizes.data(), kinds.data(), arguments.data(), ranks.data(),
                           dice.chance(50) ? MPI_ORDER_C : MPI_ORDER_FORTRAN, c.etype.get(), &made);
    c.filetype = Type{made};
    c.elements = c.filetype.size() / c.element * dice.roll(1, 2);
    if (c.elements == 0) c.filetype = unused(c.etype.get(), Size{sizes[0]} * sizes[1] * c.element);
}

// A vector of structs of vectors, ranks interleaved on the outside.
void deal_nested(Case& c, Dice& dice, Place place) {
    auto const inner_count = static_cast<int>(dice.roll(1, 4));
    auto const inner_block = static_cast<int>(dice.roll(1, 3));
    auto const inner_stride = inner_block + static_cast<int>(dice.roll(0, 3));
    MPI_Datatype inner = MPI_DATATYPE_NULL;
    MPI_Type_vector(inner_count, inner_block, inner_stride, c.etype.get(), &inner);
    auto const span = Size{inner_count} * inner_stride * c.element;
    int const lengths[2] = {1, 2};
    MPI_Aint const places[2] = {0, span + c.element * dice.roll(0, 2)};
    MPI_Datatype const types[2] = {inner, c.etype.get()};
    MPI_Datatype pair = MPI_DATATYPE_NULL;
    MPI_Type_create_struct(2, lengths, places, types, &pair);
    MPI_Type_free(&inner);
    auto const pair_span = places[1] + 2 * c.element + c.element * dice.roll(0, 2);
    auto const count = static_cast<int>(dice.roll(1, 6));
    MPI_Datatype row = MPI_DATATYPE_NULL;
    MPI_Type_create_hvector(count, 1, pair_span * place.size, pair, &row);
    MPI_Type_free(&pair);
    int const one = 1;
    MPI_Aint const start = pair_span * place.rank;
    MPI_Datatype moved = MPI_DATATYPE_NULL;
    MPI_Type_create_hindexed(1, &one, &start, row, &moved);
    MPI_Type_free(&row);
    c.filetype = resized(moved, pair_span * place.size * count);
    c.elements = c.filetype.size() / c.element * dice.roll(1, 3);
}

// Extents for access without a view: what the filetype covers, or cells of our own, in any order.
void deal_pieces(Case& c, Dice& dice, Place place, Dice& own) {
    auto const cells = dice.roll(1, 40) * place.size;
    Offset at = c.displacement;
    for (Size cell = 0; cell < cells; ++cell) {
        auto const length = dice.roll(0, 30);
        if (dice.roll(0, place.size) == place.rank) c.extents.push_back({at, length});
        at += length + (dice.chance(20) ? dice.roll(0, 50) : 0);
    }
    for (std::size_t i = c.extents.size(); i > 1; --i) {
        std::swap(c.extents[i - 1], c.extents[static_cast<std::size_t>(own.roll(0, static_cast<Size>(i) - 1))]);
    }
    c.elements = 0;
    for (auto const& extent : c.extents) c.elements += extent.length;
}

// The buffer: contiguous, with gaps, or backwards.
void choose_memory(Case& c, Dice& own) {
    auto const bytes = static_cast<int>(c.element);
    auto const plain = c.way == Way::subarray || c.by_extents();
    auto const kind = plain ? 0 : own.roll(0, 3);
    MPI_Datatype made = MPI_DATATYPE_NULL;
    auto const count = static_cast<int>(c.elements);
    if (kind == 0 || c.elements == 0) {
        c.memory_type = Type::predefined(c.etype.get());
        c.memory_count = c.elements;
        c.memory_bytes = c.elements * bytes;
    } else if (kind == 1) {
        auto const gap = static_cast<int>(own.roll(1, 3));
        MPI_Type_vector(count, 1, 1 + gap, c.etype.get(), &made);
        c.memory_type = Type{made};
        c.memory_count = 1;
        c.memory_bytes = Size{count} * (1 + gap) * bytes;
    } else if (kind == 2) {
        MPI_Type_create_resized(c.etype.get(), 0, 2 * bytes, &made);
        c.memory_type = Type{made};
        c.memory_count = count;
        c.memory_bytes = 2 * Size{count} * bytes;
    } else {
        std::vector<MPI_Aint> places;
        for (int i = 0; i < count; ++i) places.push_back(MPI_Aint{count - 1 - i} * bytes);
        MPI_Type_create_hindexed_block(count, 1, places.data(), c.etype.get(), &made);
        c.memory_type = Type{made};
        c.memory_count = 1;
        c.memory_bytes = Size{count} * bytes;
    }
}

std::vector<std::string> const kernel_names{"ascending", "ascending-sync", "spread-out",
                                            "balanced",  "pairwise",       "alltoallw"};

auto const* const fabric_of_16 =
    "network fabric 16: 0-16,1-16,2-17,3-17,4-18,5-18,6-19,7-19,8-16,9-17,10-18,11-19,12-16,13-17,14-18,15-19,16-20,17-20x2,18-20,"
    "19-21,20-21,0-19";

// Machines, some with tiers: plenty, soon full, or not to be had at all.
std::vector<std::string> const machines{
    "network mesh 16",
    "network tree 4 x 4; at random 1",
    "network dragonfly 4 x 2 x 2",
    "tiers HBM 180GB/s 10us 16GiB, DRAM 90GB/s 20us, SSD 2GB/s 100us persistent at /tmp",
    "network tree 4 x 4; tiers HBM 180GB/s 10us 64KiB, SSD 2GB/s 100us 1MiB persistent at /tmp, DRAM 90GB/s 20us 4KiB",
    fabric_of_16,
    "tiers SSD 2GB/s 100us persistent at /nowhere, NVR 1GB/s 100us persistent at /dev/shm"};

std::vector<HintPair> choose_hints(Dice& dice, int ranks) {
    std::vector<HintPair> hints;
    auto const number = [](Size value) { return std::to_string(value); };
    auto const maybe = [&](int percent, std::string const& name, std::string value) {
        if (dice.chance(percent)) hints.emplace_back(name, std::move(value));
    };
    maybe(60, "muster_aggregators", number(dice.roll(1, ranks + 1)));
    maybe(70, "muster_window", number(dice.pick<Size>({16, 100, 512, 4096, 65536, 1 << 20})));
    maybe(50, "muster_layout", dice.pick<std::string>({"striped", "contiguous"}));
    maybe(50, "muster_stripe_size", number(dice.pick<Size>({8, 64, 1000, 4096, 65536})));
    maybe(50, "muster_stripe_count", number(dice.roll(1, 8)));
    maybe(60, "muster_collective_write", dice.pick<std::string>({"on", "on", "on", "off"}));
    maybe(60, "muster_collective_read", dice.pick<std::string>({"on", "on", "on", "off"}));
    maybe(30, "muster_direct_write", number(dice.pick<Size>({0, 1, 64, 4096})));
    maybe(30, "muster_direct_read", number(dice.pick<Size>({0, 1, 64, 4096})));
    maybe(40, "muster_hole_writes", number(dice.pick<Size>({1, 2, 16, 100000})));
    maybe(40, "muster_throttle", number(dice.roll(0, 4)));
    maybe(30, "muster_windows", number(dice.roll(1, 4)));
    maybe(20, "muster_metadata_memory", number(dice.pick<Size>({1, 200, 5000})));
    maybe(40, "muster_ranks_per_node", number(dice.roll(1, ranks)));
    maybe(60, "muster_placement",
          dice.pick<std::string>({"spread", "round-robin", "locality", "topology", "memory", "topology"}));
    maybe(50, "muster_machine", dice.pick(machines));
    maybe(50, "muster_tier", dice.pick<std::string>({"HBM", "DRAM", "SSD", "SSD", "NVR"}));
    maybe(40, "muster_metadata_kernel", dice.pick(kernel_names));
    maybe(40, "muster_data_kernel", dice.pick(kernel_names));
    maybe(30, "muster_rank_order", dice.pick<std::string>({"plain", "round-robin", "list"}));
    maybe(30, "muster_rank_list", number(dice.roll(0, ranks - 1)));
    maybe(20, "muster_throttle_inside", number(dice.roll(1, 4)));
    maybe(40, "muster_local_aggregators", number(dice.roll(1, 4)));
    maybe(20, "muster_node_memory", number(dice.pick<Size>({1, 1000, 100000})));
    maybe(15, "muster_subfiles", dice.pick<std::string>({"node", "aggregator", "nodes:2", "3"}));
    maybe(50, "muster_subfile_unit", number(dice.pick<Size>({7, 512, 65536})));
    return hints;
}

}  // namespace

Case make_case(std::uint64_t seed, MPI_Comm comm) {
    Place place;
    MPI_Comm_rank(comm, &place.rank);
    MPI_Comm_size(comm, &place.size);
    Dice dice{seed};
    Dice own{seed * 1'000'003 + static_cast<std::uint64_t>(place.rank)};
    Case c;
    c.seed = seed;
    auto const etypes = std::vector<MPI_Datatype>{MPI_BYTE, MPI_SHORT, MPI_INT, MPI_DOUBLE};
    c.etype = Type::predefined(dice.pick(etypes));
    c.element = c.etype.size();
    c.displacement = dice.chance(50) ? 0 : dice.roll(1, 10000);
    c.existing = dice.chance(50) ? 0 : dice.roll(1, 200000);
    c.steps = dice.chance(30) ? dice.roll(2, 3) : 1;
    c.hints = choose_hints(dice, place.size);
    c.way = dice.pick<Way>({Way::view, Way::view, Way::pointer, Way::pieces, Way::subarray, Way::kept, Way::declared});
    c.pattern =
        c.way == Way::subarray ? Pattern::grid : static_cast<Pattern>(dice.roll(0, static_cast<Size>(Pattern::nested)));
    if (c.by_extents()) {
        c.etype = Type::predefined(MPI_BYTE);
        c.element = 1;
        deal_pieces(c, dice, place, own);
    } else {
        using Deal = void (*)(Case&, Dice&, Place);
        Deal const deals[] = {deal_blocks, deal_cyclic, scatter_cells, deal_grid, deal_darray, deal_nested};
        deals[static_cast<std::size_t>(c.pattern)](c, dice, place);
    }
    choose_memory(c, own);
    return c;
}

void Case::set_hint(std::string const& name, std::string const& value) {
    std::erase_if(hints, [&](HintPair const& hint) { return hint.first == name; });
    hints.emplace_back(name, value);
}

void Case::widen_windows(Size least) {
    for (auto& [name, value] : hints) {
        if (name == "muster_window" && std::stoll(value) < least) value = std::to_string(least);
    }
}

void Case::force_exchange(std::uint64_t index) {
    auto const kernels = static_cast<std::uint64_t>(kernel_names.size());
    set_hint("muster_shared_memory", "off");
    set_hint("muster_collective_write", "on");
    set_hint("muster_collective_read", "on");
    set_hint("muster_data_kernel", kernel_names[index % kernels]);
    set_hint("muster_layout", index / kernels % 2 == 0 ? "striped" : "contiguous");
    set_hint("muster_metadata_kernel", kernel_names[index / kernels / 2 % kernels]);
}

bool Case::in_pieces() const {
    return std::any_of(hints.begin(), hints.end(),
                       [](HintPair const& hint) { return hint.first == "muster_subfiles"; });
}

std::string Case::text() const {
    static char const* const patterns[] = {"block", "cyclic", "scattered", "grid", "darray", "nested"};
    static char const* const ways[] = {"view", "pointer", "pieces", "subarray", "kept", "declared"};
    auto result = "seed " + std::to_string(seed) + ", pattern " + patterns[static_cast<int>(pattern)] + ", way " +
                  ways[static_cast<int>(way)] + ", displacement " + std::to_string(displacement) + ", steps " +
                  std::to_string(steps) + ", existing " + std::to_string(existing);
    for (auto const& [name, value] : hints) result += ", " + name + "=" + value;
    return result;
}

}  // namespace muster::differential
