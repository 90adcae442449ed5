// Flame graphs: the weights of stacks added up along a call tree, and the part of it that a picture shows.
#pragma once

#include <cstdint>
#include <vector>

#include "query/call_tree.h"
#include "query/stack_weights.h"

namespace tidemark {

// By node of the tree: what ends there, and with all that is below it.
struct FlameSums {
  std::vector<FlameWeight> self;
  std::vector<FlameWeight> total;
};

FlameSums add_up(const CallTree& tree, const std::vector<FlameWeight>& stacks);

// By node: the bytes of each category at it and below; `stacks` by item of CallTree::node_of.
std::vector<CategoryBytes> add_up(const CallTree& tree, const std::vector<CategoryBytes>& stacks);

// By node: the frame, of those that are one by line, that all its frames are of in the stacks that weigh something; kSeveralLines = none, or several.
inline constexpr uint32_t kSeveralLines = 0xFFFFFFFFu;
std::vector<uint32_t> lines_of(const CallTree& tree, const StackFrames& frames, const std::vector<FlameWeight>& stacks);

enum class FlameOrder { size, time };  // of siblings: largest first, or that with the earliest allocation first

struct FlameRequest {
  uint32_t root = 0;       // node; only what is below it is shown
  FlameOrder order = FlameOrder::size;
  size_t limit = 0;        // nodes, the largest
};

// The nodes to show: `root` first, each followed by its children and theirs; a node that is shown has its parent shown.
struct FlameSelection {
  std::vector<uint32_t> nodes;
  std::vector<int64_t> parent;    // place in `nodes`; −1 of the root
  uint64_t left_out = 0;          // nodes that weigh something and are not shown
};

// `root` is a node of the tree. `query/cancelled` when stopped.
Failure select_flame(const CallTree& tree, const FlameSums& sums, const FlameRequest& request, const StopSignal& stop, FlameSelection& out);

// What the frames of a search weigh: a stack with several of them counts once.
struct FlameMatch {
  FlameWeight total;
  uint64_t nodes = 0;              // that weigh something
  std::vector<uint32_t> frames;    // of these nodes, by number, each once
};

// `matches`: by frame of the tree, 1 = found. Only what is at or below `root`.
FlameMatch match_flame(const CallTree& tree, const FlameSums& sums, uint32_t root, const std::vector<uint8_t>& matches);

// The stacks that end at `node` or below it, as stack_ids (−1 = none); of a node with a bare_slot() all without frames.
std::vector<int64_t> stacks_below(const CallTree& tree, uint32_t node);

}  // namespace tidemark
