// What a slice belongs to: flows, the slices around it, the call that launched it and the operator behind it.
#pragma once

#include <cstdint>
#include <string>

#include "query/trace_index.h"

namespace tidemark {

inline constexpr size_t kMostLinks = 1000;

// JSON of slice_links (native/TRACES.md); slice < index.slice_count().
Failure slice_links(TraceReader& reader, TraceIndex& index, size_t slice, std::string& out);

}  // namespace tidemark
