// Which tracks a trace has, and their order on the screen.
#pragma once

#include <string>
#include <vector>

#include "nesting/async_slices.h"
#include "nesting/nested_trace.h"

namespace tidemark {

// What has events, by index of the trace.
struct TrackSources {
  std::vector<size_t> thread_slices;     // by thread
  std::vector<uint8_t> thread_is_gpu;
};

// Where the parts of a trace lie.
struct TrackPlaces {
  std::vector<Track> tracks;                 // in order; name, kind, process, thread, order are set
  std::vector<uint32_t> of_thread;           // track or kNone
  std::vector<uint32_t> of_process;          // instants of a process
  uint32_t of_all = kNone;                   // instants of the whole trace
  std::vector<uint32_t> of_async_key;        // by Trace::async_keys
  std::vector<uint32_t> of_series;           // by Trace::series
};

// Processes by sort index then pid, in each: its instants, threads by sort index then tid, async categories by name, counters by name. First of
// all the instants of the whole trace. Numbers before texts. Stops early, with a useless result, once `progress.cancel` is set.
TrackPlaces place_tracks(const Trace& trace, const TrackSources& sources, const Progress& progress);

// The track of an instant.
uint32_t track_of(const TrackPlaces& places, const Trace& trace, const TraceInstant& instant);

}  // namespace tidemark
