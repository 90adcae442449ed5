// Sizes and reserved memory that do not contradict each other, where the history does not lead to the final state.
#pragma once

#include "model/progress.h"
#include "replay/reservations.h"

namespace tidemark {

// Makes what is reserved after the last event the final segments: a stretch that is not theirs was given back unseen and ends
// with the last event; what is missing came unseen and begins with it. `final_segments` ascend by address.
void end_in_final_state(const std::vector<const Segment*>& final_segments, const std::map<uint64_t, ReservedRange>& final_ranges,
                        int64_t last_event, std::vector<Reservation>& lives);

// Cuts the sizes of `table` until at every moment the blocks are disjoint and each lies in one segment or outside of all. An
// allocation has one size for all its life: it ends before whatever begins behind it, or its segment ends, while it is active.
// Of two at one address the later has it. O(log n) an event.
void trim_sizes(size_t event_count, const std::vector<Reservation>& lives, AllocationTable& table, const Progress& progress);

}  // namespace tidemark
