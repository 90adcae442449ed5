// Which slices a view shows in color: those with one of some names.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "query/trace_index.h"

namespace tidemark {

inline constexpr size_t kMostFilterNames = 100000;

class TraceFilter {
 public:
  // '' = everything passes, or JSON `{"names": [string_ids]}`. `query/bad_argument` where it is neither.
  Failure read(const TraceIndex& index, const std::string& json);
  // A JSON array of string_ids alone.
  Failure read_names(const TraceIndex& index, std::string_view json);

  bool is_active() const { return is_active_; }
  bool passes(int64_t name) const {
    return !is_active_ || (name >= 0 && name < static_cast<int64_t>(names_.size()) && names_[static_cast<size_t>(name)] != 0);
  }
  const std::vector<uint8_t>& names() const { return names_; }

 private:
  bool is_active_ = false;
  std::vector<uint8_t> names_;  // by string_id: 1 = passes
};

// The slices that pass a filter, a bit each, lane by lane as they come into sight: what is joined in a level has many names, of which the
// level knows one.
class PassingSlices {
 public:
  // Makes the bits of a lane, unless they are of this filter already.
  Failure find(TraceReader& reader, const TraceIndex& index, size_t lane, const TraceFilter& filter, const StopSignal& stop);
  // The first of slices [from, to) that passes; `to` without one.
  size_t next(size_t from, size_t to) const;

 private:
  std::vector<uint8_t> names_;  // of the filter that the bits are of
  std::vector<uint64_t> bits_;  // by slice_id
  std::vector<uint8_t> is_found_;  // by lane
};

}  // namespace tidemark
