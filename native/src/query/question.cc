#include "query/question.h"

#include <cstdlib>
#include <new>

namespace tidemark {

const Lifetimes* Question::load(unsigned wanted) const {
  if (arguments.error().failed()) {
    answer_error(sql, arguments.error());
    return nullptr;
  }
  std::string error;
  const Lifetimes* lifetimes = context.device(device, wanted, error);
  if (!lifetimes) answer_error(sql, error);
  return lifetimes;
}

Failure Question::read_filter(const std::string& json, const DeviceColumns& columns, AllocationFilter& out) const {
  Failure failure = tidemark::read_filter(sqlite3_context_db_handle(sql), json, columns.stack_slot.size(), out);
  if (failure.failed()) return failure;
  std::string error;
  if ((out.parts() & ~columns.parts) != 0 && !context.device(columns.device, out.parts(), error)) {
    if (context.stop_signal()()) return query_cancelled();
    return {"index/not_an_index", "The columns that the filter reads are damaged."};
  }
  if (out.categories == 0) return {};
  const Categories* categories = context.categories(columns, failure);
  out.category_of = categories ? categories->category.data() : nullptr;
  return failure;
}

Failure Question::read_colors(std::optional<ColorBy> color_by, const DeviceColumns& columns, const uint8_t*& slots) const {
  slots = nullptr;
  if (color_by != ColorBy::category) return {};
  Failure failure;
  const Categories* categories = context.categories(columns, failure);
  if (categories) slots = categories->category.data();
  return failure;
}

void answer_error(sqlite3_context* sql, const std::string& text) {
  sqlite3_result_error(sql, text.data(), static_cast<int>(text.size()));
}

void answer_error(sqlite3_context* sql, const Failure& error) { answer_error(sql, error_text(error.code, error.message)); }

void answer_text(sqlite3_context* sql, const std::string& text) {
  sqlite3_result_text(sql, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
}

void answer_batch(sqlite3_context* sql, BatchWriter& batch) {
  size_t size = 0;
  uint8_t* data = batch.release(size);
  if (!data) return sqlite3_result_error_nomem(sql);
  sqlite3_result_blob64(sql, data, size, std::free);
}

AxisRange read_range(SqlArguments& arguments) {
  AxisRange range;
  range.axis = arguments.word<Axis>("axis", {{"event", Axis::event}, {"time", Axis::time}});
  range.x0 = arguments.real("x0");
  range.x1 = arguments.real("x1");
  range.columns = arguments.integer("columns");
  return range;
}

Failure check_event(const DeviceColumns& device, int64_t event) {
  if (event >= kBefore && event < static_cast<int64_t>(device.event_count)) return {};
  const std::string last = std::to_string(static_cast<int64_t>(device.event_count) - 1);
  return bad_argument("event must be -1 (before the first) to " + last + ".");
}

Failure find_allocation(const DeviceColumns& device, int64_t allocation_id, size_t& index) {
  const int64_t first = device.first_allocation_id;
  if (allocation_id < first || allocation_id - first >= static_cast<int64_t>(device.allocation_count)) {
    return bad_argument("This device has no such allocation_id.");
  }
  index = static_cast<size_t>(allocation_id - first);
  return {};
}

unsigned axis_parts(const AxisRange& range) { return kAllocatedPart | (range.axis == Axis::time ? kTimesPart : 0u); }

std::vector<double> as_numbers(const std::vector<int64_t>& values) { return {values.begin(), values.end()}; }

void run_query(void (*answer)(const Question&), sqlite3_context* sql, int count, sqlite3_value** values) {
  try {
    QueryContext& context = **static_cast<std::shared_ptr<QueryContext>*>(sqlite3_user_data(sql));
    SqlArguments arguments(values, count);
    const int64_t device = arguments.integer("device");
    if (arguments.error().failed()) return answer_error(sql, arguments.error());
    answer({sql, context, device, arguments});
  } catch (const std::bad_alloc&) {
    sqlite3_result_error_nomem(sql);
  } catch (const std::exception& failure) {
    answer_error(sql, error_text("engine/internal", failure.what()));
  }
}

}  // namespace tidemark
