// The SQL functions of traces: arguments in, batch or JSON out (native/TRACES.md).
#include <algorithm>
#include <cstdint>
#include <cstring>

#include "model/bits.h"
#include "query/json.h"
#include "query/slice_links.h"
#include "query/trace_curves.h"
#include "query/trace_names.h"
#include "query/trace_next.h"
#include "query/trace_places.h"
#include "query/trace_question.h"
#include "query/trace_raster.h"
#include "query/trace_selection.h"
#include "store/index_writer.h"
#include "store/trace_columns.h"
#include "store/trace_source.h"

namespace tidemark {
namespace {

constexpr size_t kMostTracks = 100000;
constexpr int64_t kMostGroups = 10000;
constexpr size_t kMostStacked = 64;

std::string meta_json(const TraceRasterSummary& summary, TraceIndex& index) {
  std::vector<int64_t> ids;
  for (const TraceBox& box : summary.boxes) {
    if (box.name >= 0) ids.push_back(box.name);
  }
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  JsonObject names;
  for (const int64_t id : ids) names.json(std::to_string(id).c_str(), index.quoted_name(id));
  JsonObject meta;
  meta.json("names", names.take()).number("in_sight", summary.in_sight).number("boxes_left_out", summary.boxes_left_out);
  return meta.take();
}

// What is known of a box beside its place, in the order of the boxes.
struct BoxFacts {
  std::vector<double> categories, unfinished;
};

BoxFacts facts_of(TraceReader& reader, const std::vector<TraceBox>& boxes) {
  BoxFacts facts;
  TraceColumn& category = reader.column("slice", "category");
  TraceColumn& flags = reader.column("slice", "flags");
  for (const TraceBox& box : boxes) {
    facts.categories.push_back(static_cast<double>(reader.at(category, static_cast<size_t>(box.slice))));
    facts.unfinished.push_back((reader.at(flags, static_cast<size_t>(box.slice)) & kUnfinishedFlag) != 0 ? 1 : 0);
  }
  return facts;
}

void add_boxes(BatchWriter& batch, const std::vector<TraceBox>& boxes, const BoxFacts& facts) {
  const auto add = [&](const char* name, auto&& value_of) {
    std::vector<double> values;
    values.reserve(boxes.size());
    for (const TraceBox& box : boxes) values.push_back(static_cast<double>(value_of(box)));
    batch.add_f64(name, values);
  };
  add("box_lane", [](const TraceBox& box) { return box.lane; });
  add("box_start", [](const TraceBox& box) { return box.start; });
  add("box_dur", [](const TraceBox& box) { return box.duration; });
  add("box_slice", [](const TraceBox& box) { return box.slice; });
  add("box_name", [](const TraceBox& box) { return box.name; });
  add("box_slot", [](const TraceBox& box) { return box.slot; });
  batch.add_f64("box_category", facts.categories);
  batch.add_f64("box_unfinished", facts.unfinished);
}

void answer_raster(const TraceQuestion& q) {
  TraceRasterRequest request;
  const std::string lanes = q.arguments.text("lanes");
  request.range = q.read_range();
  request.color_by = q.arguments.word<TraceColor>("color_by", {{"name", TraceColor::name}, {"category", TraceColor::category}});
  const std::string filter = q.arguments.text("filter");
  if (!q.ready()) return;
  TraceIndex& index = q.trace.index;
  Failure error = check_time_range(request.range);
  if (!error.failed()) error = read_known_ids("lanes", lanes, index.lanes().size(), kMostRasterLanes, false, request.lanes);
  if (!error.failed()) error = request.filter.read(index, filter);
  if (error.failed()) return answer_error(q.sql, error);

  constexpr uint32_t kColumns = 11;
  constexpr size_t kBesideCells = 64 << 10;
  BatchWriter batch(kColumns, 2 * request.cells() + kBesideCells);
  uint8_t* cells = batch.add_u8("cells", request.cells());
  if (!cells) return sqlite3_result_error_nomem(q.sql);
  std::vector<uint8_t> fill(request.cells());
  TraceReader reader(index.columns());
  TraceRasterSummary summary;
  error = paint_trace(reader, index, request, q.trace.passing, q.context.stop_signal(), cells, fill.data(), summary);
  const BoxFacts facts = facts_of(reader, summary.boxes);
  if (!error.failed()) error = reader.failure();
  if (error.failed()) return answer_error(q.sql, error);
  uint8_t* stored_fill = batch.add_u8("fill", fill.size());
  if (stored_fill && !fill.empty()) std::memcpy(stored_fill, fill.data(), fill.size());
  add_boxes(batch, summary.boxes, facts);
  batch.add_json("meta", meta_json(summary, index));
  answer_batch(q.sql, batch);
}

void answer_slice(const TraceQuestion& q, int64_t slice, const Failure& error) {
  if (error.failed()) answer_error(q.sql, error);
  else if (slice >= 0) sqlite3_result_int64(q.sql, slice);
}

void answer_pick(const TraceQuestion& q) {
  const int64_t lane = q.arguments.integer("lane_id");
  const double time = q.arguments.real("time_ns");
  const double tolerance = q.arguments.real("tolerance_ns");
  if (!q.ready()) return;
  Failure error = check_id("lane_id", lane, q.trace.index.lanes().size());
  if (!error.failed() && tolerance < 0) error = bad_argument("tolerance_ns must not be negative.");
  if (error.failed()) return answer_error(q.sql, error);
  TraceReader reader(q.trace.index.columns());
  const int64_t slice = pick_slice(reader, q.trace.index.lanes()[static_cast<size_t>(lane)], time, tolerance);
  answer_slice(q, slice, reader.failure());
}

void answer_slice_at(const TraceQuestion& q) {
  const int64_t track = q.arguments.integer("track_id");
  const double time = q.arguments.real("time_ns");
  const std::string kind = q.arguments.text("kind");
  if (!q.ready()) return;
  const TraceIndex& index = q.trace.index;
  const Failure error = check_id("track_id", track, index.tracks().size());
  if (error.failed()) return answer_error(q.sql, error);
  TraceReader reader(q.trace.index.columns());
  const StopSignal stop = q.context.stop_signal();
  const int64_t slice = innermost_slice_at(reader, index, index.tracks()[static_cast<size_t>(track)], time, kind, stop);
  answer_slice(q, slice, stop() ? query_cancelled() : reader.failure());
}

void answer_names(const TraceQuestion& q) {
  const std::string text = q.arguments.text("text");
  const int64_t limit = q.arguments.integer("limit");
  if (!q.ready()) return;
  if (limit < 0 || limit > kMostNames) return answer_error(q.sql, bad_argument("limit must be 0 to 10000."));
  std::string answer;
  const Failure error = trace_names(q.trace.index, text, static_cast<size_t>(limit), q.context.stop_signal(), answer);
  if (error.failed()) return answer_error(q.sql, error);
  answer_text(q.sql, answer);
}

// The lanes of tracks, or all.
std::vector<int64_t> lanes_of(const TraceIndex& index, const std::vector<int64_t>& tracks) {
  std::vector<int64_t> lanes;
  for (const int64_t id : tracks) {
    const TraceTrack& track = index.tracks()[static_cast<size_t>(id)];
    for (int64_t i = 0; i < track.lane_count; ++i) lanes.push_back(track.first_lane + i);
  }
  return lanes;
}

Failure read_tracks(const TraceIndex& index, const std::string& json, std::vector<int64_t>& tracks) {
  const Failure error = read_known_ids("tracks", json, index.tracks().size(), kMostTracks, true, tracks);
  std::sort(tracks.begin(), tracks.end());
  tracks.erase(std::unique(tracks.begin(), tracks.end()), tracks.end());
  return error;
}

void answer_next(const TraceQuestion& q) {
  const std::string names = q.arguments.text("names");
  const std::string tracks = q.arguments.text("tracks");
  NextSliceRequest request;
  request.time = q.arguments.real("time_ns");
  request.slice = q.arguments.integer("slice_id");
  request.forward = q.arguments.integer("forward") != 0;
  if (!q.ready()) return;
  const TraceIndex& index = q.trace.index;
  std::vector<int64_t> ids;
  Failure error = read_tracks(index, tracks, ids);
  if (!error.failed() && !names.empty()) error = request.names.read_names(index, names);
  if (!error.failed() && request.slice < -1) error = bad_argument("slice_id must be -1 (none) or that of a slice.");
  if (error.failed()) return answer_error(q.sql, error);
  request.slice = std::min(request.slice, static_cast<int64_t>(index.slice_count()));
  request.lanes = lanes_of(index, ids);
  TraceReader reader(q.trace.index.columns());
  int64_t slice = -1;
  error = next_slice(reader, index, request, q.context.stop_signal(), slice);
  answer_slice(q, slice, error);
}

std::string group_text(TraceIndex& index, SelectionBy by, int64_t key) {
  if (by == SelectionBy::name) return index.quoted_name(key);
  std::string out;
  const auto at = static_cast<size_t>(key);
  if (key < 0) append_json_string(out, "");
  else append_json_string(out, by == SelectionBy::category ? index.categories()[at].name : index.tracks()[at].name);
  return out;
}

std::string group_json(TraceIndex& index, SelectionBy by, const SelectionGroup& group) {
  JsonObject row;
  row.json("key", std::to_string(group.key)).json("text", group_text(index, by, group.key)).number("count", group.count);
  row.json("total_ns", std::to_string(group.total)).json("self_ns", std::to_string(group.self()));
  row.json("min_ns", std::to_string(group.shortest)).json("max_ns", std::to_string(group.longest));
  return row.take();
}

bool is_larger(const SelectionGroup& a, const SelectionGroup& b) { return a.total != b.total ? a.total > b.total : a.key < b.key; }

std::string selection_json(TraceIndex& index, SelectionBy by, const SelectionSums& sums, size_t limit) {
  std::vector<SelectionGroup> groups = sums.groups();
  uint64_t count = 0;
  int64_t total = 0;
  for (const SelectionGroup& group : groups) {
    count += group.count;
    total = saturating_add(total, group.total);
  }
  std::sort(groups.begin(), groups.end(), is_larger);
  JsonObject answer;
  answer.number("count", count).json("total_ns", std::to_string(total)).number("groups", groups.size());
  groups.resize(std::min(limit, groups.size()));
  const auto to_json = [&](const SelectionGroup& group) { return group_json(index, by, group); };
  return answer.json("rows", json_array(groups, to_json)).take();
}

size_t key_count(const TraceIndex& index, SelectionBy by) {
  if (by == SelectionBy::name) return index.name_count();
  return by == SelectionBy::category ? index.categories().size() : index.tracks().size();
}

void answer_selection(const TraceQuestion& q) {
  const std::string tracks = q.arguments.text("tracks");
  const double t0 = q.arguments.real("t0");
  const double t1 = q.arguments.real("t1");
  SelectionRequest request;
  request.by = q.arguments.word<SelectionBy>("by", {{"name", SelectionBy::name}, {"category", SelectionBy::category}, {"track", SelectionBy::track}});
  const int64_t limit = q.arguments.integer("limit");
  if (!q.ready()) return;
  TraceIndex& index = q.trace.index;
  Failure error = read_tracks(index, tracks, request.tracks);
  if (!error.failed() && !(t0 < t1)) error = bad_argument("t0 must be less than t1.");
  if (!error.failed() && (limit < 0 || limit > kMostGroups)) error = bad_argument("limit must be 0 to 10000.");
  if (error.failed()) return answer_error(q.sql, error);
  // A track that is named twice counts once.
  std::sort(request.tracks.begin(), request.tracks.end());
  request.tracks.erase(std::unique(request.tracks.begin(), request.tracks.end()), request.tracks.end());
  // Sums are of whole nanoseconds.
  const int64_t from = whole_ns(t0);
  const int64_t to = std::max(whole_ns(t1), from + 1);
  request.t0 = static_cast<double>(from);
  request.t1 = static_cast<double>(to);
  SelectionSums sums(request.by, key_count(index, request.by), from, to);
  TraceReader reader(index.columns());
  error = sum_selection(reader, index, request, q.context.stop_signal(), sums);
  if (error.failed()) return answer_error(q.sql, error);
  answer_text(q.sql, selection_json(index, request.by, sums, static_cast<size_t>(limit)));
}

void answer_links(const TraceQuestion& q) {
  const int64_t slice = q.arguments.integer("slice_id");
  if (!q.ready()) return;
  Failure error = check_id("slice_id", slice, q.trace.index.slice_count());
  if (error.failed()) return answer_error(q.sql, error);
  TraceReader reader(q.trace.index.columns());
  std::string answer;
  error = slice_links(reader, q.trace.index, static_cast<size_t>(slice), answer);
  if (error.failed()) return answer_error(q.sql, error);
  answer_text(q.sql, answer);
}

void answer_counter(const TraceQuestion& q) {
  const int64_t series = q.arguments.integer("series_id");
  const TimeRange range = q.read_range();
  if (!q.ready()) return;
  Failure error = check_id("series_id", series, q.trace.index.series().size());
  if (!error.failed()) error = check_time_range(range);
  CounterCurve curve;
  TraceReader reader(q.trace.index.columns());
  if (!error.failed()) {
    error = counter_curve(reader, q.trace.index.series()[static_cast<size_t>(series)], range, q.context.stop_signal(), curve);
  }
  if (error.failed()) return answer_error(q.sql, error);
  BatchWriter batch(3, 3 * sizeof(double) * curve.min.size());
  batch.add_f64("min", curve.min);
  batch.add_f64("max", curve.max);
  batch.add_f64("last", curve.last);
  answer_batch(q.sql, batch);
}

void answer_counter_stack(const TraceQuestion& q) {
  const std::string text = q.arguments.text("series");
  const TimeRange range = q.read_range();
  if (!q.ready()) return;
  const std::vector<CounterSeries>& known = q.trace.index.series();
  std::vector<int64_t> ids;
  Failure error = read_known_ids("series", text, known.size(), kMostStacked, false, ids);
  if (!error.failed()) error = check_time_range(range);
  std::vector<CounterSeries> series;
  if (!error.failed()) {
    for (const int64_t id : ids) series.push_back(known[static_cast<size_t>(id)]);
  }
  const auto differs = [&](const CounterSeries& each) { return each.samples.count != series[0].samples.count; };
  if (!error.failed() && (series.empty() || std::any_of(series.begin(), series.end(), differs)))
    error = {"query/bad_argument", "series must be counters with samples at the same times, at least one.", -1};
  std::vector<double> values;
  TraceReader reader(q.trace.index.columns());
  if (!error.failed()) error = counter_stack(reader, series, range, q.context.stop_signal(), values);
  if (error.failed()) return answer_error(q.sql, error);
  BatchWriter batch(1, sizeof(double) * values.size());
  batch.add_f64("value", values);
  answer_batch(q.sql, batch);
}

void answer_marks(const TraceQuestion& q) {
  const int64_t track = q.arguments.integer("track_id");
  const TimeRange range = q.read_range();
  if (!q.ready()) return;
  Failure error = check_id("track_id", track, q.trace.index.tracks().size());
  if (!error.failed()) error = check_time_range(range);
  InstantMarks marks;
  TraceReader reader(q.trace.index.columns());
  if (!error.failed()) {
    error = instant_marks(reader, q.trace.index.tracks()[static_cast<size_t>(track)], range, q.context.stop_signal(), marks);
  }
  if (error.failed()) return answer_error(q.sql, error);
  BatchWriter batch(2, 2 * sizeof(double) * marks.count.size());
  batch.add_f64("count", marks.count);
  batch.add_f64("first", marks.first);
  answer_batch(q.sql, batch);
}

void answer_source_text(const TraceQuestion& q) {
  const std::string path = q.arguments.text("path");
  const int64_t offset = q.arguments.integer("offset");
  const int64_t length = q.arguments.integer("length");
  if (q.arguments.error().failed()) return answer_error(q.sql, q.arguments.error());
  if (offset < 0 || length < 1 || length > kLongestEventText) {
    return answer_error(q.sql, bad_argument("offset must not be negative, length 1 to 67108864."));
  }
  sqlite3* db = q.trace.index.db();
  std::string text;
  Failure error = check_source(db, path);
  if (!error.failed()) error = stored_source_text(db, path, static_cast<uint64_t>(offset), static_cast<uint64_t>(length), text);
  if (error.failed()) return answer_error(q.sql, error);
  answer_text(q.sql, clean_text(text));
}

// From now on the column `args` reads this file; with NULL none. Answers whether there is a source.
void answer_source(const TraceQuestion& q) {
  ConnectionState& state = q.context.state();
  sqlite3* db = state.db();
  if (q.arguments.skip_null()) {
    state.set_event_text({});
    return sqlite3_result_int(q.sql, 0);
  }
  const std::string path = q.arguments.text("path");
  Failure error = q.arguments.error();
  if (!error.failed()) error = check_source(db, path);
  if (error.failed()) return answer_error(q.sql, error);
  state.set_event_text([db, path](uint64_t offset, uint32_t length, std::string& text) {
    if (stored_source_text(db, path, offset, length, text).failed()) return false;
    text = clean_text(text);
    return true;
  });
  sqlite3_result_int(q.sql, 1);
}

}  // namespace

QueryFunctions trace_functions() {
  return {
      {"trace_raster", 6, run_trace<answer_raster>},     {"trace_pick", 3, run_trace<answer_pick>},
      {"trace_names", 2, run_trace<answer_names>},       {"trace_next", 5, run_trace<answer_next>},
      {"trace_selection", 5, run_trace<answer_selection>}, {"slice_links", 1, run_trace<answer_links>},
      {"slice_at", 3, run_trace<answer_slice_at>},       {"counter_curve", 4, run_trace<answer_counter>},
      {"counter_stack", 4, run_trace<answer_counter_stack>},
      {"instant_marks", 4, run_trace<answer_marks>},     {"source_text", 3, run_trace<answer_source_text>},
      {"trace_source", 1, run_trace<answer_source>},
  };
}

}  // namespace tidemark
