// When allocations ended whose free the file does not have.
#pragma once

#include "model/progress.h"
#include "replay/reservations.h"

namespace tidemark {

// An implicit close is known to come late: at the next use of the address, or with the last event. Moves each to the first event
// that shows the memory free: another allocation over it, or its memory reserved or given back. One that the program gives back
// later than that stays as it is. Sizes are those before trim_sizes(). O(log n) an event.
void close_when_overlapped(size_t event_count, const std::vector<Reservation>& lives, PairedTrace& paired, const Progress& progress);

}  // namespace tidemark
