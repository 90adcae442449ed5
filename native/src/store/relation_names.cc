#include "store/relation_names.h"

#include <iterator>

#include "store/sql.h"

namespace tidemark {

const char* const kActionWords[] = {"alloc",         "free_requested", "free_completed", "segment_alloc", "segment_free",
                                    "segment_map",   "segment_unmap",  "snapshot",       "oom",           "annotate",
                                    "user_defined",  "free",           "unknown"};
const int kActionWordCount = static_cast<int>(std::size(kActionWords));
const char* const kStateWords[] = {"active_allocated", "active_pending_free", "inactive"};
const int kStateWordCount = static_cast<int>(std::size(kStateWords));

void RelationNames::load_streams() {
  if (streams_loaded_) return;
  Statement rows(db_, "SELECT stream_index, handle FROM stream");
  int result;
  while ((result = rows.step()) == SQLITE_ROW) streams_[rows.integer(0)] = rows.integer(1);
  streams_loaded_ = result == SQLITE_DONE;
}

void RelationNames::load_pools() {
  if (pools_loaded_) return;
  Statement rows(db_, "SELECT pool_index, name FROM pool");
  int result;
  while ((result = rows.step()) == SQLITE_ROW) pools_[rows.integer(0)] = std::string(rows.text(1));
  pools_loaded_ = result == SQLITE_DONE;
}

void RelationNames::load_actions() {
  if (actions_loaded_) return;
  for (int i = 0; i < kActionWordCount; ++i) actions_[i] = kActionWords[i];
  Statement rows(db_, "SELECT code, word FROM action_word");
  int result;
  while ((result = rows.step()) == SQLITE_ROW) actions_[rows.integer(0)] = std::string(rows.text(1));
  actions_loaded_ = result == SQLITE_DONE;
}

void RelationNames::load_device_types() {
  if (device_types_loaded_) return;
  Statement rows(db_, "SELECT device, device_type FROM device");
  int result;
  while ((result = rows.step()) == SQLITE_ROW) device_types_[rows.integer(0)] = std::string(rows.text(1));
  device_types_loaded_ = result == SQLITE_DONE;
}

void RelationNames::load_categories() {
  if (categories_loaded_) return;
  Statement rows(db_, "SELECT category_id, name FROM trace_category WHERE name IS NOT NULL");
  int result;
  while ((result = rows.step()) == SQLITE_ROW) categories_[rows.integer(0)] = std::string(rows.text(1));
  categories_loaded_ = result == SQLITE_DONE;
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

const std::string* RelationNames::device_type(int64_t device) {
  load_device_types();
  const auto at = device_types_.find(device);
  return at == device_types_.end() ? nullptr : &at->second;
}

const std::string* RelationNames::category(int64_t id) {
  load_categories();
  const auto at = categories_.find(id);
  return at == categories_.end() ? nullptr : &at->second;
}

std::optional<int64_t> RelationNames::action_code(std::string_view word) {
  load_actions();
  for (const auto& [code, known] : actions_) {
    if (known == word) return code;
  }
  return std::nullopt;
}

TextCode RelationNames::category_code(std::string_view name) {
  load_categories();
  TextCode out;
  out.is_sole = categories_loaded_;
  for (const auto& [id, known] : categories_) {
    if (known != name) continue;
    if (out.value) out.is_sole = false;
    out.value = id;
  }
  return out;
}

TextCode RelationNames::string_code(std::string_view text) {
  if (last_string_ && last_string_->first == text) return last_string_->second;
  Statement rows(db_, "SELECT string_id FROM string WHERE text = ? LIMIT 2");
  rows.bind(1, text);
  TextCode out;
  int result;
  while ((result = rows.step()) == SQLITE_ROW) {
    if (out.value) out.is_sole = false;
    out.value = rows.integer(0);
  }
  if (result != SQLITE_DONE) return {std::nullopt, false};
  last_string_.emplace(text, out);
  return out;
}

}  // namespace tidemark
