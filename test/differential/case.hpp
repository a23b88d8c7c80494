// A random collective access: who writes which bytes, described the same on all ranks by a seed.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "muster/muster.hpp"

namespace muster::differential {

// Numbers from a seed; every rank that draws in the same order gets the same.
class Dice {
public:
    explicit Dice(std::uint64_t seed) : engine_{seed} {}
    Size roll(Size low, Size high) { return std::uniform_int_distribution<Size>{low, high}(engine_); }
    bool chance(int percent) { return roll(1, 100) <= percent; }
    template <class T>
    T const& pick(std::vector<T> const& choices) {
        return choices[static_cast<std::size_t>(roll(0, static_cast<Size>(choices.size()) - 1))];
    }

private:
    std::mt19937_64 engine_;
};

// Owns a datatype, unless it is predefined.
class Type {
public:
    Type() = default;
    explicit Type(MPI_Datatype made) : handle_{made} { MPI_Type_commit(&handle_); }
    static Type predefined(MPI_Datatype type);
    Type(Type&& other) noexcept;
    Type& operator=(Type&& other) noexcept;
    ~Type();
    MPI_Datatype get() const { return handle_; }
    Size size() const;

private:
    MPI_Datatype handle_{MPI_DATATYPE_NULL};
    bool owned_{true};
};

enum class Pattern { block, cyclic, scattered, grid, darray, nested };
enum class Way { view, pointer, pieces, subarray, kept, declared };  // which calls of ours are tried

// What all ranks do in one case; `mine` differs from rank to rank.
struct Case {
    std::uint64_t seed{0};
    Pattern pattern{Pattern::block};
    Way way{Way::view};
    Offset displacement{0};
    Size existing{0};  // bytes that the file has before
    Size steps{1};     // calls one after the other, each behind the one before
    Size element{1};   // bytes of an etype
    std::vector<HintPair> hints;

    // This rank's part.
    Type etype;
    Type filetype;     // one tile
    Size elements{0};  // etypes per call
    Type memory_type;  // of the buffer, `memory_count` times
    Size memory_count{0};
    Size memory_bytes{0};         // the buffer's span
    std::vector<Extent> extents;  // way pieces: in any order
    Subarray block;               // way subarray

    void set_hint(std::string const& name, std::string const& value);
    // Windows of at least so many bytes: where a round takes milliseconds, thousands of them take minutes.
    void widen_windows(Size least);
    // Messages always, by the kernels and in the layout of this index: 72 in a row are all of them.
    void force_exchange(std::uint64_t index);
    // Access by plain extents, whichever calls are made.
    bool by_extents() const { return way == Way::pieces || way == Way::declared; }
    bool in_pieces() const;    // our file is kept as subfiles
    std::string text() const;  // one line for messages
};

Case make_case(std::uint64_t seed, MPI_Comm comm);

}  // namespace muster::differential
