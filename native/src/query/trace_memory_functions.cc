// The SQL face of what ops and steps of a trace did with memory (native/TRACES.md).
#include "query/json.h"
#include "query/question.h"
#include "query/trace_memory_ops.h"
#include "query/trace_memory_steps.h"
#include "store/relation_names.h"
#include "store/sql.h"

namespace tidemark {
namespace {

constexpr int64_t kMostOps = 10000;
constexpr int64_t kMostSteps = 10000;

// A failed allocation tells of bytes that nobody got.
Failure read_events(sqlite3* db, const DeviceColumns& device, MemoryEvents& out) {
  std::vector<int64_t> action;
  Failure failure = read_packed(db, "event", device.device, "bytes", out.bytes);
  if (!failure.failed()) failure = read_packed(db, "event", device.device, "slice", out.slice);
  if (!failure.failed()) failure = read_packed(db, "event", device.device, "action", action);
  if (failure.failed()) return failure;
  if (out.bytes.size() != device.event_count || out.slice.size() != device.event_count || action.size() != device.event_count) {
    return read_failure(SQLITE_CORRUPT, "the columns of event");
  }
  for (size_t i = 0; i < action.size(); ++i) {
    if (action[i] == static_cast<int64_t>(Action::oom)) out.bytes[i] = 0;
  }
  return {};
}

std::string signed_json(int64_t value) { return std::to_string(value); }

std::string to_json(sqlite3* db, const OpMemories& ops, size_t limit) {
  const size_t shown = std::min(ops.rows.size(), limit);
  const std::vector<OpMemory> rows(ops.rows.begin(), ops.rows.begin() + static_cast<std::ptrdiff_t>(shown));
  const auto row_json = [&](const OpMemory& row) {
    JsonObject out;
    out.text("op", name_text(db, row.name)).number("calls", row.calls).number("allocations", row.allocations);
    out.json("self_bytes", signed_json(row.self_bytes)).json("total_bytes", signed_json(row.total_bytes));
    out.json("freed_inside_bytes", signed_json(row.freed_inside_bytes)).json("kept_bytes", signed_json(row.kept_bytes));
    return out.json("largest_bytes", signed_json(row.largest_bytes)).take();
  };
  JsonObject out;
  out.number("groups", ops.rows.size()).json("outside_bytes", signed_json(ops.outside_bytes));
  return out.json("rows", json_array(rows, row_json)).take();
}

void answer_op_memory(const Question& q) {
  const int64_t from = q.arguments.integer("from_event");
  const int64_t to = q.arguments.integer("to_event");
  const int64_t limit = q.arguments.integer("limit");
  const Lifetimes* lifetimes = q.load(kAllocationsPart);
  if (!lifetimes) return;
  const DeviceColumns& device = *lifetimes->columns;
  if (limit < 1 || limit > kMostOps) return answer_error(q.sql, bad_argument("limit must be 1 to 10000."));
  if (from < 0 || from >= to || to > static_cast<int64_t>(device.event_count)) {
    return answer_error(q.sql, bad_argument("from_event and to_event must satisfy 0 ≤ from_event < to_event ≤ event count."));
  }
  sqlite3* db = q.context.state().db();
  OpMemories ops;
  if (device.is_of_trace) {
    Failure failure;
    const SliceTree* tree = q.context.slice_tree(failure);
    MemoryEvents events;
    if (tree) failure = read_events(db, device, events);
    if (!failure.failed()) {
      failure = op_memory(*tree, events, device, static_cast<size_t>(from), static_cast<size_t>(to), q.context.stop_signal(), ops);
    }
    if (failure.failed()) return answer_error(q.sql, failure);
  }
  answer_text(q.sql, to_json(db, ops, static_cast<size_t>(limit)));
}

// ProfilerStep#N; where there are none, the annotations whose name occurs more than once.
Failure read_steps(sqlite3* db, int32_t device, std::vector<TraceStep>& out) {
  Statement rows(db,
                 "WITH span AS (SELECT name, start_ns, end_ns, kind FROM main.annotation"
                 "   WHERE device = ?1 AND kind IS NOT NULL AND start_ns IS NOT NULL AND end_ns >= start_ns) "
                 "SELECT name, start_ns, end_ns FROM span "
                 "WHERE CASE WHEN EXISTS (SELECT 1 FROM span WHERE kind = 'step') THEN kind = 'step'"
                 "   ELSE name IN (SELECT name FROM span GROUP BY name HAVING count(*) > 1) END "
                 "ORDER BY start_ns, end_ns DESC, name LIMIT ?2");
  rows.bind(1, int64_t{device});
  rows.bind(2, kMostSteps);
  int result;
  while ((result = rows.step()) == SQLITE_ROW) {
    TraceStep step;
    step.name = std::string(rows.text(0));
    step.start_ns = rows.integer(1);
    step.end_ns = rows.integer(2);
    out.push_back(std::move(step));
  }
  return read_failure(result, "relation annotation");
}

std::string to_json(const TraceStep& step) {
  JsonObject out;
  out.text("name", step.name).json("start_ns", signed_json(step.start_ns)).json("end_ns", signed_json(step.end_ns));
  out.json("start_event", signed_json(step.start_event)).json("end_event", signed_json(step.end_event));
  out.json("peak_bytes", signed_json(step.peak_bytes)).json("allocated_bytes", signed_json(step.allocated_bytes));
  return out.json("freed_bytes", signed_json(step.freed_bytes)).json("growth_bytes", signed_json(step.growth_bytes)).take();
}

void answer_steps(const Question& q) {
  const Lifetimes* lifetimes = q.load(kTimesPart | kAllocatedPart);
  if (!lifetimes) return;
  std::vector<TraceStep> steps;
  Failure failure;
  if (lifetimes->columns->is_of_trace) failure = read_steps(q.context.state().db(), lifetimes->columns->device, steps);
  if (!failure.failed()) failure = measure_steps(*lifetimes->columns, q.context.stop_signal(), steps);
  if (failure.failed()) return answer_error(q.sql, failure);
  answer_text(q.sql, json_array(steps, [](const TraceStep& step) { return to_json(step); }));
}

}  // namespace

QueryFunctions trace_memory_functions() {
  return {{"op_memory", 4, run<answer_op_memory>}, {"trace_steps", 1, run<answer_steps>}};
}

}  // namespace tidemark
