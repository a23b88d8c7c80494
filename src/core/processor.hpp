// What this processor is, where that decides how bytes are best moved.
#pragma once

namespace muster {

bool made_by_intel();
bool stores_masked_bytes();  // chosen bytes of a vector
#if defined(__x86_64__)
// Before functions that are called only where stores_masked_bytes().
#define MUSTER_MASKED __attribute__((target("avx512f,avx512bw,avx512vl,bmi2")))
#endif
// Whether it multiplies eight numbers of 64 bits at a time.
bool multiplies_eight();

}  // namespace muster
