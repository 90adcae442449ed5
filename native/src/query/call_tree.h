// The stacks of a capture as one tree: what a flame graph adds up.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "query/category_rules.h"
#include "query/stack_frames.h"

namespace tidemark {

struct CallTreeOptions {
  bool from_innermost = false;            // bottom-up: the root's children are the innermost frames
  FrameMerge merge = FrameMerge::function;
  bool fold_recursion = false;            // a frame that calls itself counts once
  std::vector<std::string> hide;          // frames are left out where "filename:name" holds one of these texts
  int64_t pivot = -1;                     // frame_id; −1 = none. Top-down: what it calls; bottom-up: what calls it. Other stacks are left out
  std::vector<int64_t> with;              // frame_ids: only stacks that have all of them
  std::vector<int64_t> without;           // frame_ids: only stacks that have none of them
};

struct CallNode {
  uint32_t parent = 0;
  uint32_t frame = 0;   // number of StackFrames, or one of those below
  uint32_t depth = 0;   // 0 = root
};
inline constexpr uint32_t kRootFrame = 0xFFFFFFFFu;
inline constexpr uint32_t kNoFrame = 0xFFFFFFFEu;   // a stack without frames, or no stack
inline constexpr uint32_t kBareFrame = 0xFFFFFF00u;  // + slot of a category: of these only the allocations of that category
inline constexpr uint32_t kLeftOut = 0xFFFFFFFFu;   // no node: the stack is left out

struct CallTree {
  std::vector<CallNode> nodes;         // node 0 is the root; a parent stands before its children
  std::vector<uint32_t> node_of;       // by item: stack_id + 1 (0 = no stack), then stack_count + slot (see kBareFrame); where it ends, or kLeftOut
  uint64_t hidden_frames = 0;          // frames of the capture that `hide` leaves out
  FrameMerge merge = FrameMerge::function;  // of these options
  bool from_innermost = false;
  bool fold_recursion = false;
};

// The slot of the category whose allocations without frames a node holds; 0 = another node.
inline uint32_t bare_slot(const CallNode& node) {
  return node.frame > kBareFrame && node.frame <= kBareFrame + kCategoryCount ? node.frame - kBareFrame : 0;
}

// Stacks all of whose frames are hidden end at the root. `query/cancelled` when stopped.
Failure build_call_tree(const StackFrames& frames, const CallTreeOptions& options, const StopSignal& stop, CallTree& out);

}  // namespace tidemark
