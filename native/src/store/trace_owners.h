// Which track a row of a trace's packed relations belongs to: a lane's slices and a series' samples follow each other.
#pragma once

#include <string>
#include <vector>

#include "store/sqlite_api.h"

namespace tidemark {

// Rows [first_row, the next owner's first_row) of one lane or series.
struct RowOwner {
  int64_t first_row = 0;
  int64_t row_count = 0;
  int64_t track = 0;
  int64_t depth = 0;  // lanes only
  std::string name;   // series only
};

class TraceOwners {
 public:
  explicit TraceOwners(sqlite3* db) : db_(db) {}

  // The lane of a slice, the series of a sample; null when the index has none.
  const RowOwner* lane_of(int64_t slice);
  const RowOwner* series_of(int64_t sample);

  // Rows [from, to) of a track: all of its slices or samples. Empty when it has none.
  void slices_of_track(int64_t track, int64_t& from, int64_t& to);
  void samples_of_track(int64_t track, int64_t& from, int64_t& to);

 private:
  struct Owners {
    std::vector<RowOwner> rows;  // by first_row, hence by track
    bool loaded = false;
    size_t last = 0;             // found last: neighbors are asked for one after the other
  };
  void load(Owners& owners, const char* sql);
  void load_lanes();
  void load_series();
  static const RowOwner* owner_of(Owners& owners, int64_t row);
  static void rows_of_track(const Owners& owners, int64_t track, int64_t& from, int64_t& to);

  sqlite3* db_;
  Owners lanes_, series_;
};

}  // namespace tidemark
