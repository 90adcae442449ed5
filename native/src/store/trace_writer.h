// Writes the small tables of a trace's index on the caller's connection. Each function stops at the first failure and keeps it.
#pragma once

#include "model/progress.h"
#include "nesting/slice_levels.h"
#include "store/index_writer.h"
#include "store/trace_pieces.h"

namespace tidemark {

// process, track, lane, counter_series, relation_size.
void write_tracks(sqlite3* db, const Trace& trace, const NestedTrace& nested, uint64_t level_rows, Failure& failure);

// lane_level.
void write_level_rows(sqlite3* db, const std::vector<LevelRows>& levels, Failure& failure);

// string (the names of slices, instants and flows), trace_name, trace_category.
void write_trace_names(sqlite3* db, const Trace& trace, const NestedTrace& nested, const SliceTotals& totals, Failure& failure);

// event_text: what the file at `path` says of each event that has a row. To be called before nesting gives the events up.
void write_event_texts(sqlite3* db, const std::string& path, const Trace& trace, Progress& progress, Failure& failure);

// source_checkpoint, with deflated windows.
void write_checkpoints(sqlite3* db, const std::vector<InflateCheckpoint>& checkpoints, const Progress& progress, Failure& failure);

// capture and metadata.
void write_trace_capture(sqlite3* db, const Trace& trace, const NestedTrace& nested, const SourceInfo& source, Failure& failure);

}  // namespace tidemark
