// What a thread has spent so far: only by that can be told whether a look at MPI has moved anything on.
#pragma once

namespace muster {

struct Spent {
    long nanoseconds{0};  // of its own: not while others had the core
    long switches{0};     // to another process

    static Spent now();
};

// A look that took some time without giving up the core has moved something on, of which there may be more: a large message goes in
// thousands of fragments. An MPI that finds nothing to do is done at once, or lets others have the core. The first look after a
// sleep takes long in any case: nothing is in the cache.
bool has_moved(Spent const& before, Spent const& after);

}  // namespace muster
