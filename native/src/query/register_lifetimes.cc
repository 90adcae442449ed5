// The SQL face of the lifetimes (native/README.md, Lifetimes).
#include <cmath>

#include "query/lifetime_list.h"
#include "query/lifetime_raster.h"
#include "query/question.h"

namespace tidemark {
namespace {

Axis read_axis(SqlArguments& arguments) { return arguments.word<Axis>("axis", {{"event", Axis::event}, {"time", Axis::time}}); }

LifetimeOrder read_order(SqlArguments& arguments) {
  return arguments.word<LifetimeOrder>("order", {{"address", LifetimeOrder::address},
                                                 {"address_sqrt", LifetimeOrder::address_sqrt},
                                                 {"allocation", LifetimeOrder::allocation},
                                                 {"size", LifetimeOrder::size},
                                                 {"stack", LifetimeOrder::stack},
                                                 {"category", LifetimeOrder::category}});
}

// The lifetimes of the device, prepared for the axes, once the arguments were read; nullptr when the error is answered already.
const LifetimeSpace* load_space(const Question& q, const LifetimeAxes& axes) {
  const Lifetimes* lifetimes = q.load(kAllocationsPart | kBlocksPart | (axes.axis == Axis::time ? kTimesPart : 0u));
  if (!lifetimes) return nullptr;
  Failure error = check_axis(*lifetimes->columns, axes.axis);
  if (!error.failed()) error = LifetimeSpace::check(*lifetimes->columns);
  LifetimeSpace* space = nullptr;
  if (!error.failed()) {
    space = &q.context.lifetime_space(*lifetimes);
    if (axes.order == LifetimeOrder::category) space->set_categories(q.context.shared_categories(*lifetimes->columns, error));
  }
  if (!error.failed()) {
    error = space->prepare(axes, q.context.stop_signal());
  }
  if (!error.failed()) return space;
  answer_error(q.sql, error);
  return nullptr;
}

// The space of a view that passes its check, with the filter read into it; nullptr when the error is answered already.
const LifetimeSpace* load_view(const Question& q, const std::string& filter, LifetimeView& view) {
  const LifetimeSpace* space = load_space(q, view.axes);
  if (!space) return nullptr;
  Failure error = check_view(space->device(), view);
  if (!error.failed()) error = q.read_filter(filter, space->device(), view.filter);
  if (!error.failed()) return space;
  answer_error(q.sql, error);
  return nullptr;
}

// The arguments axis, x0, x1, order, y0, y1.
LifetimeView read_rectangle(SqlArguments& arguments) {
  LifetimeView view;
  view.axes.axis = read_axis(arguments);
  view.x0 = arguments.real("x0");
  view.x1 = arguments.real("x1");
  view.axes.order = read_order(arguments);
  view.y0 = arguments.real("y0");
  view.y1 = arguments.real("y1");
  return view;
}

void answer_space(const Question& q) {
  const LifetimeOrder order = read_order(q.arguments);
  const LifetimeSpace* space = load_space(q, {Axis::event, order});
  if (space) answer_text(q.sql, to_json(order, space->places(order)));
}

void answer_raster(const Question& q) {
  LifetimeRasterRequest request;
  const AxisRange range = read_range(q.arguments);
  request.rows = q.arguments.integer("rows");
  request.columns = range.columns;
  request.view.axes = {range.axis, read_order(q.arguments)};
  request.view.x0 = range.x0;
  request.view.x1 = range.x1;
  request.view.y0 = q.arguments.real("y0");
  request.view.y1 = q.arguments.real("y1");
  request.measure = q.arguments.word<LifetimeMeasure>("measure", {{"bytes", LifetimeMeasure::bytes},
                                                                  {"allocated", LifetimeMeasure::allocated},
                                                                  {"freed", LifetimeMeasure::freed},
                                                                  {"area", LifetimeMeasure::area},
                                                                  {"age", LifetimeMeasure::age}});
  request.scale = q.arguments.word<LevelScale>(
      "scale", {{"linear", LevelScale::linear}, {"sqrt", LevelScale::sqrt}, {"log", LevelScale::log}});
  const std::string filter = q.arguments.text("filter");
  const LifetimeSpace* space = load_view(q, filter, request.view);
  if (!space) return;
  Failure error = check_lifetime_raster(space->device(), request);
  if (error.failed()) return answer_error(q.sql, error);

  constexpr uint32_t kColumns = 3;
  BatchWriter batch(kColumns, request.cells() + static_cast<size_t>(request.columns) * sizeof(double) + 256);
  uint8_t* cells = batch.add_u8("cells", request.cells());
  if (!cells) return sqlite3_result_error_nomem(q.sql);
  LifetimeRasterSummary summary;
  error = paint_lifetimes(*space, request, q.context.stop_signal(), q.context.lifetime_scratch(), cells, summary);
  if (error.failed()) return answer_error(q.sql, error);
  batch.add_f64("column_total", summary.column_total);
  batch.add_json("meta", to_json(summary));
  answer_batch(q.sql, batch);
}

void add_bars(BatchWriter& batch, const DeviceColumns& device, const uint8_t* categories, const std::vector<LifetimeBar>& bars) {
  const auto add = [&](const char* name, auto&& value_of) {
    std::vector<double> values;
    for (const LifetimeBar& bar : bars) values.push_back(static_cast<double>(value_of(bar)));
    batch.add_f64(name, values);
  };
  const auto known = [](double x) { return std::isfinite(x) ? x : std::numeric_limits<double>::quiet_NaN(); };
  add("allocation", [&](const LifetimeBar& bar) { return device.first_allocation_id + static_cast<int64_t>(bar.allocation); });
  add("start", [&](const LifetimeBar& bar) { return known(bar.start); });
  add("free_requested", [&](const LifetimeBar& bar) { return known(bar.free_requested); });
  add("free_completed", [&](const LifetimeBar& bar) { return known(bar.free_completed); });
  add("y0", [](const LifetimeBar& bar) { return bar.y0; });
  add("y1", [](const LifetimeBar& bar) { return bar.y1; });
  add("bytes", [&](const LifetimeBar& bar) { return device.size[bar.allocation]; });
  const ColorBy color_by = categories ? ColorBy::category : ColorBy::stack;
  add("slot", [&](const LifetimeBar& bar) { return fixed_slot(device, color_by, categories, bar.allocation); });
  add("stack", [&](const LifetimeBar& bar) { return device.stack.at(bar.allocation); });
}

void answer_bars(const Question& q) {
  LifetimeView view = read_rectangle(q.arguments);
  const std::string filter = q.arguments.text("filter");
  const int64_t limit = q.arguments.integer("limit");
  ColorBy color_by = ColorBy::stack;
  if (q.arguments.more()) color_by = q.arguments.word<ColorBy>("color_by", {{"stack", ColorBy::stack}, {"category", ColorBy::category}});
  const LifetimeSpace* space = load_view(q, filter, view);
  if (!space) return;
  if (limit < 1 || limit > kMostBars) return answer_error(q.sql, bad_argument("limit must be 1 to 5000."));
  const uint8_t* categories = nullptr;
  Failure error = q.read_colors(color_by, space->device(), categories);
  if (error.failed()) return answer_error(q.sql, error);
  LifetimeBars bars;
  error = lifetime_bars(*space, view, static_cast<size_t>(limit), q.context.stop_signal(), bars);
  if (error.failed()) return answer_error(q.sql, error);
  constexpr uint32_t kColumns = 10;
  BatchWriter batch(kColumns, (kColumns - 1) * sizeof(double) * bars.bars.size() + 64);
  add_bars(batch, space->device(), categories, bars.bars);
  const bool has_bars = bars.bars.size() == bars.count;
  batch.add_json("meta", "{\"count\":" + std::to_string(bars.count) + ",\"bars\":" + (has_bars ? "1}" : "0}"));
  answer_batch(q.sql, batch);
}

void answer_list(const Question& q) {
  LifetimeView view = read_rectangle(q.arguments);
  const std::string filter = q.arguments.text("filter");
  const LifetimeSort sort = q.arguments.word<LifetimeSort>(
      "sort", {{"area", LifetimeSort::area}, {"size", LifetimeSort::size}, {"life", LifetimeSort::life}});
  const int64_t limit = q.arguments.integer("limit");
  const int64_t offset = q.arguments.integer("offset");
  const LifetimeSpace* space = load_view(q, filter, view);
  if (!space) return;
  if (limit < 1 || limit > kMostListed) return answer_error(q.sql, bad_argument("limit must be 1 to 10000."));
  if (offset < 0) return answer_error(q.sql, bad_argument("offset must not be negative."));
  LifetimeList list;
  const Failure error = lifetime_list(*space, view, sort, static_cast<size_t>(limit), static_cast<size_t>(offset),
                                      q.context.stop_signal(), list);
  if (error.failed()) return answer_error(q.sql, error);
  answer_text(q.sql, to_json(space->device(), list));
}

void answer_pick(const Question& q) {
  LifetimeAxes axes;
  axes.axis = read_axis(q.arguments);
  axes.order = read_order(q.arguments);
  const double x = q.arguments.real("x");
  const double y = q.arguments.real("y");
  const std::string text = q.arguments.text("filter");
  const LifetimeSpace* space = load_space(q, axes);
  if (!space) return;
  AllocationFilter filter;
  int64_t allocation = -1;
  Failure error = q.read_filter(text, space->device(), filter);
  if (!error.failed()) error = lifetime_pick(*space, axes, x, y, filter, q.context.stop_signal(), allocation);
  if (error.failed()) return answer_error(q.sql, error);
  if (allocation >= 0) sqlite3_result_int64(q.sql, space->device().first_allocation_id + allocation);
}

void answer_place(const Question& q) {
  LifetimeAxes axes;
  axes.axis = read_axis(q.arguments);
  axes.order = read_order(q.arguments);
  const int64_t id = q.arguments.integer("allocation_id");
  const LifetimeSpace* space = load_space(q, axes);
  if (!space) return;
  size_t allocation = 0;
  const Failure error = find_allocation(space->device(), id, allocation);
  if (error.failed()) return answer_error(q.sql, error);
  answer_text(q.sql, to_json(LifetimeScan(*space, axes).bar(allocation)));
}

}  // namespace

QueryFunctions lifetime_functions() {
  return {
      {"lifetime_space", 2, run<answer_space>}, {"lifetime_raster", 12, run<answer_raster>},
      {"lifetime_bars", 9, run<answer_bars>},   {"lifetime_bars", 10, run<answer_bars>},
      {"lifetime_list", 11, run<answer_list>},
      {"lifetime_pick", 6, run<answer_pick>},   {"lifetime_place", 4, run<answer_place>},
  };
}

}  // namespace tidemark
