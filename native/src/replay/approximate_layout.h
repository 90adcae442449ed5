// The curves where the history does not lead to the final state: those of the layout that sizes and lives amount to.
#pragma once

#include "replay/reservations.h"
#include "replay/space_curves.h"

namespace tidemark {

// Adds every event to `space` and `reserved`, from sizes that trim_sizes() made fit. A block outside every segment is a segment
// of its own. What the curves say is what the layout of an event amounts to (query/block_layout.h). O(log n) an event, except
// that memory which becomes reserved or is given back costs a step for each block that lies there all the same, and that a segment
// whose start moves by other than whole pages is counted anew.
void approximate_layout(size_t event_count, const std::vector<Reservation>& lives, const AllocationTable& table, SpaceCurves& space,
                        ReservedCurve& reserved, const Progress& progress);

}  // namespace tidemark
