#include "store/relation_reader.h"

#include "store/index_writer.h"

namespace tidemark {

const char* const kActionWords[] = {"alloc",         "free_requested", "free_completed", "segment_alloc", "segment_free",
                                    "segment_map",   "segment_unmap",  "snapshot",       "oom",           "annotate",
                                    "user_defined",  "free",           "unknown"};
const int kActionWordCount = static_cast<int>(std::size(kActionWords));
const char* const kStateWords[] = {"active_allocated", "active_pending_free", "inactive"};
const int kStateWordCount = static_cast<int>(std::size(kStateWords));

namespace {

constexpr int64_t kNoEventStored = 0xFFFFFFFFll;

void result_text(sqlite3_context* context, std::string_view text) {
  sqlite3_result_text(context, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
}

}  // namespace

void RelationNames::load_streams() {
  if (streams_loaded_) return;
  streams_loaded_ = true;
  Statement rows(db_, "SELECT stream_index, handle FROM stream");
  while (rows.step() == SQLITE_ROW) streams_[rows.integer(0)] = rows.integer(1);
}

void RelationNames::load_pools() {
  if (pools_loaded_) return;
  pools_loaded_ = true;
  Statement rows(db_, "SELECT pool_index, name FROM pool");
  while (rows.step() == SQLITE_ROW) pools_[rows.integer(0)] = std::string(rows.text(1));
}

void RelationNames::load_actions() {
  if (actions_loaded_) return;
  actions_loaded_ = true;
  for (int i = 0; i < kActionWordCount; ++i) actions_[i] = kActionWords[i];
  Statement rows(db_, "SELECT code, word FROM action_word");
  while (rows.step() == SQLITE_ROW) actions_[rows.integer(0)] = std::string(rows.text(1));
}

std::optional<int64_t> RelationNames::stream(int64_t index) {
  load_streams();
  const auto at = streams_.find(index);
  return at == streams_.end() ? std::nullopt : std::optional<int64_t>(at->second);
}

const std::string* RelationNames::pool(int64_t index) {
  load_pools();
  const auto at = pools_.find(index);
  return at == pools_.end() ? nullptr : &at->second;
}

const std::string* RelationNames::action(int64_t code) {
  load_actions();
  const auto at = actions_.find(code);
  return at == actions_.end() ? nullptr : &at->second;
}

std::optional<int64_t> RelationNames::action_code(std::string_view word) {
  load_actions();
  for (const auto& [code, known] : actions_) {
    if (known == word) return code;
  }
  return std::nullopt;
}

RelationReader::RelationReader(sqlite3* db, const Relation& relation, int32_t device, int64_t first_id,
                               RelationNames& names)
    : db_(db), relation_(relation), device_(device), first_id_(first_id), names_(names) {
  columns_.resize(static_cast<size_t>(relation.column_count));
}

int64_t RelationReader::stored(int column, size_t row, int64_t missing) {
  auto& kept = columns_[static_cast<size_t>(column)];
  if (!kept) {
    const RelationColumn& declared = relation_.columns[column];
    kept = std::make_unique<StoredColumn>(db_, declared.relation ? declared.relation : relation_.packed, device_,
                                          declared.stored);
  }
  return kept->at(row, missing);
}

StoredColumn* RelationReader::other(std::unique_ptr<StoredColumn>& kept, const char* relation, const char* name) {
  if (!kept) kept = std::make_unique<StoredColumn>(db_, relation, device_, name);
  return kept.get();
}

bool RelationReader::damaged() const {
  for (const auto& column : columns_) {
    if (column && column->damaged()) return true;
  }
  const StoredColumn* others[] = {event_times_.get(), slots_.get(), free_completed_.get()};
  for (const StoredColumn* column : others) {
    if (column && column->damaged()) return true;
  }
  return false;
}

void RelationReader::result_event_time(sqlite3_context* context, int64_t event) {
  if (event < 0) return;
  const int64_t time = other(event_times_, "event", "time_ns")->at(static_cast<size_t>(event), kNeverNull);
  if (time != kNeverNull) sqlite3_result_int64(context, time);
}

void RelationReader::result_string(sqlite3_context* context, int64_t id) {
  Statement select(db_, "SELECT text FROM string WHERE string_id = ?");
  select.bind(1, id);
  if (select.step() == SQLITE_ROW) result_text(context, select.text(0));
}

void RelationReader::result_device_free(sqlite3_context* context, size_t row) {
  if (!oom_loaded_) {
    oom_loaded_ = true;
    Statement rows(db_, "SELECT event, device_free_bytes FROM oom WHERE device = ? AND device_free_bytes IS NOT NULL");
    rows.bind(1, int64_t{device_});
    while (rows.step() == SQLITE_ROW) device_free_[rows.integer(0)] = rows.integer(1);
  }
  const auto at = device_free_.find(static_cast<int64_t>(row));
  if (at != device_free_.end()) sqlite3_result_int64(context, at->second);
}

void RelationReader::result(sqlite3_context* context, int column, size_t row) {
  const RelationColumn& declared = relation_.columns[column];
  switch (declared.show) {
    case Show::device: return sqlite3_result_int64(context, device_);
    case Show::row_id: return sqlite3_result_int64(context, first_id_ + static_cast<int64_t>(row));
    case Show::device_free: return result_device_free(context, row);
    case Show::nothing:
    case Show::at_device:
    case Show::at_event: return;
    default: break;
  }
  const int64_t value = stored(column, row, kNeverNull);
  if (value == kNeverNull && declared.show != Show::address) return;
  if (value == declared.null_value && declared.null_value != kNeverNull) return;
  result_mapped(context, declared, value, row);
}

void RelationReader::result_mapped(sqlite3_context* context, const RelationColumn& declared, int64_t value, size_t row) {
  switch (declared.show) {
    case Show::address: return result_text(context, hex_address(static_cast<uint64_t>(value)));
    case Show::action:
      if (const std::string* word = names_.action(value)) result_text(context, *word);
      return;
    case Show::state:
      if (value >= 0 && value < kStateWordCount) result_text(context, kStateWords[value]);
      return;
    case Show::segment_type: return result_text(context, value ? "large" : "small");
    case Show::stream:
      if (const auto handle = names_.stream(value)) sqlite3_result_int64(context, *handle);
      return;
    case Show::pool:
      if (const std::string* name = names_.pool(value)) result_text(context, *name);
      return;
    case Show::string: return result_string(context, value);
    case Show::event_time: return result_event_time(context, value);
    case Show::slot:
      return sqlite3_result_int64(
          context, value < 0 ? kNoStackSlot : other(slots_, "stack", "slot")->at(static_cast<size_t>(value), kNoStackSlot));
    case Show::alloc_known: return sqlite3_result_int(context, value >= 0);
    case Show::freed: {
      const int64_t completed = other(free_completed_, relation_.packed, "free_completed")->at(row, kNoEventStored);
      return sqlite3_result_int(context, (value >= 0 && value != kNoEventStored) || completed != kNoEventStored);
    }
    default: return sqlite3_result_int64(context, value);
  }
}

}  // namespace tidemark
