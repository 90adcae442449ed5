#include "store/ingest_run.h"

namespace tidemark {
namespace {

constexpr std::chrono::milliseconds kQueueWait{20};

}  // namespace

bool IngestRun::is_empty() {
  Statement tables(db_, "SELECT 1 FROM sqlite_schema LIMIT 1");
  return tables.step() == SQLITE_DONE;
}

bool IngestRun::failed() {
  if (is_interrupted(db_)) progress_.cancel = true;
  if (progress_.cancel && !failure_.failed()) failure_ = {"query/cancelled", "The load was cancelled.", -1};
  return failure_.failed();
}

void IngestRun::execute(const char* sql) {
  const int result = sqlite3_exec(db_, sql, nullptr, nullptr, nullptr);
  if (result != SQLITE_OK) failure_ = write_failure(result, "the index");
}

void IngestRun::stage(IngestStage stage, uint64_t total) {
  progress_.done = 0;
  progress_.total = total;
  progress_.stage = stage;
}

void IngestRun::work_aside(const std::function<void(Failure&)>& work) {
  Failure error;
  Worker worker([&] { work(error); });
  worker.finish(db_, progress_);
  if (!failure_.failed()) failure_ = worker.failure().failed() ? worker.failure() : error;
}

void IngestRun::drain(PieceQueue& queue, PieceWriter& writer) {
  ColumnPiece piece;
  while (!failed()) {
    const PieceQueue::Taken taken = queue.take(piece, kQueueWait);
    if (taken == PieceQueue::Taken::closed) return;
    if (taken == PieceQueue::Taken::piece) writer.write(piece);
  }
}

std::string argument_text(sqlite3_value* value) {
  const auto* data = reinterpret_cast<const char*>(sqlite3_value_text(value));
  return data ? std::string(data, static_cast<size_t>(sqlite3_value_bytes(value))) : std::string();
}

bool parse_options(sqlite3* db, const std::string& json, IngestOptions& out) {
  Statement options(db,
                    "SELECT json_extract(?1,'$.job'), json_extract(?1,'$.source_name'), json_extract(?1,'$.source_bytes'),"
                    " json_extract(?1,'$.fingerprint'), json_extract(?1,'$.tool_version'), json_extract(?1,'$.copy_args')"
                    " WHERE json_valid(?1)");
  options.bind(1, json);
  if (options.step() != SQLITE_ROW) return false;
  out.source.job = options.integer(0);
  out.source.name = std::string(options.text(1));
  if (!options.is_null(2)) out.source.bytes = options.integer(2);
  out.source.fingerprint = std::string(options.text(3));
  out.source.tool_version = std::string(options.text(4));
  out.copy_args = options.integer(5) != 0;
  return true;
}

void answer_ingest(sqlite3_context* context, sqlite3_value** arguments, IngestCall run) {
  auto* state = static_cast<ConnectionState*>(sqlite3_user_data(context));
  const auto refuse = [&](const Failure& failure) {
    const std::string text = error_text(failure.code, failure.message, failure.offset);
    sqlite3_result_error(context, text.c_str(), static_cast<int>(text.size()));
  };
  try {
    IngestOptions options;
    if (!parse_options(state->db(), argument_text(arguments[1]), options)) {
      return refuse({"query/bad_argument", "The options of an ingest are not a JSON object.", -1});
    }
    state->forget();
    std::string answer;
    const Failure failure = run(state->db(), argument_text(arguments[0]), std::move(options), answer);
    if (failure.failed()) return refuse(failure);
    sqlite3_result_text(context, answer.c_str(), static_cast<int>(answer.size()), SQLITE_TRANSIENT);
  } catch (const std::bad_alloc&) {
    refuse({"engine/out_of_memory", "Out of memory.", -1});
  } catch (const std::exception& error) {
    refuse({"engine/internal", std::string("Unexpected failure: ") + error.what(), -1});
  }
}

}  // namespace tidemark
