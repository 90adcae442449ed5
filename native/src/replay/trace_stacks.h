// What encloses the memory events of a trace: stacks of the slices around them, and the op among these that says what was done.
#pragma once

#include <vector>

#include "nesting/nested_trace.h"

namespace tidemark {

// Whether a name is `ProfilerStep#` and a number.
bool is_step_name(const std::string& name);

class TraceStacks {
 public:
  // Frames and stacks are interned into `names`. All three must outlive it.
  TraceStacks(const Trace& trace, const NestedTrace& nested, Snapshot& names);

  struct Place {
    uint32_t stack = kNone;  // of `names`: innermost first, at most kMostFrames
    uint32_t op = kNone;     // Trace::strings id
  };
  // What encloses a moment whose innermost slice is `slice` (or kNoSlice).
  Place at(int64_t slice);
  // How many stacks lost frames because all together have too many.
  uint64_t cut_count() const { return cut_count_; }

  static constexpr size_t kMostFrames = 256;
  // Frames of all stacks together, about; afterwards a stack keeps kFewFrames only. A small file can have many deep ones.
  static constexpr size_t kMostFramesOfAll = size_t{8} << 20;
  static constexpr size_t kFewFrames = 8;

 private:
  static constexpr uint32_t kUnset = 0xFFFFFFFEu;

  // One way to enclose a moment: `frame` inside what `parent` stands for. Node 0 is nothing at all.
  struct Node {
    uint32_t parent = 0;
    uint32_t frame = 0;
    uint32_t op = kNone;
    uint32_t stack = kUnset;
    bool op_says_something = false;
  };
  enum NameKind : uint8_t { kUnknownName, kPlainName, kStepName, kMakerName };
  struct NameFrame {
    uint32_t frame = kNone;
    uint16_t category = 0;
  };

  uint32_t node_of(int64_t slice);
  uint32_t child(uint32_t parent, const NestedSlice& slice);
  uint32_t frame_of(const NestedSlice& slice);
  NameKind kind_of(uint32_t name);
  uint32_t stack_of(uint32_t node);

  const Trace& trace_;
  const NestedTrace& nested_;
  Snapshot& names_;
  std::vector<uint32_t> node_of_slice_;
  std::vector<Node> nodes_;
  IdSet node_ids_;                    // by (parent, frame)
  std::vector<NameFrame> frames_;     // by Trace::strings id: the frame made last
  std::vector<NameKind> name_kinds_;  // by Trace::strings id
  std::vector<uint64_t> chain_;
  std::vector<uint32_t> frames_of_stack_;
  size_t frame_count_ = 0;            // of all stacks
  uint64_t cut_count_ = 0;
};

}  // namespace tidemark
