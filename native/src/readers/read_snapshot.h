// Entry of the readers: a file on disk becomes a Snapshot, or a coded error. Never executes anything from the file.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "model/snapshot.h"

namespace tidemark {

// Shared with the thread that watches: bytes are of the file on disk (compressed bytes for .gz).
struct Progress {
  std::atomic<uint32_t> stage{0};  // 0 read, 1 replay, 2 index, 3 summarise
  std::atomic<uint64_t> done{0};
  std::atomic<uint64_t> total{0};
  std::atomic<bool> cancel{false};
};

// Expected failures are values. code: one of the closed list in native/README.md; "" = success.
struct ReadError {
  std::string code;
  std::string message;  // what, where in the file, in one English sentence
  int64_t offset = -1;  // byte offset in the inflated file
  bool failed() const { return !code.empty(); }
};

// Reads the snapshot at `path` (pickle protocols 0–5, JSON, plain or gzip). On a truncated file that still holds complete
// segments or events, succeeds with a finding. `progress.cancel` is looked at least every 1 MiB of input.
ReadError read_snapshot(const std::string& path, Progress& progress, Snapshot& out);

// What the first bytes look like, for a refusal that names it. kind: torch_snapshot, chrome_trace, tidemark_index,
// empty, unknown; detail: "gzip, JSON", "pickle protocol 4", "a ZIP archive", "a PNG picture", …
struct Sniffed {
  std::string kind;
  std::string detail;
};
Sniffed sniff(const std::string& path, ReadError& error);

}  // namespace tidemark
