#include "query/stack_frames.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "store/sql.h"

namespace tidemark {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

Failure StackFrames::load(sqlite3* db, size_t stack_count, const StopSignal& stop) {
  const Failure failure = load_frames(db);
  return failure.failed() ? failure : load_stacks(db, stack_count, stop);
}

Failure StackFrames::load_frames(sqlite3* db) {
  Statement rows(db, "SELECT frame_id, filename || ':' || name FROM frame ORDER BY frame_id");
  std::unordered_map<std::string, uint32_t> known;
  int result = rows.step();
  for (; result == SQLITE_ROW; result = rows.step()) {
    const auto frame = static_cast<uint32_t>(ids_.size());
    ids_.push_back(rows.integer(0));
    texts_.emplace_back(rows.text(1));
    function_.push_back(known.emplace(texts_.back(), frame).first->second);
  }
  line_.resize(ids_.size());
  std::iota(line_.begin(), line_.end(), 0u);
  return read_failure(result, "the frames");
}

Failure StackFrames::load_stacks(sqlite3* db, size_t stack_count, const StopSignal& stop) {
  constexpr size_t kRowsBetweenLooks = 1 << 14;
  Statement rows(db, "SELECT stack_id, frame_id FROM stack_frame ORDER BY stack_id, position");
  first_.assign(1, 0);
  int result = rows.step();
  for (; result == SQLITE_ROW; result = rows.step()) {
    const int64_t stack = rows.integer(0);
    const uint32_t frame = find(rows.integer(1));
    if (stack < 0 || static_cast<uint64_t>(stack) >= stack_count || frame == frame_count()) continue;
    first_.resize(std::max(first_.size(), static_cast<size_t>(stack) + 1), frames_.size());
    frames_.push_back(frame);
    if (frames_.size() % kRowsBetweenLooks == 0 && stop()) return query_cancelled();
  }
  first_.resize(stack_count + 1, frames_.size());
  return read_failure(result, "the stacks");
}

uint32_t StackFrames::find(int64_t frame_id) const {
  const auto found = std::lower_bound(ids_.begin(), ids_.end(), frame_id);
  const bool is_there = found != ids_.end() && *found == frame_id;
  return static_cast<uint32_t>(is_there ? found - ids_.begin() : ids_.end() - ids_.begin());
}

std::vector<uint8_t> StackFrames::holding(const std::vector<std::string>& texts, bool any_case) const {
  std::vector<uint8_t> out(texts_.size(), 0);
  const auto is_same = [&](char a, char b) { return a == b || (any_case && lower(a) == lower(b)); };
  for (size_t frame = 0; frame < texts_.size(); ++frame) {
    const std::string& of = texts_[frame];
    const auto is_in = [&](const std::string& text) {
      return std::search(of.begin(), of.end(), text.begin(), text.end(), is_same) != of.end() || text.empty();
    };
    out[frame] = std::any_of(texts.begin(), texts.end(), is_in) ? 1 : 0;
  }
  return out;
}

}  // namespace tidemark
