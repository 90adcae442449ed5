// One call of an SQL query function, and the shape that all of them share. The functions are declared in tables, one a subject
// (register.cc, register_blocks.cc, register_lifetimes.cc; those about traces, which have no device, in register_traces.cc).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "query/allocation_filter.h"
#include "query/axis_columns.h"
#include "query/batch.h"
#include "query/color_slot.h"
#include "query/lifetimes.h"
#include "query/query_context.h"
#include "query/sql_arguments.h"

namespace tidemark {

// The arguments but the first, the device, are read by the answer.
struct Question {
  sqlite3_context* sql;
  QueryContext& context;
  int64_t device;
  SqlArguments& arguments;

  // The device with the `wanted` parts, once the arguments were read; nullptr when the error is answered already.
  const Lifetimes* load(unsigned wanted) const;

  // The JSON of a filter argument, with the parts of the device that it reads loaded. `query/bad_argument` where it is none.
  Failure read_filter(const std::string& json, const DeviceColumns& columns, AllocationFilter& out) const;

  // The slots by allocation of `color_by` category, nullptr of every other; for as long as the answer is made.
  Failure read_colors(std::optional<ColorBy> color_by, const DeviceColumns& columns, const uint8_t*& slots) const;
};

// Ways to answer; each question gets exactly one answer, none at all is NULL.
void answer_error(sqlite3_context* sql, const std::string& text);
void answer_error(sqlite3_context* sql, const Failure& error);
void answer_text(sqlite3_context* sql, const std::string& text);
void answer_batch(sqlite3_context* sql, BatchWriter& batch);

// The next four arguments: axis, x0, x1, columns. check_range() still has to look at them.
AxisRange read_range(SqlArguments& arguments);
// `query/bad_argument` unless −1 ≤ event < event count.
Failure check_event(const DeviceColumns& device, int64_t event);
// The index of an allocation of the device. `query/bad_argument` where it has no such allocation_id.
Failure find_allocation(const DeviceColumns& device, int64_t allocation_id, size_t& index);
// The parts that resolving the columns of a view reads.
unsigned axis_parts(const AxisRange& range);
std::vector<double> as_numbers(const std::vector<int64_t>& values);

struct QueryFunction {
  const char* name;
  int arguments;
  void (*run)(sqlite3_context*, int, sqlite3_value**);
};
using QueryFunctions = std::vector<QueryFunction>;

// The tables that register_queries() registers.
QueryFunctions timeline_functions();
QueryFunctions lifetime_functions();
QueryFunctions block_functions();
QueryFunctions trace_functions();
QueryFunctions trace_memory_functions();
QueryFunctions join_functions();
QueryFunctions flame_functions();
QueryFunctions simulate_functions();
QueryFunctions allocation_functions();
QueryFunctions category_functions();

// What SQLite calls for a function that is answered by `answer`. Nothing may be thrown into SQLite, which is C.
void run_query(void (*answer)(const Question&), sqlite3_context* sql, int count, sqlite3_value** values);

template <void (*kAnswer)(const Question&)>
void run(sqlite3_context* sql, int count, sqlite3_value** values) {
  run_query(kAnswer, sql, count, values);
}

}  // namespace tidemark
