// Writes the parts of an index on the caller's connection. Each function stops at the first failure and keeps it.
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
  PieceWriter(sqlite3* db, Failure& failure)
      : insert_(db, "INSERT INTO column_piece(relation, device, name, piece, data) VALUES (?,?,?,?,?)", failure) {}
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
void write_segments(sqlite3* db, PieceWriter& writer, const Snapshot& snapshot, Failure& failure);

// string, action_word, stream, pool, frame, stack_frame, stack_depth.
void write_names(sqlite3* db, const Snapshot& snapshot, Failure& failure);

// annotation, with unpaired ones counted into `findings`.
void write_annotations(sqlite3* db, const Snapshot& snapshot, const CaptureClock& clock, FindingLog& findings,
                       Failure& failure);

// oom of one device.
void write_ooms(sqlite3* db, int32_t device, const DeviceTrace& trace, const EventTimes& times, Failure& failure);

// device: one row.
void write_device(sqlite3* db, const Snapshot& snapshot, const DeviceSummary& summary, const EventTimes& times,
                  Failure& failure);

// capture, metadata, finding.
void write_capture(sqlite3* db, const Snapshot& snapshot, const SourceInfo& source, const CaptureClock& clock,
                   uint64_t event_count, Failure& failure);
void write_findings(sqlite3* db, const std::vector<Finding>& findings, Failure& failure);

// Text as SQLite needs it: invalid UTF-8 becomes U+FFFD.
std::string clean_text(const std::string& text);

// "(first,second)", as PyTorch prints a pool id.
std::string pool_name(const PoolId& pool);

// "0x…", lower case.
std::string hex_address(uint64_t address);

}  // namespace tidemark
