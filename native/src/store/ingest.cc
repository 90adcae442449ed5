#include "store/ingest.h"

#include <map>

#include "readers/read_snapshot.h"
#include "store/ingest_profile.h"
#include "store/ingest_run.h"
#include "store/ingest_trace.h"
#include "store/settings.h"

namespace tidemark {
namespace {

constexpr uint64_t kEventColumns = 9;  // columns written an event, for the progress' total

class Ingest : private IngestRun {
 public:
  Ingest(sqlite3* db, std::string path, IngestOptions options)
      : IngestRun(db, options.source.job), path_(std::move(path)), source_(std::move(options.source)) {}

  // Fills the database; on failure nothing is committed.
  Failure fill() {
    return run([&] { read(); },
               [&] {
                 write_bulk();
                 if (!failed()) write_small();
               });
  }

  std::string answer() const {
    return "{\"events\":" + std::to_string(event_count_) + ",\"devices\":" + std::to_string(summaries_.size()) + "}";
  }

 private:
  void read() {
    work_aside([&](Failure& error) { error = read_snapshot(path_, progress_, snapshot_); });
    for (const Finding& finding : snapshot_.findings) findings_.add(finding);
    for (const DeviceTrace& trace : snapshot_.traces) event_count_ += trace.action.size();
    clock_ = capture_clock(snapshot_);
  }

  // The replay runs beside the packing and writing of the events; its pieces are written as they come.
  void write_bulk() {
    stage(kStageReplay, event_count_ * (kEventColumns + 1));
    const AllocatorRules rules = allocator_rules(db_, snapshot_);
    PieceQueue queue;
    Worker worker([&] {
      struct Closer {
        PieceQueue& queue;
        ~Closer() { queue.close(); }
      } closer{queue};
      summaries_ = replay_all(snapshot_, rules, queue, progress_);
    });
    struct Stopper {  // runs before the worker is joined, also when something is thrown here
      PieceQueue& queue;
      ~Stopper() { queue.stop(); }
    } stopper{queue};
    PieceWriter writer(write_);
    for (const int32_t device : devices_of(snapshot_)) {
      if (failed()) break;
      const DeviceTrace& trace = device_trace(snapshot_, device);
      const EventTimes& times = times_.try_emplace(device, trace, clock_).first->second;
      note_times(times);
      write_events(device, trace, times, progress_, [&](const ColumnPiece& piece) {
        writer.write(piece);
        write_waiting(queue, writer);
        return !failure_.failed();
      });
    }
    if (!failed()) progress_.stage = kStageIndex;
    drain(queue, writer);
    if (failure_.failed()) progress_.cancel = true;  // the replay need not go on
    queue.stop();
    worker.finish(db_, progress_);
    if (worker.failure().failed()) failure_ = worker.failure();
  }

  // Keeps the replay from waiting for room while events are written.
  static void write_waiting(PieceQueue& queue, PieceWriter& writer) {
    ColumnPiece piece;
    while (queue.take(piece, std::chrono::milliseconds{0}) == PieceQueue::Taken::piece) writer.write(piece);
  }

  void write_small() {
    stage(kStageSummarise, summaries_.size() + 1);
    PieceWriter writer(write_);
    write_segments(write_, writer, snapshot_);
    if (failed()) return;
    write_names(write_, snapshot_);
    if (failed()) return;
    write_annotations(write_, snapshot_, clock_, findings_);
    for (DeviceSummary& summary : summaries_) {
      const DeviceTrace& trace = device_trace(snapshot_, summary.device);
      const EventTimes& times = times_.at(summary.device);
      write_ooms(write_, summary.device, trace, times);
      write_device(write_, snapshot_, summary, times);
      for (const Finding& finding : summary.findings) findings_.add(finding);
      ++progress_.done;
    }
    write_capture(write_, snapshot_, source_, clock_, event_count_);
    write_findings(write_, findings_.take());
  }

  void note_times(const EventTimes& times) {
    if (times.backwards_count() == 0) return;
    findings_.add({"snapshot/time_backwards", "warning", times.backwards_count(), times.first_backwards(),
                   "Times run backwards; those events are shown at the latest time before them."});
  }

  std::string path_;
  SourceInfo source_;
  Snapshot snapshot_;
  CaptureClock clock_;
  std::map<int32_t, EventTimes> times_;  // by device
  uint64_t event_count_ = 0;
  std::vector<DeviceSummary> summaries_;
};

}  // namespace

int register_ingest(sqlite3* db, ConnectionState* state) {
  int result = register_ingest_function<Ingest>(db, state, "ingest_snapshot");
  if (result == SQLITE_OK) result = register_trace_ingest(db, state);
  return result == SQLITE_OK ? register_profile_ingest(db, state) : result;
}

}  // namespace tidemark
