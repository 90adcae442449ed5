// Writes the parts of an index on the caller's connection. Each function stops at the first failure, which it keeps, and soon after a cancel.
#pragma once

#include <functional>

#include "model/finding_log.h"
#include "model/progress.h"
#include "store/event_times.h"
#include "store/replay_pieces.h"
#include "store/sql.h"

namespace tidemark {

// What the caller of ingest_snapshot knows of the source file.
struct SourceInfo {
  int64_t job = 0;
  std::string name;
  std::optional<int64_t> bytes;
  std::string fingerprint;
  std::string tool_version;
};

class PieceWriter {
 public:
  explicit PieceWriter(const IndexWrite& write)
      : insert_(write, "INSERT INTO column_piece(relation, device, name, piece, data) VALUES (?,?,?,?,?)") {}
  void write(const ColumnPiece& piece) {
    insert_.row(piece.relation, piece.device, piece.name, piece.piece, BlobView{piece.data.view()});
  }

 private:
  Insert insert_;
};

// Hands the pieces of relation `event` of one device to `take`, until that answers false or the load is cancelled.
void write_events(int32_t device, const DeviceTrace& trace, const EventTimes& times, Progress& progress,
                  const std::function<bool(ColumnPiece&&)>& take);

// segment and the columns of relation `block` of every device.
void write_segments(const IndexWrite& write, PieceWriter& writer, const Snapshot& snapshot);

// string, action_word, stream, pool, frame, stack_frame, stack_depth.
void write_names(const IndexWrite& write, const Snapshot& snapshot);

// frame, stack_frame, stack_depth.
void write_stacks(const IndexWrite& write, const StringTable& strings, const FrameTable& frames, const StackTable& stacks);

// annotation, with unpaired ones counted into `findings`.
void write_annotations(const IndexWrite& write, const Snapshot& snapshot, const CaptureClock& clock, FindingLog& findings);

// oom of one device.
void write_ooms(const IndexWrite& write, int32_t device, const DeviceTrace& trace, const EventTimes& times);

// device: one row.
void write_device(const IndexWrite& write, const Snapshot& snapshot, const DeviceSummary& summary, const EventTimes& times);

// capture, metadata, finding.
void write_capture(const IndexWrite& write, const Snapshot& snapshot, const SourceInfo& source, const CaptureClock& clock,
                   uint64_t event_count);
void write_findings(const IndexWrite& write, const std::vector<Finding>& findings);

// Text as SQLite needs it: invalid UTF-8 becomes U+FFFD.
std::string clean_text(const std::string& text);

// "(first,second)", as PyTorch prints a pool id.
std::string pool_name(const PoolId& pool);

// "0x…", lower case.
std::string hex_address(uint64_t address);

}  // namespace tidemark
