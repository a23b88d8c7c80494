// What this processor is, where that decides how bytes are best moved.
#pragma once

namespace muster {

bool made_by_intel();
bool stores_masked_bytes();  // chosen bytes of a vector
// Whether it multiplies eight numbers of 64 bits at a time.
bool multiplies_eight();

}  // namespace muster
