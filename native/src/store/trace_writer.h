// Writes the small tables of a trace's index on the caller's connection. Each function stops at the first failure, which it keeps, and soon
// after a cancel.
#pragma once

#include "nesting/slice_levels.h"
#include "store/index_writer.h"
#include "store/trace_pieces.h"

namespace tidemark {

// process, track, lane, counter_series, relation_size.
void write_tracks(const IndexWrite& write, const Trace& trace, const NestedTrace& nested, uint64_t level_rows);

// lane_level.
void write_level_rows(const IndexWrite& write, const std::vector<LevelRows>& levels);

// string (the names of slices, instants and flows), trace_name, trace_category.
void write_trace_names(const IndexWrite& write, const Trace& trace, const NestedTrace& nested, const SliceTotals& totals);

// event_text: what the file at `path` says of each event that has a row. To be called before nesting gives the events up.
void write_event_texts(const IndexWrite& write, const std::string& path, const Trace& trace);

// source_checkpoint, with deflated windows.
void write_checkpoints(const IndexWrite& write, const std::vector<InflateCheckpoint>& checkpoints);

// capture and metadata.
void write_trace_capture(const IndexWrite& write, const Trace& trace, const NestedTrace& nested, const SourceInfo& source);

}  // namespace tidemark
