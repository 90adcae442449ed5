#include "query/trace_question.h"

#include <algorithm>
#include <new>
#include <numeric>

#include "query/json_ids.h"

namespace tidemark {

bool TraceQuestion::ready() const {
  if (arguments.error().failed()) return answer_error(sql, arguments.error()), false;
  const Failure failure = trace.index.load();
  if (failure.failed()) answer_error(sql, failure);
  return !failure.failed();
}

TimeRange TraceQuestion::read_range() const {
  TimeRange range;
  range.t0 = arguments.real("t0");
  range.t1 = arguments.real("t1");
  range.columns = arguments.integer("columns");
  return range;
}

Failure read_known_ids(const char* name, const std::string& json, size_t count, size_t most, bool empty_is_all, std::vector<int64_t>& out) {
  if (json.empty() && empty_is_all) {
    out.resize(count);
    std::iota(out.begin(), out.end(), int64_t{0});
    return {};
  }
  const bool fits = read_ids(json, most, out) &&
                    std::all_of(out.begin(), out.end(), [&](int64_t id) { return id < static_cast<int64_t>(count); });
  if (fits) return {};
  return bad_argument(std::string(name) + " must be a JSON array of at most " + std::to_string(most) + " ids of this capture.");
}

Failure check_id(const char* name, int64_t id, size_t count) {
  if (id >= 0 && id < static_cast<int64_t>(count)) return {};
  return bad_argument("This capture has no such " + std::string(name) + ".");
}

void run_trace_query(void (*answer)(const TraceQuestion&), sqlite3_context* sql, int count, sqlite3_value** values) {
  try {
    QueryContext& context = **static_cast<std::shared_ptr<QueryContext>*>(sqlite3_user_data(sql));
    SqlArguments arguments(values, count);
    answer({sql, context, context.trace(), arguments});
  } catch (const std::bad_alloc&) {
    sqlite3_result_error_nomem(sql);
  } catch (const std::exception& failure) {
    answer_error(sql, error_text("engine/internal", failure.what()));
  }
}

}  // namespace tidemark
