// What the frames of each stack say to the rules: looked at once a stack, not once an allocation.
#pragma once

#include <cstdint>
#include <vector>

#include "query/category_rules.h"
#include "query/stack_frames.h"

namespace tidemark {

class StackClasses {
 public:
  static constexpr uint8_t kNoPhase = 0xFF;

  // `query/cancelled` when stopped.
  Failure sort(const StackFrames& frames, const CategoryRules& rules, const StopSignal& stop);

  // By item, which is stack_id + 1; item 0 and those beyond the end: no stack. Rules whose conditions on the stack hold, in order.
  const uint16_t* begin(size_t item) const { return candidates_.data() + first_[item_of(item)]; }
  const uint16_t* end(size_t item) const { return candidates_.data() + first_[item_of(item) + 1]; }
  // The phase that the stack tells, as a Phase; kNoPhase = nothing.
  uint8_t phase(size_t item) const { return phase_[item_of(item)]; }
  size_t item_count() const { return phase_.size(); }
  bool has_python(size_t item) const { return has_python_[item_of(item)] != 0; }

 private:
  size_t item_of(size_t item) const { return item < phase_.size() ? item : 0; }

  std::vector<size_t> first_;  // by item, and the end
  std::vector<uint16_t> candidates_;
  std::vector<uint8_t> phase_;
  std::vector<uint8_t> has_python_;
};

}  // namespace tidemark
