// What every ingest does alike: it fills the empty database of a connection in one transaction, can be watched and cancelled, and answers or
// refuses as an SQL function.
#pragma once

#include <functional>

#include "store/connection.h"
#include "store/index_writer.h"
#include "store/jobs.h"
#include "store/schema.h"
#include "store/worker.h"

namespace tidemark {

enum IngestStage : uint32_t { kStageRead, kStageReplay, kStageIndex, kStageSummarise };

struct IngestOptions {
  SourceInfo source;
  bool copy_args = false;  // traces: keep the text of each event
};

class IngestRun {
 public:
  IngestRun(sqlite3* db, int64_t job) : db_(db), job_(job), progress_(job_.progress()) {}

  // read(), then write() in a transaction that holds the schema; on failure nothing is committed.
  template <typename Read, typename Write>
  Failure run(Read read, Write write) {
    if (!is_empty()) return {"query/bad_argument", "The database to fill is not empty.", -1};
    read();
    if (!failed()) execute("BEGIN");
    const bool begun = !failed();
    if (begun) execute(kSchema);
    if (!failed()) write();
    if (!failed()) execute("COMMIT");
    if (failed() && begun) sqlite3_exec(db_, "ROLLBACK", nullptr, nullptr, nullptr);
    return failure_;
  }

 protected:
  // Looks at every reason to stop; the first one stays.
  bool failed();
  void execute(const char* sql);
  void stage(IngestStage stage, uint64_t total);
  // Runs work(failure) on a thread while this one watches for cancel.
  void work_aside(const std::function<void(Failure&)>& work);
  // Writes the pieces of the queue until it is closed or the ingest has failed.
  void drain(PieceQueue& queue, PieceWriter& writer);

  sqlite3* db_;
  RunningJob job_;
  Progress& progress_;
  Failure failure_;
  FindingLog findings_;
  const IndexWrite write_{db_, progress_, failure_};

 private:
  bool is_empty();
};

// The two arguments of an ingest function: the path and the options as JSON. False when the options are no JSON object.
std::string argument_text(sqlite3_value* value);
bool parse_options(sqlite3* db, const std::string& json, IngestOptions& options);

// Answers an SQL function: run(db, path, options, answer) fills `answer` or fails.
using IngestCall = Failure (*)(sqlite3* db, std::string path, IngestOptions options, std::string& answer);
void answer_ingest(sqlite3_context* context, sqlite3_value** arguments, IngestCall run);

// Registers an SQL function `name` on `db` that makes an Ingest of (db, path, options) and answers with its answer() once fill() is done; `state`
// outlives it. Answers an SQLite result code.
template <typename Ingest>
int register_ingest_function(sqlite3* db, ConnectionState* state, const char* name) {
  static const IngestCall run = [](sqlite3* of, std::string path, IngestOptions options, std::string& answer) {
    Ingest ingest(of, std::move(path), std::move(options));
    const Failure failure = ingest.fill();
    answer = ingest.answer();
    return failure;
  };
  const auto function = [](sqlite3_context* context, int, sqlite3_value** arguments) { answer_ingest(context, arguments, run); };
  return sqlite3_create_function_v2(db, name, 2, SQLITE_UTF8 | SQLITE_DIRECTONLY, state, function, nullptr, nullptr, nullptr);
}

}  // namespace tidemark
