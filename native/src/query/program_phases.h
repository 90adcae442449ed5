// What the program was doing at each event, and where its steps begin: from stacks and annotations.
#pragma once

#include <cstdint>
#include <vector>

#include "query/stack_classes.h"
#include "store/device_columns.h"

struct sqlite3;

namespace tidemark {

class ProgramPhases {
 public:
  // Stretches of events in which one phase goes on. The device has kAllocationsPart, and kTimesPart where it has times.
  // `index/not_an_index`, `query/cancelled`.
  Failure find(sqlite3* db, const DeviceColumns& device, const CategoryRules& rules, const StackClasses& stacks, const StopSignal& stop);

  // The stretch of an event ≥ 0, by number.
  size_t stretch_at(int64_t event) const;
  Phase phase(size_t stretch) const { return static_cast<Phase>(stretches_[stretch].phase); }
  // The first event behind a stretch; kNever for the last.
  int64_t end(size_t stretch) const { return stretch + 1 < stretches_.size() ? stretches_[stretch + 1].start : kNever; }

  // The first events of the steps, in order: one an annotation that is a step; without such, one each time that the optimizer
  // has its turn; without either, one each time that the stack comes back which does so most evenly.
  const std::vector<int64_t>& steps() const { return steps_; }

 private:
  struct Stretch {
    int64_t start;
    uint8_t phase;
  };
  struct Mark {
    int64_t event;
    uint8_t phase;
  };
  Failure read_annotations(sqlite3* db, const DeviceColumns& device, const CategoryRules& rules);
  void begin(int64_t event, uint8_t phase);
  void find_optimizer_steps();

  std::vector<Stretch> stretches_;
  std::vector<Mark> marks_;  // where an annotation begins or ends a phase
  std::vector<int64_t> steps_;
};

}  // namespace tidemark
