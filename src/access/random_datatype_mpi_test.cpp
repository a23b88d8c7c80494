// Random nested datatypes against MPI itself: packing two elements must take the same bytes in the same order.
// Left out is what an MPI gets wrong itself: strides of -1 byte (Open MPI 4.1), negative extents and parts without bytes
// (MPICH 4.0), long double (packed through registers, its padding is lost).
#include <gtest/gtest.h>

#include <cstring>
#include <numeric>
#include <random>

#include "access/access.hpp"
#include "access/copy.hpp"
#include "mpi/datatype.hpp"

namespace muster {
namespace {

class RandomTypes {
public:
    explicit RandomTypes(unsigned seed) : random_{seed} {}

    Datatype nested(int depth) {
        if (depth <= 1) return derived(predefined());
        auto const inner = nested(depth - 1);
        return derived(inner.get());
    }

private:
    static constexpr int constructors = 12;

    int between(int low, int high) { return std::uniform_int_distribution{low, high}(random_); }

    MPI_Datatype predefined() {
        MPI_Datatype const types[] = {MPI_BYTE,  MPI_SHORT,     MPI_INT,        MPI_DOUBLE,
                                      MPI_FLOAT, MPI_SHORT_INT, MPI_DOUBLE_INT, MPI_LONG_INT};
        return types[between(0, 7)];
    }

    Datatype derived(MPI_Datatype of) {
        switch (between(0, constructors - 1)) {
            case 0: return contiguous(of);
            case 1: return vector(of);
            case 2: return hvector(of);
            case 3: return indexed(of);
            case 4: return hindexed(of);
            case 5: return indexed_block(of);
            case 6: return hindexed_block(of);
            case 7: return structure(of);
            case 8: return subarray(of);
            case 9: return darray(of);
            case 10: return resized(of);
            default: return duplicate(of);
        }
    }

    Datatype contiguous(MPI_Datatype of) {
        Datatype type;
        MPI_Type_contiguous(between(1, 4), of, type.receive());
        return type;
    }
    Datatype vector(MPI_Datatype of) {
        Datatype type;
        auto const stride = between(-5, 5);
        MPI_Type_vector(between(1, 4), between(1, 3), stride * extent_of(of) == -1 ? 2 : stride, of, type.receive());
        return type;
    }
    Datatype hvector(MPI_Datatype of) {
        Datatype type;
        auto const stride = between(-200, 200);
        MPI_Type_create_hvector(between(1, 4), between(1, 3), stride == -1 ? 2 : stride, of, type.receive());
        return type;
    }

    std::vector<int> several(int count, int low, int high) {
        std::vector<int> list(static_cast<std::size_t>(count));
        for (auto& value : list) value = between(low, high);
        return list;
    }
    std::vector<int> lengths(int count) {  // some may be 0, but not all
        auto list = several(count, 0, 3);
        list[0] = 1;
        return list;
    }
    std::vector<MPI_Aint> addresses(int count) {
        auto const list = several(count, -300, 300);
        return {list.begin(), list.end()};
    }

    Datatype indexed(MPI_Datatype of) {
        auto const count = between(1, 5);
        Datatype type;
        MPI_Type_indexed(count, lengths(count).data(), several(count, -10, 10).data(), of, type.receive());
        return type;
    }
    Datatype hindexed(MPI_Datatype of) {
        auto const count = between(1, 5);
        Datatype type;
        MPI_Type_create_hindexed(count, lengths(count).data(), addresses(count).data(), of, type.receive());
        return type;
    }
    Datatype indexed_block(MPI_Datatype of) {
        auto const count = between(1, 5);
        Datatype type;
        MPI_Type_create_indexed_block(count, between(1, 3), several(count, -10, 10).data(), of, type.receive());
        return type;
    }
    Datatype hindexed_block(MPI_Datatype of) {
        auto const count = between(1, 5);
        Datatype type;
        MPI_Type_create_hindexed_block(count, between(1, 3), addresses(count).data(), of, type.receive());
        return type;
    }
    Datatype structure(MPI_Datatype of) {
        auto const count = between(1, 5);
        std::vector<MPI_Datatype> types(static_cast<std::size_t>(count));
        for (auto& member : types) member = between(0, 1) == 0 ? of : predefined();
        Datatype type;
        MPI_Type_create_struct(count, lengths(count).data(), addresses(count).data(), types.data(), type.receive());
        return type;
    }
    Datatype subarray(MPI_Datatype of) {
        auto const dimensions = between(1, 3);
        auto const sizes = several(dimensions, 1, 4);
        std::vector<int> subsizes, starts;
        for (auto const size : sizes) {
            subsizes.push_back(between(1, size));
            starts.push_back(between(0, size - subsizes.back()));
        }
        Datatype type;
        MPI_Type_create_subarray(dimensions, sizes.data(), subsizes.data(), starts.data(), order(), of, type.receive());
        return type;
    }
    int order() { return between(0, 1) == 0 ? MPI_ORDER_C : MPI_ORDER_FORTRAN; }

    Datatype darray(MPI_Datatype of) {
        auto const dimensions = between(1, 3);
        auto const count = static_cast<std::size_t>(dimensions);
        std::vector<int> sizes(count), kinds(count), blocks(count), processes(count, 1);
        for (std::size_t d = 0; d < count; ++d) {
            int const all_kinds[] = {MPI_DISTRIBUTE_NONE, MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC};
            sizes[d] = between(1, 7);
            kinds[d] = all_kinds[between(0, 2)];
            if (kinds[d] != MPI_DISTRIBUTE_NONE) processes[d] = between(1, 3);
            blocks[d] = MPI_DISTRIBUTE_DFLT_DARG;
            if (kinds[d] == MPI_DISTRIBUTE_CYCLIC && between(0, 1) == 0) blocks[d] = between(1, 3);
        }
        auto const all = std::accumulate(processes.begin(), processes.end(), 1, std::multiplies<>{});
        Datatype type;
        MPI_Type_create_darray(all, between(0, all - 1), dimensions, sizes.data(), kinds.data(), blocks.data(),
                               processes.data(), order(), of, type.receive());
        return size_of(type.get()) > 0 ? std::move(type) : duplicate(of);
    }

    Datatype resized(MPI_Datatype of) {
        Datatype type;
        MPI_Type_create_resized(of, between(-20, 20), between(0, 200), type.receive());
        return type;
    }
    Datatype duplicate(MPI_Datatype of) {
        Datatype type;
        MPI_Type_dup(of, type.receive());
        return type;
    }

    std::mt19937 random_;
};

std::vector<std::byte> random_bytes(std::size_t count, unsigned seed) {
    std::mt19937 random{seed};
    std::vector<std::byte> bytes(count);
    for (auto& byte : bytes) byte = static_cast<std::byte>(random());
    return bytes;
}

// Memory around two elements of a type, wherever they lie relative to the buffer's address.
struct Surroundings {
    explicit Surroundings(Memory const& memory, unsigned seed)
        : low{memory.stream.shape.low()},
          bytes{random_bytes(static_cast<std::size_t>(memory.stream.shape.high() - low), seed)} {}
    std::byte* buffer() { return bytes.data() - low; }

    Offset low;
    std::vector<std::byte> bytes;
};

std::vector<std::byte> packed(std::byte const* buffer, int count, MPI_Datatype type) {
    int room = 0, position = 0;
    MPI_Pack_size(count, type, MPI_COMM_SELF, &room);
    std::vector<std::byte> bytes(static_cast<std::size_t>(room));
    MPI_Pack(buffer, count, type, bytes.data(), room, &position, MPI_COMM_SELF);
    bytes.resize(static_cast<std::size_t>(position));
    return bytes;
}

TEST(RandomDatatypes, have_the_bytes_that_mpi_packs) {
    for (unsigned seed = 1; seed <= 6000; ++seed) {
        RandomTypes types{seed};
        auto type = types.nested(static_cast<int>(seed % 3) + 1);
        MPI_Datatype handle = type.get();
        MPI_Type_commit(&handle);
        auto const memory = memory_stream(&types, 2, handle);  // the address does not matter yet
        ASSERT_TRUE(memory.ok()) << "seed " << seed;
        Surroundings around{*memory, seed};
        std::vector<std::byte> ours(static_cast<std::size_t>(memory->stream.size()));
        gather(memory->stream, around.buffer(), ours.data());
        ASSERT_EQ(ours, packed(around.buffer(), 2, handle)) << "seed " << seed << ": " << memory->stream.shape.text();
    }
}

}  // namespace
}  // namespace muster
