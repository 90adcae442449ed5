// Which names of slices contain a text.
#pragma once

#include <string>

#include "query/trace_index.h"

namespace tidemark {

inline constexpr int64_t kMostNames = 10000;

// JSON `{"count": names, "slices": n, "names": [at most `limit`: {"name_id","text","count","total_ns"}]}`, most total time first. Latin
// letters match in any case; texts are cut to 300 characters.
Failure trace_names(TraceIndex& index, const std::string& text, size_t limit, const StopSignal& stop, std::string& out);

}  // namespace tidemark
