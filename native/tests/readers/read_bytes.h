// Reads a snapshot from bytes in memory, the way read_snapshot() does from a file.
#pragma once

#include <memory>
#include <string>

#include "model/snapshot.h"
#include "readers/head.h"
#include "readers/read_source.h"

struct ReadResult {
  tidemark::Snapshot snapshot;
  tidemark::Failure error;

  uint64_t finding(const std::string& code) const {
    for (const tidemark::Finding& finding : snapshot.findings) {
      if (finding.code == code) return finding.count;
    }
    return 0;
  }
  size_t events(size_t device = 0) const {
    return device < snapshot.traces.size() ? snapshot.traces[device].action.size() : 0;
  }
};

inline std::unique_ptr<ReadResult> read_bytes(const std::string& bytes) {
  auto result = std::make_unique<ReadResult>();
  tidemark::Progress progress;
  tidemark::readers::Head head;
  head.bytes = bytes.substr(0, 65536);
  tidemark::readers::classify_head(head);
  tidemark::readers::ByteSource source(std::make_unique<tidemark::readers::MemoryInput>(bytes), progress);
  result->error = tidemark::readers::read_source(source, head.family, head.detail, result->snapshot);
  return result;
}
