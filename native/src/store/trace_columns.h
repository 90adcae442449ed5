// The packed relations of a trace: their names, columns and stored values. Written by trace_pieces.cc, declared to SQL in
// trace_relations.cc, read by the questions about traces. All are stored as device kTraceDevice; row counts are in relation_size.
#pragma once

#include <cstdint>

namespace tidemark {

inline constexpr int32_t kTraceDevice = 0;

// No external id, correlation, parent, name or category: stored as this.
inline constexpr int64_t kStoredNothing = -1;

// slice: one row a slice, row = slice_id; by track, lane, start. Times are nanoseconds since the capture's start.
//   start, dur            dur ≥ 0
//   name                  string_id, −1 none
//   category              category_id
//   parent                slice_id of the deepest slice of the track that contains it, −1 none
//   external_id           args "External id", −1 none (python_function has none)
//   correlation           args "correlation", −1 none (likewise)
//   offset, length        of the event's text in the inflated source; length 0 = unknown
//   flags                 kUnfinishedFlag
inline constexpr char kSliceRelation[] = "slice";
inline constexpr int64_t kUnfinishedFlag = 1;

// slice_level: items of the levels; coarsest level first, then lane, then start (lane_level says which rows).
//   start, extent         of the joined slices: from the first start to the last end
//   busy                  sum of their durations
//   count                 how many slices; 1 = a slice that passes unchanged
//   name                  string_id of the longest of them
//   slice                 slice_id of the longest of them
inline constexpr char kSliceLevelRelation[] = "slice_level";

// instant: row = instant_id; by track, then time.   time, name, category, track, offset, length
inline constexpr char kInstantRelation[] = "instant";

// counter: by series (counter_series says which rows), then time.   time; value: the bits of a double
inline constexpr char kCounterRelation[] = "counter";

// flow: row = flow_id; ascending by from, then to.   from, to: slice_ids; name: string_id, −1 for pairs found by correlation alone; category (0 for these)
inline constexpr char kFlowRelation[] = "flow";

// flow_to: the rows of flow ascending by to.   flow
inline constexpr char kFlowToRelation[] = "flow_to";

// Categories' color slots go round.
inline constexpr uint32_t kCategorySlots = 24;
// Of names: the first by total time, then by hash.
inline constexpr uint32_t kRankedNameSlots = 12;
inline constexpr uint32_t kHashedNameSlots = 12;

}  // namespace tidemark
