// The allocator's blocks where the history does not lead to the final state: what the events say is laid out as far as it fits.
#pragma once

#include "replay/layout.h"

namespace tidemark {

// Adds every event to `curves`, with the sizes of `paired`. An allocation takes the free memory at its address up to the next
// block and is left out where there is none; memory given back to the driver takes along what is still in it. O(log n) an event.
void approximate_layout(const LayoutInput& input, const PairedTrace& paired, SpaceCurves& curves, const Progress& progress);

}  // namespace tidemark
