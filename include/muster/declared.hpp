// Declared I/O: a program says first what it is going to write or read, then hands over or takes the pieces as they are
// ready, in any order, while full windows are stored behind its back.
//
//   std::vector<muster::Part> parts{{x_extents}, {y_extents}, {z_extents}};
//   auto coming = muster::Declared::write(file, parts);   // collective: the plan of it all
//   compute(x); auto kept = coming->put(0, x.data());     // local: the first part is ready
//   compute(z); kept = coming->put(2, z.data());
//   compute(y); kept = coming->put(1, y.data());
//   auto bytes = coming->finish();                        // collective: all of it is in the file
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "muster/export.h"
#include "muster/extent.hpp"
#include "muster/file.hpp"
#include "muster/status.hpp"

namespace muster {

// What this rank has of one variable: extents of the file in the order in which its bytes lie in memory, one after the
// other. May be empty. No byte may be declared twice by one rank.
struct Part {
    std::vector<Extent> extents;
};

class MUSTER_API Declared {
public:
    // Collective. Every rank declares its own parts, as many as it likes. The file must stay open, and be left alone, until
    // finish().
    static Result<Declared> write(File& file, std::span<Part const> parts);
    static Result<Declared> read(File& file, std::span<Part const> parts);

    Declared(Declared&&) noexcept;
    Declared& operator=(Declared&&) noexcept;
    ~Declared();  // without finish(), what has not been stored yet is lost

    static constexpr Size to_the_end = -1;

    // Local: never waits for another rank to call something. The bytes [from, from + length) of a part. The memory may be
    // used again when this returns: what cannot go to its window yet is copied. A byte may be put once.
    Status put(std::size_t part, void const* data, Size from = 0, Size length = to_the_end);
    // Local. Returns how many of them lie before the end of the file; the others stay as they were. Bytes that are not in a
    // window when others are late are read from the file itself. A byte may be taken as often as one likes.
    Result<Size> get(std::size_t part, void* data, Size from = 0, Size length = to_the_end);

    // Local. Moves on what is under way, for programs that compute for long between two pieces.
    void progress();

    // Collective. All that was put is in the file (not yet on the disk: see File::sync). Bytes that were declared and never put
    // are left in the file as they were. Returns what this rank has put or taken.
    Result<Size> finish();

    std::string text() const;  // what was decided

private:
    struct State;
    explicit Declared(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace muster
