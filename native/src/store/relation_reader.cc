#include "store/relation_reader.h"

#include <cstring>

#include "store/index_writer.h"
#include "store/stack_slots.h"

namespace tidemark {

namespace {

void result_text(sqlite3_context* context, std::string_view text) {
  sqlite3_result_text(context, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
}

double double_of(int64_t bits) {
  double out;
  std::memcpy(&out, &bits, sizeof out);
  return out;
}

}  // namespace

RelationReader::RelationReader(ConnectionState& state, const Relation& relation, const DeviceRows& rows)
    : state_(state), relation_(relation), device_(rows.device), first_id_(rows.first_id) {
  columns_.resize(static_cast<size_t>(relation.column_count));
}

StoredColumn& RelationReader::column(int index) {
  const RelationColumn& declared = relation_.columns[index];
  return other(columns_[static_cast<size_t>(index)], declared.relation ? declared.relation : relation_.packed, declared.stored);
}

StoredColumn& RelationReader::other(std::unique_ptr<StoredColumn>& kept, const char* relation, const char* name) {
  if (!kept) kept = std::make_unique<StoredColumn>(state_.pieces(), relation, device_, name);
  return *kept;
}

int RelationReader::result_code() const {
  for (const auto& column : columns_) {
    if (column && column->result() != SQLITE_OK) return column->result();
  }
  const StoredColumn* others[] = {event_times_.get(), slots_.get(), free_completed_.get(), marks_.get(), lengths_.get()};
  for (const StoredColumn* column : others) {
    if (column && column->result() != SQLITE_OK) return column->result();
  }
  return SQLITE_OK;
}

void RelationReader::result_event_time(sqlite3_context* context, int64_t event) {
  const int64_t time = other(event_times_, "event", "time_ns").at(static_cast<size_t>(event), kNeverNull);
  if (time != kNeverNull) sqlite3_result_int64(context, time);
}

unsigned RelationReader::marks(size_t row) {
  return static_cast<unsigned>(other(marks_, relation_.packed, "marks").at(row, 0));
}

void RelationReader::result_string(sqlite3_context* context, int64_t id) {
  if (!string_text_) string_text_ = std::make_unique<Statement>(state_.db(), "SELECT text FROM string WHERE string_id = ?");
  string_text_->bind(1, id);
  if (string_text_->step() == SQLITE_ROW) result_text(context, string_text_->text(0));
  string_text_->reset();
}

void RelationReader::rows_of_track(Show show, int64_t track, int64_t& from, int64_t& to) {
  if (show == Show::lane_track) state_.owners().slices_of_track(track, from, to);
  else state_.owners().samples_of_track(track, from, to);
}

void RelationReader::result_owner(sqlite3_context* context, Show show, size_t row) {
  const bool is_lane = show == Show::lane_track || show == Show::lane_depth;
  const auto at = static_cast<int64_t>(row);
  const RowOwner* owner = is_lane ? state_.owners().lane_of(at) : state_.owners().series_of(at);
  if (!owner) return;
  if (show == Show::series_name) return result_text(context, owner->name);
  sqlite3_result_int64(context, show == Show::lane_depth ? owner->depth : owner->track);
}

// From the text kept in the index, else from the source of the connection.
void RelationReader::result_args(sqlite3_context* context, int64_t offset, size_t row) {
  const int64_t length = other(lengths_, relation_.packed, "length").at(row, 0);
  if (length <= 0) return;
  if (!event_args_) {
    event_args_ = std::make_unique<Statement>(
        state_.db(),
        "SELECT json_quote(json_extract(text, '$.args')) FROM (SELECT coalesce((SELECT text FROM event_text WHERE offset = ?1), ?2) AS text)"
        " WHERE json_valid(text) AND json_type(text, '$.args') IS NOT NULL");
  }
  std::optional<std::string> text{std::in_place};  // what is bound must live until the step
  const bool is_read = state_.event_text() && state_.event_text()(static_cast<uint64_t>(offset), static_cast<uint32_t>(length), *text);
  if (!is_read) text.reset();
  event_args_->bind(1, offset);
  event_args_->bind(2, text);
  if (event_args_->step() == SQLITE_ROW) result_text(context, event_args_->text(0));
  event_args_->reset();
}

void RelationReader::result_device_free(sqlite3_context* context, size_t row) {
  if (!oom_loaded_) {
    oom_loaded_ = true;
    Statement rows(state_.db(), "SELECT event, device_free_bytes FROM oom WHERE device = ? AND device_free_bytes IS NOT NULL");
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
    case Show::device_type:
      if (const std::string* word = state_.names().device_type(device_)) result_text(context, *word);
      return;
    case Show::row_id: return sqlite3_result_int64(context, first_id_ + static_cast<int64_t>(row));
    case Show::device_free: return result_device_free(context, row);
    case Show::lane_track:
    case Show::lane_depth:
    case Show::series_track:
    case Show::series_name: return result_owner(context, declared.show, row);
    case Show::nothing:
    case Show::at_device:
    case Show::at_event: return;
    default: break;
  }
  const int64_t value = this->column(column).at(row, kNeverNull);
  if (value == kNeverNull && declared.show != Show::address) return;
  if (value == declared.null_value && declared.null_value != kNeverNull) return;
  result_mapped(context, declared, value, row);
}

void RelationReader::result_mapped(sqlite3_context* context, const RelationColumn& declared, int64_t value, size_t row) {
  switch (declared.show) {
    case Show::address: return result_text(context, hex_address(static_cast<uint64_t>(value)));
    case Show::action:
      if (const std::string* word = state_.names().action(value)) result_text(context, *word);
      return;
    case Show::state:
      if (value >= 0 && value < kStateWordCount) result_text(context, kStateWords[value]);
      return;
    case Show::segment_type: return result_text(context, value ? "large" : "small");
    case Show::stream:
      if (const auto handle = state_.names().stream(value)) sqlite3_result_int64(context, *handle);
      return;
    case Show::pool:
      if (const std::string* name = state_.names().pool(value)) result_text(context, *name);
      return;
    case Show::string: return result_string(context, value);
    case Show::category:
      if (const std::string* name = state_.names().category(value)) result_text(context, *name);
      return;
    case Show::real: return sqlite3_result_double(context, double_of(value));
    case Show::args: return result_args(context, value, row);
    case Show::slot:
      return sqlite3_result_int64(
          context, value < 0 ? kNoStackSlot : other(slots_, "stack", "slot").at(static_cast<size_t>(value), kNoStackSlot));
    case Show::alloc_event:
    case Show::free_event:
    case Show::event_time:
    case Show::alloc_known:
    case Show::freed:
    case Show::unseen_free: return result_life(context, declared, value, row);
    case Show::stack_of_free: return sqlite3_result_int(context, (value & kStackOfFree) != 0);
    default: return sqlite3_result_int64(context, value);
  }
}

// What is said of an allocation's beginning and end. An unseen one is stored as made at the last event, and as given back there
// when its free is pending: the capture has neither event.
void RelationReader::result_life(sqlite3_context* context, const RelationColumn& declared, int64_t value, size_t row) {
  const bool is_known = value >= 0 && value != kNever && !(marks(row) & kMadeUnseen);
  switch (declared.show) {
    case Show::alloc_event:
    case Show::free_event:
      if (is_known) sqlite3_result_int64(context, value);
      return;
    case Show::event_time:
      if (is_known) result_event_time(context, value);
      return;
    case Show::alloc_known: return sqlite3_result_int(context, is_known);
    case Show::freed: {
      const int64_t completed = other(free_completed_, relation_.packed, "free_completed").at(row, kNever);
      return sqlite3_result_int(context, is_known || completed != kNever);
    }
    default: return sqlite3_result_int(context, !is_known && value != kNever);
  }
}

}  // namespace tidemark
