// Plain allocations of some size and more fail, of all threads. It replaces operator new, so one file of a program may include it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <new>

namespace muster::testing {

inline constexpr auto nothing_refused = std::numeric_limits<std::size_t>::max();
inline std::atomic<std::size_t> refused_from = nothing_refused;

// While it lives.
class Refusal {
public:
    explicit Refusal(std::size_t from) { refused_from = from; }
    ~Refusal() { refused_from = nothing_refused; }
    Refusal(Refusal const&) = delete;
    Refusal& operator=(Refusal const&) = delete;
};

}  // namespace muster::testing

// Not inlined, or the compiler takes them for a mismatch.
[[gnu::noinline]] void* operator new(std::size_t size) {
    void* const memory = size < muster::testing::refused_from ? std::malloc(size) : nullptr;
    if (memory == nullptr) throw std::bad_alloc{};
    return memory;
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
