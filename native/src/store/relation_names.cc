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

}  // namespace tidemark
