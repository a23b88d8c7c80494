// The MPI's own functions, as the entry points have found them.
#pragma once

#include <utility>

#include "intercept/calls.hpp"

namespace muster::preload {

Below const& below();
void set_below(Below const& below);

// While it lives, what this thread calls goes to the MPI itself, and so does what the MPI calls on its own account.
class Inside {
public:
    Inside() : depth_{*below().depth()} { ++depth_; }
    ~Inside() { --depth_; }
    Inside(Inside const&) = delete;
    Inside& operator=(Inside const&) = delete;

private:
    int& depth_;
};

// call_native(&Calls::sync, file)
template <class... Parameters, class... Arguments>
int call_native(int (*Calls::*function)(Parameters...), Arguments&&... arguments) {
    Inside const inside;
    return (below().native.*function)(std::forward<Arguments>(arguments)...);
}

// The very call that the program made. Refers to its arguments, and is valid as long as these are.
class NativeCall {
public:
    template <class Work>
    explicit NativeCall(Work& work) : run_{[](void* kept) { return (*static_cast<Work*>(kept))(); }}, work_{&work} {}

    int operator()() const {
        Inside const inside;
        return run_(work_);
    }

private:
    int (*run_)(void*);
    void* work_;
};

}  // namespace muster::preload
