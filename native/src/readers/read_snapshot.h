// Entry of the readers: a file on disk becomes a Snapshot, or a coded error. Never executes anything from the file.
#pragma once

#include <string>

#include "model/failure.h"
#include "model/progress.h"
#include "model/snapshot.h"

namespace tidemark {

// Reads the snapshot at `path` (pickle protocols 0–5, JSON, plain or gzip). On a truncated file that still holds complete
// segments or events, succeeds with a finding. `progress.cancel` is looked at least every 1 MiB of input.
Failure read_snapshot(const std::string& path, Progress& progress, Snapshot& out);

// What the first bytes look like, for a refusal that names it. kind: torch_snapshot, chrome_trace, tidemark_index,
// empty, unknown; detail: "gzip, JSON", "pickle protocol 4", "a ZIP archive", "a PNG picture", …
struct Sniffed {
  std::string kind;
  std::string detail;
};
Sniffed sniff(const std::string& path, Failure& error);

}  // namespace tidemark
