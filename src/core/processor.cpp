#include "core/processor.hpp"

#if defined(__x86_64__)
#include <cpuid.h>

namespace muster {

namespace {

bool find_maker() {
    unsigned highest = 0, b = 0, c = 0, d = 0;
    return __get_cpuid(0, &highest, &b, &c, &d) != 0 && b == signature_INTEL_ebx && d == signature_INTEL_edx;
}

}  // namespace

bool made_by_intel() {
    static bool const intel = find_maker();
    return intel;
}

bool stores_masked_bytes() {
    static bool const masked =
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("bmi2");
    return masked;
}

bool multiplies_eight() {
    static bool const eight = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq");
    return eight;
}

}  // namespace muster
#else
namespace muster {

bool made_by_intel() { return false; }
bool stores_masked_bytes() { return false; }
bool multiplies_eight() { return false; }

}  // namespace muster
#endif
