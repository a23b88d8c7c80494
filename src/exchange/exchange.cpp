#include "exchange/exchange.hpp"

namespace muster {

namespace {

// Collective.
bool fits_everywhere(Comm const& comm, Lanes const& lanes) {
    Size without_room = lanes.outgoing.fits_at_once && lanes.incoming.fits_at_once ? 0 : 1;
    reduce_all(comm, {&without_room, 1}, MPI_MAX);
    return without_room == 0;
}

}  // namespace

// Where ranks access the same bytes, messages may not fit at once; in order they do.
void exchange(Courier& courier, Terms const& terms, Lanes const& lanes, Work const& meanwhile) {
    auto const wanted = terms.kernel == Kernel::alltoallw;
    auto const at_once = wanted && fits_everywhere(courier.comm(), lanes);
    if (wanted && !at_once) ++courier.report().kernel_fallbacks;
    (at_once ? exchange_at_once : exchange_in_order)(courier, terms, lanes, meanwhile);
}

}  // namespace muster
