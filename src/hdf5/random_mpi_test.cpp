// Random datasets, selections, types and layouts, against HDF5 itself.
#include <gmock/gmock.h>

#include <numeric>
#include <random>

#include "hdf5/testing.hpp"

namespace muster::hdf5::test {

namespace {

using Random = std::mt19937;

hsize_t pick(Random& random, hsize_t least, hsize_t most) { return least + random() % (most - least + 1); }

struct Particle {
    double mass;
    int number;
    float place[3];
};

Handle particle_type() {
    hsize_t const three = 3;
    Handle const place{H5Tarray_create2(H5T_NATIVE_FLOAT, 1, &three), H5Tclose};
    auto const type = H5Tcreate(H5T_COMPOUND, sizeof(Particle));
    H5Tinsert(type, "mass", HOFFSET(Particle, mass), H5T_NATIVE_DOUBLE);
    H5Tinsert(type, "number", HOFFSET(Particle, number), H5T_NATIVE_INT);
    H5Tinsert(type, "place", HOFFSET(Particle, place), place);
    return {type, H5Tclose};
}

Handle text_type() {
    auto const type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, 5);
    return {type, H5Tclose};
}

Handle random_type(Random& random) {
    switch (random() % 6) {
        case 0: return {H5Tcopy(H5T_NATIVE_CHAR), H5Tclose};
        case 1: return {H5Tcopy(H5T_NATIVE_INT), H5Tclose};
        case 2: return particle_type();
        case 3: return text_type();
        default: return {H5Tcopy(H5T_NATIVE_DOUBLE), H5Tclose};
    }
}

// What nobody writes is 0; HDF5 leaves it to chance otherwise.
Handle random_layout(Random& random, Numbers const& extent) {
    Numbers chunk;
    for (auto const size : extent) chunk.push_back(pick(random, 1, size));
    auto layout = random() % 2 == 0 ? contiguous_layout() : chunked_layout(chunk);
    H5Pset_fill_time(layout, H5D_FILL_TIME_ALLOC);
    return layout;
}

// A part of the rows [first, first + rows) that no other rank has: everything, nothing, a lattice, a union, points.
Handle random_part(Random& random, Numbers const& extent, hsize_t first, hsize_t rows) {
    auto space = simple_space(extent);
    auto const kind = random() % 6;
    Numbers low(extent.size(), 0);
    auto room = extent;
    low[0] = first;
    room[0] = rows;
    if (kind == 0) {
        H5Sselect_none(space);
    } else if (kind == 1) {
        H5Sselect_hyperslab(space, H5S_SELECT_SET, low.data(), nullptr, room.data(), nullptr);
    } else if (kind == 2) {
        Numbers points;
        auto const elements = std::accumulate(room.begin(), room.end(), hsize_t{1}, std::multiplies<>{});
        std::vector<hsize_t> order(elements);
        std::iota(order.begin(), order.end(), hsize_t{0});
        std::shuffle(order.begin(), order.end(), random);
        order.resize(pick(random, 1, elements));
        for (auto place : order) {
            Numbers at(extent.size());
            for (auto d = extent.size(); d-- > 0; place /= room[d]) at[d] = low[d] + place % room[d];
            points.insert(points.end(), at.begin(), at.end());
        }
        H5Sselect_elements(space, H5S_SELECT_SET, order.size(), points.data());
    } else {
        auto const parts = kind == 3 ? 1 : pick(random, 2, 4);
        for (hsize_t i = 0; i < parts; ++i) {
            Numbers start, stride, count, block;
            for (std::size_t d = 0; d < extent.size(); ++d) {
                auto const skip = pick(random, 0, room[d] - 1);
                start.push_back(low[d] + skip);
                block.push_back(pick(random, 1, std::min<hsize_t>(2, room[d] - skip)));
                stride.push_back(block.back() + pick(random, 0, 2));
                count.push_back(pick(random, 1, 1 + (room[d] - skip - block.back()) / stride.back()));
            }
            auto const operation = i == 0 ? H5S_SELECT_SET : H5S_SELECT_OR;
            H5Sselect_hyperslab(space, operation, start.data(), stride.data(), count.data(), block.data());
        }
    }
    return space;
}

// HDF5 1.10 loses count in some unions, and then does nobody knows what.
bool is_sound(hid_t space) {
    if (H5Sget_select_type(space) != H5S_SEL_HYPERSLABS) return true;
    auto const blocks = H5Sget_select_hyper_nblocks(space);
    auto const dimensions = static_cast<std::size_t>(H5Sget_simple_extent_ndims(space));
    Numbers corners(static_cast<std::size_t>(blocks) * 2 * dimensions);
    H5Sget_select_hyper_blocklist(space, 0, static_cast<hsize_t>(blocks), corners.data());
    hsize_t listed = 0;
    for (std::size_t i = 0; i < corners.size(); i += 2 * dimensions) {
        hsize_t elements = 1;
        for (std::size_t d = 0; d < dimensions; ++d) elements *= corners[i + dimensions + d] - corners[i + d] + 1;
        listed += elements;
    }
    return static_cast<hsize_t>(H5Sget_select_npoints(space)) == listed;
}

Handle sound_part(Random& random, Numbers const& extent, hsize_t first, hsize_t rows) {
    for (;;) {
        auto space = random_part(random, extent, first, rows);
        if (is_sound(space)) return space;
    }
}

// Points in any order. HDF5 1.10 writes out of bounds where points in memory have another number of dimensions than those
// in the file.
Handle points_in_memory(Random& random, hsize_t elements, std::size_t dimensions) {
    Numbers extent(dimensions, 1);
    extent[0] = elements + 3;
    auto space = simple_space(extent);
    Numbers places(elements);
    std::iota(places.begin(), places.end(), pick(random, 0, 3));
    std::shuffle(places.begin(), places.end(), random);
    Numbers points(elements * dimensions, 0);
    for (std::size_t i = 0; i < places.size(); ++i) points[i * dimensions] = places[i];
    H5Sselect_elements(space, H5S_SELECT_SET, elements, points.data());
    return space;
}

// Room for as many elements in memory: tightly, with gaps, or in any order.
Handle random_memory(Random& random, hsize_t elements, std::size_t dimensions) {
    if (elements == 0) return nothing_of({1});
    if (random() % 4 == 0) return points_in_memory(random, elements, dimensions);
    auto const stride = pick(random, 1, 3);
    auto space = simple_space({elements * stride + 2});
    Numbers const start{pick(random, 0, 2)}, strides{stride}, count{elements};
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), strides.data(), count.data(), nullptr);
    return space;
}

// A dataset of a case; the same on all ranks.
struct Subject {
    explicit Subject(Random& shared)
        : extent{random_extent(shared)}, type{random_type(shared)}, layout{random_layout(shared, extent)} {}
    static Numbers random_extent(Random& random) {
        Numbers extent(pick(random, 1, 3));
        for (auto& size : extent) size = pick(random, 1, 7);
        extent[0] *= static_cast<hsize_t>(ranks());
        return extent;
    }

    Numbers extent;
    Handle type;
    Handle layout;
};

// What this rank has of it.
struct Part {
    Handle place;
    Handle memory;
    std::vector<char> bytes;
};

Part make_part(Random& own, Subject const& subject, hsize_t first, hsize_t rows) {
    auto place = sound_part(own, subject.extent, first, rows);
    auto memory = random_memory(own, static_cast<hsize_t>(H5Sget_select_npoints(place)), subject.extent.size());
    std::vector<char> bytes(static_cast<std::size_t>(H5Sget_simple_extent_npoints(memory)) * H5Tget_size(subject.type));
    for (auto& byte : bytes) byte = static_cast<char>('a' + own() % 26);
    return {std::move(place), std::move(memory), std::move(bytes)};
}

// For writing, where no two ranks may have the same, and for reading, where they may.
Part part_to_write(Random& own, Subject const& subject) {
    auto const rows = subject.extent[0] / static_cast<hsize_t>(ranks());
    return make_part(own, subject, rows * static_cast<hsize_t>(rank()), rows);
}
Part part_to_read(Random& own, Subject const& subject) { return make_part(own, subject, 0, subject.extent[0]); }

struct Case {
    std::vector<Subject> subjects;

    std::vector<Handle> create(hid_t file) const {
        std::vector<Handle> datasets;
        for (auto const& [extent, type, layout] : subjects) {
            datasets.push_back(create_dataset(file, "d" + std::to_string(datasets.size()), type, extent, layout));
        }
        return datasets;
    }
    Call call(std::vector<Handle> const& datasets, std::vector<Part>& parts) const {
        Call call;
        for (std::size_t i = 0; i < parts.size(); ++i) {
            call.add(datasets[i], subjects[i].type, parts[i].memory, parts[i].place, parts[i].bytes.data());
        }
        return call;
    }
    std::vector<Part> parts(Random& own, Part (*make)(Random&, Subject const&)) const {
        std::vector<Part> made;
        for (auto const& subject : subjects) made.push_back(make(own, subject));
        return made;
    }
};

Case random_case(Random& shared) {
    Case made;
    auto const count = pick(shared, 1, 5);
    for (hsize_t i = 0; i < count; ++i) made.subjects.emplace_back(shared);
    return made;
}

std::string raw(hid_t dataset, hid_t type) {
    Handle const space{H5Dget_space(dataset), H5Sclose};
    std::string bytes(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)) * H5Tget_size(type), '\0');
    H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data());
    return bytes;
}

// Many small rounds, by shared memory, by messages and by stripes.
std::vector<std::vector<HintPair>> settings() {
    std::vector<HintPair> const small{
        {"muster_window", "64"}, {"muster_direct_write", "0"}, {"muster_direct_read", "0"}};
    auto messages = small;
    messages.emplace_back("muster_ranks_per_node", "1");
    messages.emplace_back("muster_shared_memory", "off");
    auto striped = messages;
    striped.insert(striped.end(),
                   {{"muster_layout", "striped"}, {"muster_stripe_size", "48"}, {"muster_stripe_count", "2"}});
    return {{}, small, messages, striped};
}

class Info {
public:
    explicit Info(std::vector<HintPair> const& hints) {
        MPI_Info_create(&handle_);
        for (auto const& [name, value] : hints) MPI_Info_set(handle_, name.c_str(), value.c_str());
    }
    ~Info() { MPI_Info_free(&handle_); }
    Info(Info const&) = delete;
    Info& operator=(Info const&) = delete;
    operator MPI_Info() const { return handle_; }

private:
    MPI_Info handle_{MPI_INFO_NULL};
};

// Writes a case both ways, then reads it both ways.
void compare(unsigned seed) {
    Random shared{seed};
    Random own{seed * 31 + static_cast<unsigned>(rank()) + 1};
    auto const subject = random_case(shared);
    Info const info{settings()[seed % 4]};
    SharedPath const path;
    SharedPath const other;
    auto const file = create_file(path.get(), {info});
    auto const reference = create_file(other.get());
    auto const ours = subject.create(file);
    auto const theirs = subject.create(reference);
    auto parts = subject.parts(own, part_to_write);
    auto const turns = ours.size() == 1 ? 9 : 1;  // the first calls of a single dataset may go straight
    for (int turn = 0; turn < turns; ++turn) {
        EXPECT_EQ(subject.call(ours, parts).write(collective()), 0) << muster_last_message();
    }
    EXPECT_EQ(subject.call(theirs, parts).write_by_hdf5(H5P_DEFAULT), 0);
    EXPECT_THAT(report_of(file), testing::HasSubstr(R"("one_by_one":[])"));
    barrier(world());
    for (std::size_t i = 0; i < ours.size(); ++i) {
        EXPECT_EQ(raw(ours[i], subject.subjects[i].type), raw(theirs[i], subject.subjects[i].type)) << "dataset " << i;
    }
    auto again = own;
    auto to_read = subject.parts(own, part_to_read);
    auto expected = subject.parts(again, part_to_read);
    EXPECT_EQ(subject.call(ours, to_read).read(collective()), 0) << muster_last_message();
    EXPECT_EQ(subject.call(theirs, expected).read_by_hdf5(H5P_DEFAULT), 0);
    for (std::size_t i = 0; i < ours.size(); ++i) EXPECT_EQ(to_read[i].bytes, expected[i].bytes) << "dataset " << i;
}

TEST(Random, datasets_are_written_and_read_as_by_hdf5) {
    for (unsigned seed = 0; seed < (ranks() > 2 ? 60U : 120U); ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        compare(seed);
        auto failed = Size{HasFailure() ? 1 : 0};
        reduce_all(world(), {&failed, 1}, MPI_MAX);
        if (failed != 0) break;
    }
}

}  // namespace

}  // namespace muster::hdf5::test
