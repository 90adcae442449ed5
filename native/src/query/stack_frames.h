// The frames of every stack of a capture, and which of them count as one in a flame graph.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "query/query_error.h"
#include "query/stoppable.h"

struct sqlite3;

namespace tidemark {

// Which frames are one: those of a function (name and file), or those of a line.
enum class FrameMerge { function, line };

class StackFrames {
 public:
  // Reads the stacks 0 … stack_count − 1. `index/not_an_index`, `query/cancelled`.
  Failure load(sqlite3* db, size_t stack_count, const StopSignal& stop);

  size_t stack_count() const { return first_.empty() ? 0 : first_.size() - 1; }
  // Frames are numbered in order of their frame_id.
  size_t frame_count() const { return ids_.size(); }
  int64_t frame_id(uint32_t frame) const { return ids_[frame]; }
  // The number of a frame_id; frame_count() where the capture has no such frame.
  uint32_t find(int64_t frame_id) const;

  // The frames of a stack, innermost first.
  const uint32_t* begin(size_t stack) const { return frames_.data() + first_[stack]; }
  const uint32_t* end(size_t stack) const { return frames_.data() + first_[stack + 1]; }

  bool has_frames(size_t stack) const { return begin(stack) != end(stack); }

  // "filename:name" of a frame.
  const std::string& text(uint32_t frame) const { return texts_[frame]; }

  // By frame: the first frame that counts as the same.
  const std::vector<uint32_t>& same(FrameMerge merge) const { return merge == FrameMerge::function ? function_ : line_; }
  // By frame: 1 where "filename:name" holds one of the texts; Latin letters in any case where `any_case`.
  std::vector<uint8_t> holding(const std::vector<std::string>& texts, bool any_case = false) const;

 private:
  Failure load_frames(sqlite3* db);
  Failure load_stacks(sqlite3* db, size_t stack_count, const StopSignal& stop);

  std::vector<int64_t> ids_;
  std::vector<std::string> texts_;   // by frame: filename:name
  std::vector<uint32_t> function_;
  std::vector<uint32_t> line_;
  std::vector<size_t> first_;        // by stack, and the end
  std::vector<uint32_t> frames_;
};

}  // namespace tidemark
