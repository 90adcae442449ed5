// What one scanner found in one stretch of the file, with ids of its own. Parts are joined in the order of the file, which gives the same
// trace however it was cut.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "model/trace.h"
#include "readers/trace/finding_code.h"

namespace tidemark::readers::trace {

// Texts that a scanner met: those that are new to it, and all that this part uses, in order of first use.
struct UsedNames {
  std::vector<std::string> fresh;  // get the ids that follow those of the scanner's parts before
  std::vector<uint32_t> used;
};

// The things that have ids: their texts identify them in the whole trace.
enum class Table : uint8_t { strings, categories, processes, threads, series, async_keys, count };

// What tells series of counters apart, in ids of whoever asks: long names are not written again for each series. `kind` is the type of the
// event's id.
inline std::string series_identity(const TraceCounterSeries& series, char kind) {
  const uint32_t ids[] = {series.process, series.name, series.key, series.id};
  return std::string(1, kind).append(reinterpret_cast<const char*>(ids), sizeof ids);
}

struct NameChange {
  enum class What : uint8_t { process_name, process_labels, process_sort_index, thread_name, thread_sort_index };
  What what = What::process_name;
  uint32_t of = 0;       // thread or process
  uint32_t name = kNone; // string
  int64_t sort_index = 0;
};

struct Part {
  uint32_t scanner = 0;
  UsedNames names[static_cast<size_t>(Table::count)];
  // Of the fresh ones, in the same order; their fields are ids of the scanner.
  std::vector<uint32_t> fresh_thread_process;
  std::vector<TraceCounterSeries> fresh_series;
  std::vector<TraceAsyncKey> fresh_async_keys;

  std::vector<TraceSlice> slices;
  std::vector<TraceInstant> instants;
  std::vector<TraceCounterSample> samples;
  std::vector<TraceFlowPoint> flow_points;
  std::vector<TraceAsyncPoint> async_points;
  std::vector<TraceMemoryEvent> memory_events;
  std::vector<NameChange> name_changes;
  std::vector<std::pair<size_t, uint32_t>> sampled;  // instants of this part that are samples, and the id of their frame (a string)
  std::vector<std::pair<uint32_t, uint32_t>> frames; // id of a frame, its name (strings)
  std::vector<std::pair<std::string, std::string>> metadata;
  FindingCounts findings;
  uint64_t event_count = 0;

  UsedNames& of(Table table) { return names[static_cast<size_t>(table)]; }
};

}  // namespace tidemark::readers::trace
