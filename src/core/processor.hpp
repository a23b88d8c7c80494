// What this processor is, where that decides how bytes are best moved.
#pragma once

namespace muster {

bool made_by_intel();
// Whether it stores chosen bytes of a vector as quickly as all of them. AMD's can do it from Zen 4 on; how quickly was not measured.
bool stores_masked_bytes();
// Whether it multiplies eight numbers of 64 bits at a time.
bool multiplies_eight();

}  // namespace muster
