// The findings that the reader of traces counts, as small numbers: a block counts thousands of them cheaply.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "model/snapshot.h"

namespace tidemark::readers::trace {

enum class Code : uint8_t {
  truncated,
  damaged_gzip,
  syntax,
  unescaped_quote,
  bad_escape,
  control_character,
  invalid_utf8,
  utf16,
  non_finite_number,
  odd_number,
  bad_time,
  below_nanosecond,
  duplicate_key,
  no_phase,
  unknown_phase,
  several_documents,
  bytes_after_end,
  event_too_long,
  metadata_too_long,
  missing_duration,
  negative_duration,
  ignored_phase,
  event_cap,
  no_memory_events,
  no_python_stacks,
  timeline_row,
  timeline_action,
  timeline_category,
  timeline_lengths,
  timeline_order,
  timeline_negative,
  count
};

// How often each was met and where first (byte offset in the inflated text).
class FindingCounts {
 public:
  void count(Code code, uint64_t offset, uint64_t times = 1) {
    Row& row = rows_[static_cast<size_t>(code)];
    if (row.count == 0) row.first_at = offset;
    row.count += times;
    any_ = true;
  }
  // Adds what was counted behind everything counted here.
  void add(const FindingCounts& later) {
    if (!later.any_) return;
    for (size_t i = 0; i < rows_.size(); ++i) {
      if (later.rows_[i].count > 0) count(static_cast<Code>(i), later.rows_[i].first_at, later.rows_[i].count);
    }
  }
  bool any() const { return any_; }
  uint64_t of(Code code) const { return rows_[static_cast<size_t>(code)].count; }
  void clear() {
    if (any_) *this = {};
  }
  std::vector<Finding> findings() const;

 private:
  struct Row {
    uint64_t count = 0;
    uint64_t first_at = 0;
  };
  std::array<Row, static_cast<size_t>(Code::count)> rows_{};
  bool any_ = false;
};

}  // namespace tidemark::readers::trace
