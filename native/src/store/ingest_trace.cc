#include "store/ingest_trace.h"

#include <atomic>

#include "readers/trace/read_trace.h"
#include "store/ingest_run.h"
#include "store/trace_memory_pieces.h"
#include "store/trace_pieces.h"
#include "store/trace_writer.h"

namespace tidemark {
namespace {

// Closes a queue when the last of its filling threads has ended, however it ends.
class QueueClosers {
 public:
  QueueClosers(PieceQueue& queue, int threads) : queue_(queue), left_(threads) {}

  class Closer {
   public:
    explicit Closer(QueueClosers& all) : all_(all) {}
    ~Closer() {
      if (--all_.left_ == 0) all_.queue_.close();
    }
    Closer(const Closer&) = delete;
    Closer& operator=(const Closer&) = delete;

   private:
    QueueClosers& all_;
  };

 private:
  PieceQueue& queue_;
  std::atomic<int> left_;
};

class TraceIngest : private IngestRun {
 public:
  TraceIngest(sqlite3* db, std::string path, IngestOptions options)
      : IngestRun(db, options.source.job), path_(std::move(path)), options_(std::move(options)) {}

  // Fills the database; on failure nothing is committed.
  Failure fill() {
    return run([&] { read(); }, [&] { write(); });
  }

  std::string answer() const {
    return "{\"events\":" + std::to_string(trace_.event_count) + ",\"devices\":" + std::to_string(memory_.device_count()) +
           ",\"slices\":" + std::to_string(nested_.slices.size()) + "}";
  }

 private:
  void read() {
    work_aside([&](Failure& error) { error = read_trace(path_, progress_, trace_); });
    for (const Finding& finding : trace_.findings) findings_.add(finding);
  }

  void write() {
    if (options_.copy_args) copy_texts();
    if (!failed()) nest();
    if (!failed()) write_bulk();
    if (!failed()) write_small();
  }

  // The file is read a second time: what is kept of an event while it is nested does not hold its text.
  void copy_texts() {
    stage(kStageRead, trace_.slices.size() + trace_.instants.size() + trace_.async_points.size());
    write_event_texts(write_, path_, trace_);
  }

  void nest() {
    stage(kStageReplay, trace_.slices.size());
    work_aside([&](Failure&) { nested_ = nest_trace(trace_, progress_); });
    for (const Finding& finding : nested_.findings) findings_.add(finding);
  }

  // Slices and their levels are packed on one thread, all else on another: they take about as long. This one writes the pieces as they come.
  void write_bulk() {
    stage(kStageIndex, nested_.slices.size());
    PieceQueue queue;
    QueueClosers closers(queue, 2);
    PieceWriter writer(write_);
    Worker slices([&] {
      QueueClosers::Closer closer(closers);
      totals_ = push_slices(trace_, nested_, queue, progress_);
      levels_ = build_levels(nested_, progress_);
      level_rows_ = levels_.items.size();
      push_levels(levels_, queue, progress_);
    });
    Worker memory([&] {
      QueueClosers::Closer closer(closers);
      push_point_events(nested_, queue, progress_);
      memory_ = replay_trace_memory(trace_, nested_, queue, progress_);
    });
    struct Stopper {  // runs before the workers are joined, also when something is thrown here
      PieceQueue& queue;
      ~Stopper() { queue.stop(); }
    } stopper{queue};
    drain(queue, writer);
    if (failure_.failed()) progress_.cancel = true;  // the workers need not go on
    queue.stop();
    for (Worker* worker : {&slices, &memory}) {
      worker->finish(db_, progress_);
      if (worker->failure().failed()) failure_ = worker->failure();
    }
  }

  void write_small() {
    stage(kStageSummarise, 1);
    write_tracks(write_, trace_, nested_, level_rows_);
    write_level_rows(write_, levels_.levels);
    if (failed()) return;
    write_trace_names(write_, trace_, nested_, totals_);
    if (failed()) return;
    write_trace_memory(write_, trace_, nested_, memory_, findings_);
    if (failed()) return;
    write_checkpoints(write_, trace_.checkpoints);
    write_trace_capture(write_, trace_, nested_, options_.source);
    write_findings(write_, findings_.take());
    ++progress_.done;
  }

  std::string path_;
  IngestOptions options_;
  Trace trace_;
  NestedTrace nested_;
  SliceTotals totals_;
  SliceLevels levels_;
  uint64_t level_rows_ = 0;
  TraceMemoryIndex memory_;
};

}  // namespace

int register_trace_ingest(sqlite3* db, ConnectionState* state) {
  return register_ingest_function<TraceIngest>(db, state, "ingest_trace");
}

}  // namespace tidemark
