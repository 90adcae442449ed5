// The SQL face of the layout of memory at an event (native/README.md, Space).
#include <algorithm>
#include <cstdlib>
#include <map>

#include "query/block_answers.h"
#include "query/block_raster.h"
#include "query/curve_batch.h"
#include "query/json.h"
#include "query/question.h"
#include "query/space_curve_columns.h"
#include "store/settings.h"
#include "store/sql.h"

namespace tidemark {
namespace {

constexpr size_t kMostSegments = 5000;  // of one answer

using SharedLayout = std::shared_ptr<const BlockLayout>;

SegmentOrder read_order(SqlArguments& arguments) {
  return arguments.word<SegmentOrder>("order", {{"address", SegmentOrder::address},
                                                {"size", SegmentOrder::size},
                                                {"occupancy", SegmentOrder::occupancy},
                                                {"pool", SegmentOrder::pool}});
}

// The layout after `event`, once the arguments were read; nullptr when the error is answered already.
SharedLayout load_layout(const Question& q, int64_t event, unsigned further_parts = 0) {
  if (q.arguments.error().failed()) {
    answer_error(q.sql, q.arguments.error());
    return nullptr;
  }
  std::string error;
  SharedLayout layout = q.context.layout(q.device, event, further_parts, error);
  if (!layout) answer_error(q.sql, error);
  return layout;
}

template <class Items, class Value>
void add_column(BatchWriter& batch, const char* name, const Items& items, Value value_of) {
  std::vector<double> values;
  values.reserve(items.size());
  for (const auto& item : items) values.push_back(static_cast<double>(value_of(item)));
  batch.add_f64(name, values);
}

void answer_segments(const Question& q) {
  const int64_t event = q.arguments.integer("event");
  const SegmentOrder order = read_order(q.arguments);
  const SharedLayout layout = load_layout(q, event);
  if (!layout) return;
  std::vector<uint32_t> places = layout->order(order);
  const size_t left_out = places.size() - std::min(places.size(), kMostSegments);
  places.resize(places.size() - left_out);
  constexpr uint32_t kColumns = 16;
  BatchWriter batch(kColumns, places.size() * (kColumns * sizeof(double) + 20));
  const auto add = [&](const char* name, auto value_of) {
    add_column(batch, name, places, [&](uint32_t place) { return value_of(layout->segments[place]); });
  };
  add("total", [](const LayoutSegment& s) { return s.totals.reserved; });
  add("allocated", [](const LayoutSegment& s) { return s.totals.allocated; });
  add("active", [](const LayoutSegment& s) { return s.totals.active; });
  add("requested", [](const LayoutSegment& s) { return s.totals.requested; });
  add("free", [](const LayoutSegment& s) { return s.totals.free; });
  add("largest_free", [](const LayoutSegment& s) { return s.totals.largest_free; });
  add("largest_free_offset",
      [](const LayoutSegment& s) { return s.totals.free == 0 ? -1.0 : static_cast<double>(s.largest_free_offset); });
  add("returnable", [](const LayoutSegment& s) { return s.totals.returnable; });
  add("blocks", [](const LayoutSegment& s) { return s.totals.blocks; });
  add("free_blocks", [](const LayoutSegment& s) { return s.totals.free_blocks; });
  add("stream", [](const LayoutSegment& s) { return s.stream; });
  add("pool", [](const LayoutSegment& s) { return s.pool; });
  add("is_small", [](const LayoutSegment& s) { return s.is_small; });
  add("is_expandable", [](const LayoutSegment& s) { return s.is_expandable; });
  const auto quoted = [&](uint32_t place) { return '"' + hex_address(layout->segments[place].address) + '"'; };
  batch.add_json("addresses", json_array(places, quoted));
  batch.add_json("meta", JsonObject().number("segments", layout->segments.size()).number("left_out", left_out).take());
  answer_batch(q.sql, batch);
}

void add_lines(BatchWriter& batch, const std::vector<BlockLine>& lines) {
  add_column(batch, "line_segment", lines, [](const BlockLine& line) { return line.segment; });
  add_column(batch, "line_offset", lines, [](const BlockLine& line) { return line.offset; });
  add_column(batch, "line_bytes", lines, [](const BlockLine& line) { return line.bytes; });
}

void add_boxes(BatchWriter& batch, const DeviceColumns& columns, const std::vector<BlockBox>& boxes) {
  add_column(batch, "box_line", boxes, [](const BlockBox& box) { return box.line; });
  add_column(batch, "box_offset", boxes, [](const BlockBox& box) { return box.offset; });
  add_column(batch, "box_bytes", boxes, [](const BlockBox& box) { return box.bytes; });
  add_column(batch, "box_requested", boxes, [](const BlockBox& box) { return box.requested; });
  add_column(batch, "box_state", boxes, [](const BlockBox& box) { return box.state; });
  add_column(batch, "box_slot", boxes, [](const BlockBox& box) { return box.slot; });
  const auto id_of = [&](int64_t allocation) { return allocation < 0 ? -1 : columns.first_allocation_id + allocation; };
  const auto stack_of = [&](int64_t allocation) { return allocation < 0 ? -1 : columns.stack.at(static_cast<size_t>(allocation)); };
  add_column(batch, "box_allocation", boxes, [&](const BlockBox& box) { return id_of(box.allocation); });
  add_column(batch, "box_stack", boxes, [&](const BlockBox& box) { return stack_of(box.allocation); });
}

std::string meta_json(const BlockRasterSummary& summary) {
  JsonObject meta;
  meta.number("lines", summary.all_lines).number("blocks", summary.blocks);
  return meta.number("boxes", summary.blocks <= kMostBoxes).number("longest", summary.longest).take();
}

BlockRasterRequest read_raster(SqlArguments& arguments) {
  BlockRasterRequest request;
  request.order = read_order(arguments);
  request.line_bytes = arguments.integer("line_bytes");
  request.x0 = arguments.real("x0");
  request.x1 = arguments.real("x1");
  request.columns = arguments.integer("columns");
  request.line0 = arguments.integer("line0");
  request.lines = arguments.integer("lines");
  request.color_by = arguments.word<std::optional<ColorBy>>("color_by", {{"state", std::nullopt},
                                                                         {"stack", ColorBy::stack},
                                                                         {"size", ColorBy::size},
                                                                         {"age", ColorBy::age},
                                                                         {"stream", ColorBy::stream},
                                                                         {"pool", ColorBy::pool},
                                                                         {"category", ColorBy::category}});
  return request;
}

void answer_raster(const Question& q) {
  const int64_t event = q.arguments.integer("event");
  BlockRasterRequest request = read_raster(q.arguments);
  const std::string filter = q.arguments.text("filter");
  const SharedLayout layout = load_layout(q, event, request.color_by == ColorBy::age ? kTimesPart : 0u);
  if (!layout) return;
  Failure error = check_block_raster(request);
  if (!error.failed()) error = q.read_filter(filter, layout->columns(), request.filter);
  if (!error.failed()) error = q.read_colors(request.color_by, layout->columns(), request.categories);
  if (error.failed()) return answer_error(q.sql, error);
  constexpr uint32_t kColumns = 13;
  BatchWriter batch(kColumns, request.cells() + 3 * sizeof(double) * static_cast<size_t>(request.lines) + 256);
  uint8_t* cells = batch.add_u8("cells", request.cells());
  if (!cells) return sqlite3_result_error_nomem(q.sql);
  BlockRasterSummary summary;
  error = paint_blocks(*layout, request, q.context.stop_signal(), cells, summary);
  if (error.failed()) return answer_error(q.sql, error);
  add_lines(batch, summary.lines);
  add_boxes(batch, layout->columns(), summary.boxes);
  batch.add_json("meta", meta_json(summary));
  answer_batch(q.sql, batch);
}

// A `0x…` text.
Failure read_address(const std::string& text, uint64_t& out) {
  const bool is_hex = text.size() > 2 && text.size() <= 18 && text.compare(0, 2, "0x") == 0 &&
                      text.find_first_not_of("0123456789abcdefABCDEF", 2) == std::string::npos;
  if (!is_hex) return bad_argument("address must be a text like 0x7f5000000000.");
  out = std::strtoull(text.c_str() + 2, nullptr, 16);
  return {};
}

void answer_block_at(const Question& q) {
  const int64_t event = q.arguments.integer("event");
  const std::string text = q.arguments.text("address");
  const SharedLayout layout = load_layout(q, event);
  if (!layout) return;
  uint64_t address = 0;
  const Failure error = read_address(text, address);
  if (error.failed()) return answer_error(q.sql, error);
  const auto at = block_at(*layout, address);
  if (at) answer_text(q.sql, to_json(*layout, *at));
}

void answer_report(const Question& q) {
  const int64_t event = q.arguments.integer("event");
  const SharedLayout layout = load_layout(q, event);
  if (!layout) return;
  SpaceReport report;
  const Failure error = space_report(*layout, q.context.stop_signal(), report);
  if (error.failed()) return answer_error(q.sql, error);
  answer_text(q.sql, to_json(*layout, report, q.context.state().names()));
}

// The first column of the first row of a statement with these arguments; −1 without a row or a value. Errors as read_failure().
template <class... Values>
Failure look_up(sqlite3* db, const char* sql, int64_t& out, const Values&... values) {
  Statement row(db, sql);
  int at = 0;
  (row.bind(++at, values), ...);
  const int result = row.step();
  out = result == SQLITE_ROW && !row.is_null(0) ? row.integer(0) : -1;
  return read_failure(result, sql);
}

// The stream of a request that names none: handle 0 where the device has memory of it, else the one with most reserved bytes.
int32_t usual_stream(const BlockLayout& layout, RelationNames& names) {
  std::map<int32_t, uint64_t> reserved;
  for (const LayoutSegment& segment : layout.segments) reserved[segment.stream] += segment.totals.reserved;
  int32_t best = 0;
  uint64_t most = 0;
  for (const auto& [stream, bytes] : reserved) {
    if (names.stream(stream) == 0) return stream;
    if (bytes <= most) continue;
    best = stream;
    most = bytes;
  }
  return best;
}

// The arguments stream and pool, either of which may be NULL.
struct FitPlace {
  std::optional<int64_t> stream;  // raw handle
  std::optional<std::string> pool;

  explicit FitPlace(SqlArguments& arguments) {
    if (!arguments.skip_null()) stream = arguments.integer("stream");
    if (!arguments.skip_null()) pool = arguments.text("pool");
  }

  Failure find(sqlite3* db, const BlockLayout& layout, RelationNames& names, FitRequest& out) const {
    int64_t at_stream = stream ? -1 : usual_stream(layout, names);
    int64_t at_pool = -1;
    Failure error;
    if (stream) error = look_up(db, "SELECT stream_index FROM stream WHERE handle = ?", at_stream, *stream);
    if (!error.failed()) error = look_up(db, "SELECT pool_index FROM pool WHERE name = ?", at_pool, pool.value_or("(0,0)"));
    if (error.failed()) return error;
    if (at_stream < 0) return bad_argument("The capture has no such stream.");
    if (at_pool < 0) return bad_argument("The capture has no such pool.");
    out.stream = static_cast<int32_t>(at_stream);
    out.pool = static_cast<int32_t>(at_pool);
    return {};
  }
};

// Bytes that the device reported as free at an `oom` event; −1 at others.
Failure device_free_bytes(sqlite3* db, int64_t device, int64_t event, int64_t& out) {
  return look_up(db, "SELECT device_free_bytes FROM oom WHERE device = ? AND event = ?", out, device, event);
}

void answer_would_fit(const Question& q) {
  const int64_t event = q.arguments.integer("event");
  const int64_t size = q.arguments.integer("size_bytes");
  const FitPlace place(q.arguments);
  const SharedLayout layout = load_layout(q, event);
  if (!layout) return;
  sqlite3* db = q.context.state().db();
  RelationNames& names = q.context.state().names();
  FitRequest request;
  Failure error;
  if (size < 1) error = bad_argument("size_bytes must be at least 1.");
  AllocatorRules rules;
  int64_t device_free = -1;
  if (!error.failed()) error = place.find(db, *layout, names, request);
  if (!error.failed()) error = stored_rules(db, rules);
  if (!error.failed()) error = device_free_bytes(db, q.device, event, device_free);
  if (error.failed()) return answer_error(q.sql, error);
  request.bytes = static_cast<uint64_t>(size);
  answer_text(q.sql, to_json(*layout, request, would_fit(*layout, rules, request), device_free, names));
}

void answer_curves(const Question& q) {
  const AxisRange range = read_range(q.arguments);
  const Lifetimes* lifetimes = q.load(kSpaceCurveParts);
  if (!lifetimes) return;
  Failure error = check_range(*lifetimes->columns, range);
  SpaceCurveColumns curves;
  if (!error.failed()) error = space_curve_columns(*lifetimes->columns, range, q.context.stop_signal(), curves);
  if (error.failed()) return answer_error(q.sql, error);
  answer_curve_columns(q.sql, curves, kSpaceCurves);
}

}  // namespace

QueryFunctions block_functions() {
  return {
      {"space_curves", 5, run<answer_curves>},    {"block_segments", 3, run<answer_segments>},
      {"block_raster", 11, run<answer_raster>},   {"block_at", 3, run<answer_block_at>},
      {"would_fit", 5, run<answer_would_fit>},    {"space_report", 2, run<answer_report>},
  };
}

}  // namespace tidemark
