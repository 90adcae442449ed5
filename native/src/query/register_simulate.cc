// The SQL face of the simulator (native/README.md, What if).
#include "query/question.h"
#include "query/what_if.h"
#include "store/settings.h"

namespace tidemark {
namespace {

Failure own_settings(sqlite3* db, SimulatorSettings& out) {
  const Failure error = stored_rules(db, out.rules);
  return error.failed() ? error : stored_gc_threshold(db, out.gc_threshold);
}

void answer_what_if(const Question& q) {
  const std::string text = q.arguments.text("settings");
  std::optional<uint64_t> given;
  if (!q.arguments.skip_null()) {
    const int64_t bytes = q.arguments.integer("capacity");
    if (bytes < 1 && !q.arguments.error().failed()) return answer_error(q.sql, bad_argument("capacity must be at least 1."));
    given = static_cast<uint64_t>(bytes);
  }
  if (q.arguments.error().failed()) return answer_error(q.sql, q.arguments.error());
  std::string problem;
  const auto start = q.context.layout(q.device, -1, kAllocatedPart, problem);
  if (!start) return answer_error(q.sql, problem);
  const size_t events = start->columns().event_count;
  if (events == 0) return answer_error(q.sql, bad_argument("The device has no history: there is nothing to run again."));
  const auto end = q.context.layout(q.device, static_cast<int64_t>(events) - 1, kAllocatedPart, problem);
  if (!end) return answer_error(q.sql, problem);
  sqlite3* db = q.context.state().db();
  const StopSignal stop = q.context.stop_signal();
  SimulatorSettings own;
  Recording recording;
  WhatIf answer;
  Failure error = own_settings(db, own);
  SimulatorSettings settings = own;
  if (!error.failed()) error = apply_settings(text, settings);
  if (!error.failed()) error = read_recording(db, *start, *end, stop, recording);
  if (!error.failed()) error = what_if(recording, own, settings, given, stop, answer);
  if (error.failed()) return answer_error(q.sql, error);
  answer_text(q.sql, to_json(answer));
}

}  // namespace

QueryFunctions simulate_functions() { return {{"what_if", 3, run<answer_what_if>}}; }

}  // namespace tidemark
