// Reads what PyTorch's profiler exports as its memory timeline: bytes by category over time, in two forms of JSON. Format: torch/profiler's
// export_memory_timeline (".json", ".raw.json.gz").
#pragma once

#include <cstdint>
#include <string_view>

#include "readers/trace/read_opened.h"

namespace tidemark::readers::trace {

// states: [[time in µs, …], [[0, bytes of each category], …]], a row a time.
// changes: [[time in ns, action, bytes, category], …]; −1 = before the first time.
enum class TimelineForm : uint8_t { none, states, changes };

// What a JSON text is, by its beginning (UTF-8): only what no other kind of file begins with counts.
TimelineForm timeline_form(std::string_view head);

// Fills `out` with one process, one counter and its eight series, a sample of each at every time: bytes held. What was there before the first
// time stands 1 ns before it (changes) or where the file puts it (states). `step`: bytes read at once. Errors: trace/not_a_trace (no rows),
// trace/truncated (none before the cut), file/unreadable, query/cancelled. Memory: 8 bytes a time (states) and the samples.
Failure read_memory_timeline(const Head& head, Opened opened, TimelineForm form, size_t step, Progress& progress, Trace& out);

}  // namespace tidemark::readers::trace
