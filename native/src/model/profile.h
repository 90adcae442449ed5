// Stacks with values, as profilers of other tools write them: what a reader of profiles fills and what the store writes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/snapshot.h"

namespace tidemark {

// One number that the profile gives for stacks: a sample type of pprof, one profile of a speedscope file.
struct ProfileValueType {
  std::string name;  // as the file has it; "" where its format has no names
  std::string unit;  // bytes, count, nanoseconds, …; "" = the file does not say
};

// What ends at one stack. Sums of whole numbers are exact up to 2^53.
struct ProfileValue {
  uint32_t stack = 0;  // Profile::stacks id
  uint32_t type = 0;   // Profile::value_types index
  double value = 0;    // finite
};

struct Profile {
  StringTable strings;  // may be invalid UTF-8
  FrameTable frames;    // line 0: the file does not say
  StackTable stacks;    // frame ids, innermost first; only stacks that have a value
  std::vector<ProfileValueType> value_types;
  uint32_t default_type = 0;
  std::vector<ProfileValue> values;  // one a stack and type, in order of first sight
  uint64_t sample_count = 0;         // lines, samples or nodes with a value, before equal stacks were added up
  std::optional<int64_t> start_unix_ns;
  std::optional<int64_t> duration_ns;
  std::string format_detail;  // folded, d3, speedscope, pprof or heapprofile, and how it is packed
  std::vector<std::pair<std::string, std::string>> metadata;
  std::vector<Finding> findings;
};

}  // namespace tidemark
