// What the questions about a trace know of it: its directory (tracks, lanes, levels, names), read once a connection, and its columns.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "query/query_error.h"
#include "query/trace_runs.h"
#include "store/sqlite_api.h"

namespace tidemark {

// Rows [first, first + count) of a packed relation.
struct RowStretch {
  size_t first = 0;
  size_t count = 0;
  size_t end() const { return first + count; }
};

struct LaneLevel {
  uint32_t level = 0;  // k: slices shorter than 2^k ns that begin in the same 2^k ns are joined
  RowStretch rows;        // of slice_level
};
struct TraceLane {
  int64_t track = 0;
  uint32_t depth = 0;
  RowStretch slices;
  std::vector<LaneLevel> levels;  // finest first
};
struct TraceTrack {
  int64_t first_lane = 0;
  int64_t lane_count = 0;
  RowStretch instants;
  std::string name;
};
struct CounterSeries {
  RowStretch samples;
};
struct TraceCategory {
  std::string name;
  std::string kind;  // cpu_op, runtime, … (trace_category.kind)
  uint8_t slot = 1;
};

inline constexpr uint8_t kNoNameSlot = 24;   // of slices without a name
inline constexpr uint8_t kLeftOutName = 63;  // what a filter leaves out

// The whole text of a string; "" for one that the index does not have.
std::string name_text(sqlite3* db, int64_t string_id);

class TraceIndex {
 public:
  explicit TraceIndex(sqlite3* db) : db_(db), columns_(db) {}
  TraceIndex(const TraceIndex&) = delete;
  TraceIndex& operator=(const TraceIndex&) = delete;

  // Reads the directory unless that was done. `index/not_an_index` where it is damaged: spans beyond their relation, ids with gaps.
  Failure load();

  sqlite3* db() const { return db_; }
  TraceColumns& columns() { return columns_; }

  // By id. Empty in the index of a snapshot.
  const std::vector<TraceLane>& lanes() const { return lanes_; }
  const std::vector<TraceTrack>& tracks() const { return tracks_; }
  const std::vector<CounterSeries>& series() const { return series_; }
  const std::vector<TraceCategory>& categories() const { return categories_; }
  size_t slice_count() const { return slice_count_; }
  size_t name_count() const { return name_slots_.size(); }

  uint8_t name_slot(int64_t string_id) const {
    return string_id >= 0 && string_id < static_cast<int64_t>(name_slots_.size()) ? name_slots_[static_cast<size_t>(string_id)] : kNoNameSlot;
  }
  uint8_t category_slot(int64_t category) const {
    return category >= 0 && category < static_cast<int64_t>(categories_.size()) ? categories_[static_cast<size_t>(category)].slot : 1;
  }
  // The lane that holds a slice; slice_id < slice_count().
  const TraceLane& lane_of(size_t slice_id) const;

  // The text of a string, cut to at most 300 characters, as a JSON string; `""` for −1. Kept while few are asked for.
  const std::string& quoted_name(int64_t string_id);

 private:
  Failure load_sizes();
  Failure load_tracks();
  Failure load_lanes();
  Failure load_levels();
  Failure load_series();
  Failure load_names();

  sqlite3* db_;
  TraceColumns columns_;
  bool is_loaded_ = false;
  size_t slice_count_ = 0, level_rows_ = 0, instant_count_ = 0, sample_count_ = 0;
  std::vector<TraceTrack> tracks_;
  std::vector<TraceLane> lanes_;
  std::vector<CounterSeries> series_;
  std::vector<TraceCategory> categories_;
  std::vector<uint8_t> name_slots_;  // by string_id
  std::unordered_map<int64_t, std::string> quoted_;
};

}  // namespace tidemark
