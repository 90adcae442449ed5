// What a flame graph weighs: bytes, allocations or bytes × time of every stack, at one moment, in a range, or at two moments.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "query/allocation_filter.h"
#include "query/category_rules.h"
#include "query/lifetimes.h"
#include "query/stack_frames.h"

namespace tidemark {

enum class FlameMeasure {
  alive,      // allocated after from_event
  allocated,  // made by events [from, to)
  growth,     // by how much each stack holds more after to_event than after from_event; base: by how much less
  diff,       // allocated after to_event; base: after from_event
  area,       // × nanoseconds (events where the device has no times) that they were allocated in [from, to)
  profile,    // the values of value type from_event of a profile, whatever the device
};
enum class FlameUnit { bytes, count };

struct FlameQuestion {
  FlameMeasure measure = FlameMeasure::alive;
  FlameUnit unit = FlameUnit::bytes;
  int64_t from_event = kBefore;
  int64_t to_event = kBefore;
  AllocationFilter filter;
  const uint8_t* categories = nullptr;  // by allocation; nullptr: not asked for
  const StackFrames* frames = nullptr;  // where `categories` is given: what has no frames is weighed by category
};

// Of the bytes behind a weight, those of each category, by slot − 1.
using CategoryBytes = std::array<double, kCategoryCount>;


// What one stack, or one node, weighs. Sums of whole numbers are exact up to 2^53.
struct FlameWeight {
  double value = 0;
  double base = 0;       // of growth and diff
  double count = 0;      // allocations behind value
  double bytes = 0;      // rounded bytes behind value
  double first = kUnborn;  // place of the earliest of them among the device's allocations
  static constexpr double kUnborn = 1e300;

  void add(const FlameWeight& other);
  bool is_empty() const { return value == 0 && base == 0; }
};

// `query/bad_argument` unless the events fit the measure: −1 ≤ event < event count for moments, 0 ≤ from < to ≤ event count for ranges.
Failure check_flame(const DeviceColumns& device, const FlameQuestion& question);

// By stack_id + 1, of a profile: its positive values; base: the negative ones, as positive numbers. `query/bad_argument` where the index has no
// such value type.
Failure weigh_profile(sqlite3* db, int64_t value_type, size_t stack_count, const StopSignal& stop, std::vector<FlameWeight>& out);

// By item of CallTree::node_of; item 0: no stack, or one that the capture does not have. The device has kAllocationsPart, and kTimesPart for `area`.
Failure weigh_stacks(const Lifetimes& lifetimes, const FlameQuestion& question, const StopSignal& stop, std::vector<FlameWeight>& out);

// Likewise, with the bytes of each category beside it where the question has categories (else empty).
Failure weigh_stacks(const Lifetimes& lifetimes, const FlameQuestion& question, const StopSignal& stop, std::vector<FlameWeight>& out,
                     std::vector<CategoryBytes>& categories);

}  // namespace tidemark
