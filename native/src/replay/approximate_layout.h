// The curves where the history does not lead to the final state: those of the layout that sizes and lives amount to.
#pragma once

#include "replay/reservations.h"
#include "replay/space_curves.h"

namespace tidemark {

// Some seconds of work. No real history comes near it.
inline constexpr uint64_t kMostLayoutSteps = uint64_t{1} << 28;

// Adds every event to `space` and `reserved`, from sizes that trim_sizes() made fit. A block outside every segment is a segment
// of its own. What the curves say is what the layout of an event amounts to (query/block_layout.h). O(log n) an event, except
// that memory which becomes reserved or is given back costs a step for each block that lies there all the same, and that a segment
// whose start moves by other than whole pages is counted anew. A hostile file makes these the product of its length with itself: after
// `most_steps` of them the curves of free memory stay where they are, `reserved` is left as it was, and the answer is false.
bool approximate_layout(size_t event_count, const std::vector<Reservation>& lives, const AllocationTable& table, SpaceCurves& space,
                        ReservedCurve& reserved, const Progress& progress, uint64_t most_steps = kMostLayoutSteps);

}  // namespace tidemark
