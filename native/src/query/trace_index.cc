#include "query/trace_index.h"

#include <algorithm>

#include "model/text.h"
#include "store/sql.h"
#include "store/trace_columns.h"

namespace tidemark {
namespace {

constexpr size_t kMostNameCharacters = 300;
constexpr size_t kMostQuotedNames = 20000;
constexpr int64_t kMostSlot = 62;
// A byte is kept for each id up to the greatest: what a damaged index may claim stays small.
constexpr int64_t kMostStringId = int64_t{1} << 26;

Failure damaged(const char* what) { return read_failure(SQLITE_CORRUPT, what); }

// Calls take(row) for each row until that answers false: the relation is damaged then.
template <class Take>
Failure each_row(sqlite3* db, const char* sql, const char* what, Take take) {
  Statement rows(db, sql);
  int result;
  while ((result = rows.step()) == SQLITE_ROW) {
    if (!take(rows)) return damaged(what);
  }
  return read_failure(result, what);
}

// A span of a relation that has `size` rows.
bool read_span(int64_t first, int64_t count, size_t size, RowStretch& out) {
  const auto most = static_cast<int64_t>(size);
  if (first < 0 || count < 0 || count > most || first > most - count) return false;
  out = {static_cast<size_t>(first), static_cast<size_t>(count)};
  return true;
}

uint8_t checked_slot(int64_t slot) { return static_cast<uint8_t>(slot >= 1 && slot <= kMostSlot ? slot : kNoNameSlot); }

}  // namespace

Failure TraceIndex::load() {
  if (is_loaded_) return {};
  Failure failure = load_sizes();
  if (!failure.failed()) failure = load_tracks();
  if (!failure.failed()) failure = load_lanes();
  if (!failure.failed()) failure = load_levels();
  if (!failure.failed()) failure = load_series();
  if (!failure.failed()) failure = load_names();
  is_loaded_ = !failure.failed();
  return failure;
}

// Row counts are those of the stored columns, never a number that the index merely claims.
Failure TraceIndex::load_sizes() {
  TraceReader reader(columns_);
  slice_count_ = reader.column(kSliceRelation, "start").size();
  level_rows_ = reader.column(kSliceLevelRelation, "start").size();
  instant_count_ = reader.column(kInstantRelation, "time").size();
  sample_count_ = reader.column(kCounterRelation, "time").size();
  return reader.failure();
}

Failure TraceIndex::load_tracks() {
  tracks_.clear();
  size_t instants = 0;  // by track
  return each_row(db_, "SELECT track_id, first_lane, lane_count, instant_count, name FROM main.track ORDER BY track_id", "relation track",
                  [&](const Statement& row) {
                    TraceTrack track;
                    if (row.integer(0) != static_cast<int64_t>(tracks_.size())) return false;
                    if (!read_span(static_cast<int64_t>(instants), row.integer(3), instant_count_, track.instants)) return false;
                    track.first_lane = row.integer(1);
                    track.lane_count = row.integer(2);
                    track.name = row.text(4);
                    instants += track.instants.count;
                    tracks_.push_back(std::move(track));
                    return true;
                  });
}

Failure TraceIndex::load_lanes() {
  lanes_.clear();
  size_t slices = 0;  // lanes follow each other without a gap
  Failure failure = each_row(
      db_, "SELECT lane_id, track_id, depth, first_slice, slice_count FROM main.lane ORDER BY lane_id", "relation lane",
      [&](const Statement& row) {
        TraceLane lane;
        if (row.integer(0) != static_cast<int64_t>(lanes_.size()) || row.integer(3) != static_cast<int64_t>(slices)) return false;
        if (!read_span(row.integer(3), row.integer(4), slice_count_, lane.slices)) return false;
        lane.track = row.integer(1);
        lane.depth = static_cast<uint32_t>(row.integer(2));
        slices += lane.slices.count;
        lanes_.push_back(std::move(lane));
        return true;
      });
  if (failure.failed()) return failure;
  for (size_t track = 0; track < tracks_.size(); ++track) {
    RowStretch lanes;
    const int64_t first = tracks_[track].lane_count > 0 ? tracks_[track].first_lane : 0;
    if (!read_span(first, tracks_[track].lane_count, lanes_.size(), lanes)) return damaged("relation track");
    for (size_t lane = lanes.first; lane < lanes.end(); ++lane) {
      if (lanes_[lane].track != static_cast<int64_t>(track)) return damaged("relation lane");
    }
    if (lanes.count == 0) tracks_[track].first_lane = 0;
  }
  return {};
}

Failure TraceIndex::load_levels() {
  constexpr int64_t kMostLevel = 62;
  return each_row(db_, "SELECT lane_id, level, first_row, row_count FROM main.lane_level ORDER BY lane_id, level", "relation lane_level",
                  [&](const Statement& row) {
                    const int64_t lane = row.integer(0);
                    LaneLevel level;
                    if (lane < 0 || lane >= static_cast<int64_t>(lanes_.size())) return false;
                    if (row.integer(1) < 0 || row.integer(1) > kMostLevel) return false;
                    if (!read_span(row.integer(2), row.integer(3), level_rows_, level.rows)) return false;
                    level.level = static_cast<uint32_t>(row.integer(1));
                    lanes_[static_cast<size_t>(lane)].levels.push_back(level);
                    return true;
                  });
}

Failure TraceIndex::load_series() {
  series_.clear();
  return each_row(db_, "SELECT series_id, first_row, sample_count FROM main.counter_series ORDER BY series_id", "relation counter_series",
                  [&](const Statement& row) {
                    CounterSeries series;
                    if (row.integer(0) != static_cast<int64_t>(series_.size())) return false;
                    if (!read_span(row.integer(1), row.integer(2), sample_count_, series.samples)) return false;
                    series_.push_back(series);
                    return true;
                  });
}

Failure TraceIndex::load_names() {
  name_slots_.clear();
  Failure failure = each_row(db_, "SELECT string_id, slot FROM main.trace_name ORDER BY string_id", "relation trace_name", [&](const Statement& row) {
    const int64_t id = row.integer(0);
    if (id < 0 || id >= kMostStringId) return false;
    name_slots_.resize(static_cast<size_t>(id) + 1, kNoNameSlot);
    name_slots_.back() = checked_slot(row.integer(1));
    return true;
  });
  if (failure.failed()) return failure;
  categories_.clear();
  return each_row(db_, "SELECT category_id, coalesce(name, ''), kind, slot FROM main.trace_category ORDER BY category_id", "relation trace_category",
                  [&](const Statement& row) {
                    if (row.integer(0) != static_cast<int64_t>(categories_.size())) return false;
                    categories_.push_back({std::string(row.text(1)), std::string(row.text(2)), checked_slot(row.integer(3))});
                    return true;
                  });
}

const TraceLane& TraceIndex::lane_of(size_t slice_id) const {
  const auto behind = std::upper_bound(lanes_.begin(), lanes_.end(), slice_id,
                                       [](size_t slice, const TraceLane& lane) { return slice < lane.slices.end(); });
  return behind == lanes_.end() ? lanes_.back() : *behind;
}

std::string name_text(sqlite3* db, int64_t string_id) {
  if (string_id < 0) return {};
  Statement text(db, "SELECT text FROM main.string WHERE string_id = ?");
  text.bind(1, string_id);
  return text.step() == SQLITE_ROW ? std::string(text.text(0)) : std::string();
}

const std::string& TraceIndex::quoted_name(int64_t string_id) {
  if (quoted_.size() >= kMostQuotedNames) quoted_.clear();
  const auto [at, is_new] = quoted_.try_emplace(string_id);
  if (!is_new) return at->second;
  const std::string text = name_text(db_, string_id);
  size_t end = 0;
  for (size_t characters = 0; end < text.size() && characters < kMostNameCharacters; ++characters) {
    end += std::max<size_t>(utf8_length(std::string_view(text).substr(end)), 1);
  }
  append_json_string(at->second, std::string_view(text).substr(0, end));
  return at->second;
}

}  // namespace tidemark
