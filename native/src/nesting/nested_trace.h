// What nesting makes of a trace: its tracks, lanes and slices in stored order, and who contains whom.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/array.h"
#include "model/progress.h"
#include "model/trace.h"

namespace tidemark {

inline constexpr int64_t kNoSlice = -1;

enum class TrackKind : uint8_t { thread, stream, async, counter, process, global };  // stored as words: append only

// A row of the picture: a thread, a GPU stream, the async events of a category, a counter, or the instants of a process or of the whole trace.
struct Track {
  TrackKind kind = TrackKind::thread;
  uint32_t process = 0;          // Trace::processes index
  uint32_t thread = kNone;       // Trace::threads index; kNone for async, counter, process, global
  std::string name;              // ready to show, such as "thread 430 (python3)", "stream 7"
  int64_t order = 0;             // place on the screen over all tracks, from 0
  uint32_t first_lane = 0;
  uint32_t lane_count = 0;       // 0 for tracks without slices
  uint64_t slice_count = 0;
  uint64_t first_instant = 0;    // rows of `instants`
  uint64_t instant_count = 0;
  int64_t first_ns = 0;          // of its first event, since the capture's start
  int64_t last_ns = 0;           // end of its last event
  int64_t busy_ns = 0;           // time covered by some slice
};

// Slices of one track at one depth, none of which overlap: rows [first_slice, first_slice + slice_count), ascending by start.
struct Lane {
  uint32_t track = 0;
  uint32_t depth = 0;
  bool is_spill = false;         // holds slices that overlap with one of the lanes above without lying inside it
  uint64_t first_slice = 0;
  uint64_t slice_count = 0;
};

// One slice in stored order: by track order, lane, start. Its number is its slice_id.
struct NestedSlice {
  int64_t start_ns = 0;          // since the capture's start
  int64_t dur_ns = 0;            // ≥ 0; unfinished ones last to the end of their track
  int64_t parent = kNoSlice;     // the deepest slice of the track that contains it
  uint64_t source_offset = 0;
  uint32_t source_length = 0;
  uint32_t name = kNone;         // Trace::strings id
  uint32_t external_id = kNoId;
  uint32_t correlation = kNoId;
  uint16_t category = 0;
  bool is_unfinished = false;
};

struct NestedFlow {
  uint64_t from = 0;             // slice ids
  uint64_t to = 0;
  uint32_t name = kNone;         // of the flow events; kNone for a pair found by correlation alone
  uint16_t category = 0;
};

// The samples of one series: rows [first_sample, first_sample + sample_count), ascending by time.
struct NestedSeries {
  uint32_t series = 0;           // Trace::series index
  uint32_t track = 0;
  uint64_t first_sample = 0;
  uint64_t sample_count = 0;
};
struct NestedSample {
  int64_t time_ns = 0;           // since the capture's start
  double value = 0;
};

struct NestedTrace {
  int64_t start_ns = 0;          // the file's time of the capture's start; add Trace::base_ns for Unix time
  int64_t duration_ns = 0;
  std::vector<Track> tracks;     // by order
  std::vector<Lane> lanes;       // by track, depth
  Array<NestedSlice> slices;
  std::vector<TraceInstant> instants;   // by track, then time; time_ns since the capture's start
  std::vector<uint32_t> instant_track;
  std::vector<NestedFlow> flows;        // ascending by from, to
  std::vector<NestedSeries> series;     // by track
  std::vector<NestedSample> samples;    // by place in `series`, then time
  std::vector<uint32_t> thread_track;   // by Trace::threads index: its track, or kNone where it has none
  std::vector<Finding> findings;
};

// Nests `trace`, whose slices, flow and async points are given up piece by piece to save memory. Two threads. Stops early once
// `progress.cancel` is set.
NestedTrace nest_trace(Trace& trace, Progress& progress);

}  // namespace tidemark
