// A build that is not careful (MUSTER_BARE) takes for granted that there are no holes, agrees on no errors and keeps no
// report. It serves to measure what these cost, and nothing else.
#pragma once

namespace muster {

#ifdef MUSTER_BARE
inline constexpr bool careful = false;
#else
inline constexpr bool careful = true;
#endif

}  // namespace muster
