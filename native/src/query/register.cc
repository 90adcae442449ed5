#include "query/register.h"

#include <cmath>
#include <new>

#include "query/block_tables.h"
#include "query/category_table.h"
#include "query/curve_batch.h"
#include "query/flame_table.h"
#include "query/json.h"
#include "query/question.h"
#include "query/same_stack.h"
#include "query/stack_totals.h"
#include "query/timeline_curves.h"
#include "query/timeline_outline.h"

namespace tidemark {
namespace {

constexpr int64_t kMostStacks = 10000;

void answer_curves(const Question& q) {
  const AxisRange range = read_range(q.arguments);
  const Lifetimes* lifetimes = q.load(kAllocatedPart | kCurvesPart | kTimesPart);
  if (!lifetimes) return;
  Failure error = check_range(*lifetimes->columns, range);
  TimelineCurves curves;
  if (!error.failed()) error = timeline_curves(*lifetimes->columns, range, q.context.stop_signal(), curves);
  if (error.failed()) return answer_error(q.sql, error);
  answer_curve_columns(q.sql, curves, kProgramCurves);
}

void add_labels(BatchWriter& batch, const DeviceColumns& device, const std::vector<Label>& labels) {
  const auto add = [&](const char* name, auto&& value_of) {
    std::vector<double> values;
    for (const Label& label : labels) values.push_back(static_cast<double>(value_of(label)));
    batch.add_f64(name, values);
  };
  add("label_allocation", [&](const Label& label) { return device.first_allocation_id + label.allocation; });
  add("label_column0", [](const Label& label) { return label.column0; });
  add("label_column1", [](const Label& label) { return label.column1; });
  add("label_y0", [](const Label& label) { return label.bottom; });
  add("label_bytes", [&](const Label& label) { return device.size[label.allocation]; });
  add("label_stack", [&](const Label& label) { return device.stack.at(label.allocation); });
}

void answer_raster(const Question& q) {
  RasterRequest request;
  request.range = read_range(q.arguments);
  request.rows = q.arguments.integer("rows");
  request.y0 = q.arguments.real("y0");
  request.y1 = q.arguments.real("y1");
  request.color_by = q.arguments.word<ColorBy>("color_by", {{"stack", ColorBy::stack},
                                                          {"size", ColorBy::size},
                                                          {"age", ColorBy::age},
                                                          {"stream", ColorBy::stream},
                                                          {"pool", ColorBy::pool},
                                                          {"category", ColorBy::category}});
  const std::string filter = q.arguments.more() ? q.arguments.text("filter") : std::string();
  const unsigned ages = request.color_by == ColorBy::age ? kTimesPart : 0u;
  const Lifetimes* lifetimes = q.load(axis_parts(request.range) | kAllocationsPart | ages);
  if (!lifetimes) return;
  Failure error = check_raster(*lifetimes->columns, request);
  if (!error.failed()) error = q.read_filter(filter, *lifetimes->columns, request.filter);
  if (!error.failed()) error = q.read_colors(request.color_by, *lifetimes->columns, request.categories);
  if (error.failed()) return answer_error(q.sql, error);

  constexpr uint32_t kColumns = 8;
  constexpr size_t kBesideCells = 6 * kMostLabels * sizeof(double) + 256;
  BatchWriter batch(kColumns, request.cells() + kBesideCells);
  uint8_t* cells = batch.add_u8("cells", request.cells());
  if (!cells) return sqlite3_result_error_nomem(q.sql);
  RasterSummary summary;
  error = paint_raster(*lifetimes, request, q.context.stop_signal(), q.context.raster_scratch(), cells, summary);
  if (error.failed()) return answer_error(q.sql, error);
  add_labels(batch, *lifetimes->columns, summary.labels);
  JsonObject meta;
  meta.number("shown", summary.shown).number("folded", summary.folded).number("folded_bytes", summary.folded_bytes);
  batch.add_json("meta", meta.take());
  answer_batch(q.sql, batch);
}

void answer_outline(const Question& q) {
  const AxisRange range = read_range(q.arguments);
  const int64_t id = q.arguments.integer("allocation_id");
  const Lifetimes* lifetimes = q.load(axis_parts(range) | kAllocationsPart);
  if (!lifetimes) return;
  Failure error = check_range(*lifetimes->columns, range);
  size_t allocation = 0;
  if (!error.failed()) error = find_allocation(*lifetimes->columns, id, allocation);
  if (error.failed()) return answer_error(q.sql, error);

  const TimelineOutline outline = timeline_outline(*lifetimes, range, allocation);
  BatchWriter batch(2, 2 * sizeof(double) * outline.y0.size());
  batch.add_f64("y0", outline.y0);
  batch.add_f64("rep_event", as_numbers(outline.rep_event));
  answer_batch(q.sql, batch);
}

void answer_pick(const Question& q) {
  const int64_t event = q.arguments.integer("event");
  const double bytes = q.arguments.real("bytes");
  const Lifetimes* lifetimes = q.load(kAllocationsPart);
  if (!lifetimes) return;
  const Failure error = check_event(*lifetimes->columns, event);
  if (error.failed()) return answer_error(q.sql, error);
  const int64_t index = timeline_pick(*lifetimes, event, bytes);
  if (index >= 0) sqlite3_result_int64(q.sql, lifetimes->columns->first_allocation_id + index);
}

void answer_range_stats(const Question& q) {
  const int64_t from = q.arguments.integer("from_event");
  const int64_t to = q.arguments.integer("to_event");
  const Lifetimes* lifetimes = q.load(kEveryPart);
  if (!lifetimes) return;
  if (from < 0 || from >= to || to > static_cast<int64_t>(lifetimes->columns->event_count)) {
    return answer_error(q.sql, bad_argument("from_event and to_event must satisfy 0 ≤ from_event < to_event ≤ event count."));
  }
  const CurveIntegrals* integrals = q.context.integrals(*lifetimes);
  if (!integrals) return answer_error(q.sql, query_cancelled());
  RangeStats stats;
  const Failure error = range_stats(*lifetimes, *integrals, from, to, q.context.stop_signal(), stats);
  if (error.failed()) return answer_error(q.sql, error);
  answer_text(q.sql, to_json(*lifetimes->columns, stats));
}

void answer_top_stacks(const Question& q) {
  const int64_t event = q.arguments.integer("event");
  const int64_t limit = q.arguments.integer("limit");
  const Lifetimes* lifetimes = q.load(kAllocationsPart);
  if (!lifetimes) return;
  Failure error = check_event(*lifetimes->columns, event);
  if (!error.failed() && (limit < 1 || limit > kMostStacks)) error = bad_argument("limit must be 1 to 10000.");
  if (error.failed()) return answer_error(q.sql, error);
  answer_text(q.sql, to_json(top_stacks(*lifetimes, event, static_cast<size_t>(limit))));
}

void answer_same_stack(const Question& q) {
  const int64_t stack_id = q.arguments.integer("stack_id");
  const Lifetimes* lifetimes = q.load(kAllocationsPart | kTimesPart);
  if (!lifetimes) return;
  SameStack answer;
  const Failure error = same_stack(*lifetimes->columns, stack_id, q.context.stop_signal(), answer);
  if (error.failed()) return answer_error(q.sql, error);
  answer_text(q.sql, to_json(answer));
}

void answer_event_at_time(const Question& q) {
  const double time = q.arguments.real("time_ns");
  const Lifetimes* lifetimes = q.load(kTimesPart);
  if (!lifetimes) return;
  const DeviceColumns& device = *lifetimes->columns;
  if (!device.has_times && device.event_count > 0) return answer_error(q.sql, bad_argument("This device has no times."));
  constexpr double kLatest = 9.0e18;  // inside int64
  const double within = std::floor(std::clamp(time, -kLatest, kLatest));
  sqlite3_result_int64(q.sql, event_at_time(device, static_cast<int64_t>(within)));
}

using SharedContext = std::shared_ptr<QueryContext>;

void release_share(void* share) { delete static_cast<SharedContext*>(share); }

}  // namespace

QueryFunctions timeline_functions() {
  return {
      {"timeline_curves", 5, run<answer_curves>},      {"timeline_raster", 9, run<answer_raster>},
      {"timeline_raster", 10, run<answer_raster>},     {"timeline_outline", 6, run<answer_outline>},
      {"timeline_pick", 3, run<answer_pick>},          {"range_stats", 3, run<answer_range_stats>},
      {"top_stacks", 3, run<answer_top_stacks>},       {"same_stack", 2, run<answer_same_stack>},
      {"event_at_time", 2, run<answer_event_at_time>},
  };
}

int register_queries(sqlite3* db, ConnectionState* state) {
  try {
    const SharedContext context = std::make_shared<QueryContext>(state);
    for (const QueryFunctions& functions :
         {timeline_functions(), lifetime_functions(), block_functions(), trace_functions(), trace_memory_functions(),
          join_functions(), flame_functions(), simulate_functions(), allocation_functions(), category_functions()}) {
      for (const QueryFunction& function : functions) {
        // Every function holds its share, so the context goes with the last of them when the connection closes. SQLite
        // calls release_share also when it refuses the function.
        const int result =
            sqlite3_create_function_v2(db, function.name, function.arguments, SQLITE_UTF8 | SQLITE_DIRECTONLY,
                                       new SharedContext(context), function.run, nullptr, nullptr, release_share);
        if (result != SQLITE_OK) return result;
      }
    }
    for (const auto& register_tables : {register_block_maps, register_flame_table, register_category_table}) {
      const int result = register_tables(db, context);
      if (result != SQLITE_OK) return result;
    }
    return SQLITE_OK;
  } catch (const std::bad_alloc&) {
    return SQLITE_NOMEM;
  }
}

}  // namespace tidemark
