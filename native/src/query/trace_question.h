// One call of an SQL function about a trace, and the shape that all of them share (register_traces.cc).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "query/question.h"
#include "query/trace_filter.h"
#include "query/trace_index.h"
#include "query/trace_sight.h"

namespace tidemark {

struct TraceQuestion {
  sqlite3_context* sql;
  QueryContext& context;
  TraceState& trace;
  SqlArguments& arguments;

  // Once the arguments were read: whether they are good and the directory of the trace is there. The error is answered already if not.
  bool ready() const;

  // The next arguments t0 and t1, then columns. check_time_range() still has to look at them.
  TimeRange read_range() const;
};

// Ids of an argument: JSON array of ids below `count`, at most `most`; '' = all of them. `query/bad_argument` with the argument's name.
Failure read_known_ids(const char* name, const std::string& json, size_t count, size_t most, bool empty_is_all, std::vector<int64_t>& out);

// Whether a track, lane, slice, … of this id is there. `query/bad_argument` where it is not.
Failure check_id(const char* name, int64_t id, size_t count);

void run_trace_query(void (*answer)(const TraceQuestion&), sqlite3_context* sql, int count, sqlite3_value** values);

template <void (*kAnswer)(const TraceQuestion&)>
void run_trace(sqlite3_context* sql, int count, sqlite3_value** values) {
  run_trace_query(kAnswer, sql, count, values);
}

}  // namespace tidemark
