#include "store/ingest.h"

#include <map>

#include "model/finding_log.h"
#include "readers/read_snapshot.h"
#include "store/index_writer.h"
#include "store/jobs.h"
#include "store/schema.h"
#include "store/settings.h"
#include "store/worker.h"

namespace tidemark {
namespace {

enum Stage : uint32_t { kStageRead, kStageReplay, kStageIndex, kStageSummarise };

constexpr uint64_t kEventColumns = 9;  // columns written an event, for the progress' total
constexpr std::chrono::milliseconds kQueueWait{20};

class Ingest {
 public:
  Ingest(sqlite3* db, std::string path, SourceInfo source)
      : db_(db), path_(std::move(path)), source_(std::move(source)), job_(source_.job), progress_(job_.progress()) {}

  // Fills the database; on failure nothing is committed.
  Failure run() {
    if (!is_empty()) return {"query/bad_argument", "The database to fill is not empty.", -1};
    read();
    if (!failed()) execute("BEGIN");
    const bool begun = !failed();
    if (!failed()) execute(kSchema);
    if (!failed()) write_bulk();
    if (!failed()) write_small();
    if (!failed()) execute("COMMIT");
    if (failed() && begun) sqlite3_exec(db_, "ROLLBACK", nullptr, nullptr, nullptr);
    return failure_;
  }

  uint64_t event_count() const { return event_count_; }
  size_t device_count() const { return summaries_.size(); }

 private:
  bool is_empty() {
    Statement tables(db_, "SELECT 1 FROM sqlite_schema LIMIT 1");
    return tables.step() == SQLITE_DONE;
  }

  // Looks at every reason to stop; the first one stays.
  bool failed() {
    if (is_interrupted(db_)) progress_.cancel = true;
    if (progress_.cancel && !failure_.failed()) failure_ = {"query/cancelled", "The load was cancelled.", -1};
    return failure_.failed();
  }

  void execute(const char* sql) {
    const int result = sqlite3_exec(db_, sql, nullptr, nullptr, nullptr);
    if (result != SQLITE_OK) failure_ = write_failure(result, "the index");
  }

  void stage(Stage stage, uint64_t total) {
    progress_.done = 0;
    progress_.total = total;
    progress_.stage = stage;
  }

  void read() {
    Failure error;
    Worker worker([&] { error = read_snapshot(path_, progress_, snapshot_); });
    worker.finish(db_, progress_);
    failure_ = worker.failure().failed() ? worker.failure() : error;
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
    PieceWriter writer(db_, failure_);
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

  void drain(PieceQueue& queue, PieceWriter& writer) {
    ColumnPiece piece;
    while (!failed()) {
      const PieceQueue::Taken taken = queue.take(piece, kQueueWait);
      if (taken == PieceQueue::Taken::closed) return;
      if (taken == PieceQueue::Taken::piece) writer.write(piece);
    }
  }

  void write_small() {
    stage(kStageSummarise, summaries_.size() + 1);
    PieceWriter writer(db_, failure_);
    write_segments(db_, writer, snapshot_, failure_);
    if (failed()) return;
    write_names(db_, snapshot_, failure_);
    if (failed()) return;
    write_annotations(db_, snapshot_, clock_, findings_, failure_);
    for (DeviceSummary& summary : summaries_) {
      const DeviceTrace& trace = device_trace(snapshot_, summary.device);
      const EventTimes& times = times_.at(summary.device);
      write_ooms(db_, summary.device, trace, times, failure_);
      write_device(db_, snapshot_, summary, times, failure_);
      for (const Finding& finding : summary.findings) findings_.add(finding);
      ++progress_.done;
    }
    write_capture(db_, snapshot_, source_, clock_, event_count_, failure_);
    write_findings(db_, findings_.take(), failure_);
  }

  void note_times(const EventTimes& times) {
    if (times.backwards_count() == 0) return;
    findings_.add({"snapshot/time_backwards", "warning", times.backwards_count(), times.first_backwards(),
                   "Times run backwards; those events are shown at the latest time before them."});
  }

  sqlite3* db_;
  std::string path_;
  SourceInfo source_;
  RunningJob job_;
  Progress& progress_;
  Failure failure_;
  Snapshot snapshot_;
  CaptureClock clock_;
  std::map<int32_t, EventTimes> times_;  // by device
  uint64_t event_count_ = 0;
  std::vector<DeviceSummary> summaries_;
  FindingLog findings_;
};

std::string argument_text(sqlite3_value* value) {
  const auto* data = reinterpret_cast<const char*>(sqlite3_value_text(value));
  return data ? std::string(data, static_cast<size_t>(sqlite3_value_bytes(value))) : std::string();
}

// False when the options are not a JSON object.
bool parse_options(sqlite3* db, const std::string& json, SourceInfo& source) {
  Statement options(db,
                    "SELECT json_extract(?1,'$.job'), json_extract(?1,'$.source_name'), json_extract(?1,'$.source_bytes'),"
                    " json_extract(?1,'$.fingerprint'), json_extract(?1,'$.tool_version') WHERE json_valid(?1)");
  options.bind(1, json);
  if (options.step() != SQLITE_ROW) return false;
  source.job = options.integer(0);
  source.name = std::string(options.text(1));
  if (!options.is_null(2)) source.bytes = options.integer(2);
  source.fingerprint = std::string(options.text(3));
  source.tool_version = std::string(options.text(4));
  return true;
}

void ingest_function(sqlite3_context* context, int, sqlite3_value** arguments) {
  auto* state = static_cast<ConnectionState*>(sqlite3_user_data(context));
  const auto refuse = [&](const Failure& failure) {
    const std::string text = error_text(failure.code, failure.message, failure.offset);
    sqlite3_result_error(context, text.c_str(), static_cast<int>(text.size()));
  };
  try {
    SourceInfo source;
    if (!parse_options(state->db(), argument_text(arguments[1]), source)) {
      return refuse({"query/bad_argument", "The options of ingest_snapshot are not a JSON object.", -1});
    }
    state->forget();
    Ingest ingest(state->db(), argument_text(arguments[0]), std::move(source));
    const Failure failure = ingest.run();
    if (failure.failed()) return refuse(failure);
    const std::string answer = "{\"events\":" + std::to_string(ingest.event_count()) +
                               ",\"devices\":" + std::to_string(ingest.device_count()) + "}";
    sqlite3_result_text(context, answer.c_str(), static_cast<int>(answer.size()), SQLITE_TRANSIENT);
  } catch (const std::exception& error) {
    refuse({"engine/internal", std::string("Unexpected failure: ") + error.what(), -1});
  }
}

}  // namespace

int register_ingest(sqlite3* db, ConnectionState* state) {
  return sqlite3_create_function_v2(db, "ingest_snapshot", 2, SQLITE_UTF8 | SQLITE_DIRECTONLY, state, ingest_function,
                                    nullptr, nullptr, nullptr);
}

}  // namespace tidemark
