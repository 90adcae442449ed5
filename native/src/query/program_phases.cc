#include "query/program_phases.h"

#include <algorithm>
#include <optional>

#include "query/glob.h"
#include "query/repeating_stack.h"
#include "store/sql.h"

namespace tidemark {
namespace {

constexpr uint8_t kProgram = static_cast<uint8_t>(Phase::program);

bool matches_any(const std::vector<std::string>& patterns, std::string_view name) {
  return std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) { return matches_glob(pattern, name); });
}

std::optional<uint8_t> phase_of(const CategoryRules& rules, std::string_view name) {
  for (const PhaseRule& rule : rules.phases) {
    if (matches_any(rule.annotations, name)) return static_cast<uint8_t>(rule.phase);
  }
  return {};
}

// The first event at or after a time; the event count where there is none.
int64_t event_from(const DeviceColumns& device, int64_t time_ns) {
  size_t low = 0, high = device.event_count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (device.time_ns.at(middle) < time_ns) low = middle + 1;
    else high = middle;
  }
  return static_cast<int64_t>(low);
}

}  // namespace

Failure ProgramPhases::read_annotations(sqlite3* db, const DeviceColumns& device, const CategoryRules& rules) {
  struct Open {
    int64_t end;
    uint8_t phase;
  };
  std::vector<Open> open;  // the innermost last
  const auto close_until = [&](int64_t event) {
    while (!open.empty() && open.back().end <= event) {
      const int64_t end = open.back().end;
      open.pop_back();
      marks_.push_back({end, open.empty() ? kProgram : open.back().phase});
    }
  };
  Statement rows(db, "SELECT name, start_ns, end_ns FROM annotation WHERE device = ?1 AND start_ns NOTNULL ORDER BY start_ns, end_ns DESC");
  rows.bind(1, int64_t{device.device});
  int result = rows.step();
  for (; result == SQLITE_ROW; result = rows.step()) {
    const int64_t start = event_from(device, rows.integer(1));
    if (matches_any(rules.steps, rows.text(0)) && (steps_.empty() || steps_.back() < start)) steps_.push_back(start);
    const std::optional<uint8_t> phase = phase_of(rules, rows.text(0));
    if (!phase) continue;
    close_until(start);
    int64_t end = rows.is_null(2) ? kNever : event_from(device, rows.integer(2));
    // One that outlasts what encloses it is of another thread: it ends with that.
    if (!open.empty()) end = std::min(end, open.back().end);
    open.push_back({end, *phase});
    marks_.push_back({start, *phase});
  }
  close_until(kNever - 1);
  return read_failure(result, "the annotations");
}

void ProgramPhases::begin(int64_t event, uint8_t phase) {
  if (stretches_.back().start == event) {
    stretches_.back().phase = phase;
    if (stretches_.size() > 1 && stretches_[stretches_.size() - 2].phase == phase) stretches_.pop_back();
  } else if (stretches_.back().phase != phase) {
    stretches_.push_back({event, phase});
  }
}

Failure ProgramPhases::find(sqlite3* db, const DeviceColumns& device, const CategoryRules& rules, const StackClasses& stacks,
                            const StopSignal& stop) {
  stretches_.assign(1, {0, kProgram});
  marks_.clear();
  steps_.clear();
  if (device.has_times) {
    const Failure failure = read_annotations(db, device, rules);
    if (failure.failed()) return failure;
  }
  RepeatingStack repeating(stacks.item_count());
  size_t mark = 0;
  uint8_t annotated = kProgram;
  for (size_t i = 0; i < device.alloc_event.size(); ++i) {
    if (i % (1 << 16) == 0 && stop()) return query_cancelled();
    const int64_t made = device.alloc_event[i];
    if (made == kBefore) continue;
    for (; mark < marks_.size() && marks_[mark].event <= made; ++mark) {
      annotated = marks_[mark].phase;
      begin(marks_[mark].event, annotated);
    }
    const size_t item = static_cast<size_t>(device.stack.at(i) + 1);
    const uint8_t told = stacks.phase(item);
    begin(made, told == StackClasses::kNoPhase ? annotated : told);
    if (stacks.has_python(item)) repeating.add(item, made);
  }
  for (; mark < marks_.size(); ++mark) begin(marks_[mark].event, marks_[mark].phase);
  if (steps_.empty()) find_optimizer_steps();
  if (steps_.empty()) steps_ = repeating.times(device);
  return {};
}

// The optimizer may be left and entered again within a step; what is between two steps is a backward pass.
void ProgramPhases::find_optimizer_steps() {
  bool is_due = true;
  for (const Stretch& stretch : stretches_) {
    const auto phase = static_cast<Phase>(stretch.phase);
    if (phase == Phase::optimizer && is_due) steps_.push_back(stretch.start);
    if (phase != Phase::program) is_due = phase == Phase::backward;
  }
}

size_t ProgramPhases::stretch_at(int64_t event) const {
  const auto after = std::upper_bound(stretches_.begin(), stretches_.end(), event,
                                      [](int64_t wanted, const Stretch& stretch) { return wanted < stretch.start; });
  return static_cast<size_t>(after - stretches_.begin()) - (after == stretches_.begin() ? 0 : 1);
}

}  // namespace tidemark
