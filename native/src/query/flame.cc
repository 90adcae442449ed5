#include "query/flame.h"

#include <algorithm>
#include <iterator>
#include <tuple>

#include "query/stoppable.h"

namespace tidemark {
namespace {

double size_of(const FlameWeight& weight) { return std::max(weight.value, weight.base); }

// By node: 1 = `root` or below it.
std::vector<uint8_t> below(const CallTree& tree, uint32_t root) {
  std::vector<uint8_t> in(tree.nodes.size(), 0);
  in[root] = 1;
  for (uint32_t node = root + 1; node < tree.nodes.size(); ++node) in[node] = in[tree.nodes[node].parent];
  return in;
}

constexpr uint32_t kNotSeen = 0xFFFFFFFEu;

// Follows stacks from where they end in the tree up to its root. Frames that the tree leaves out (hidden ones, those beyond a pivot) are passed over.
class LineFinder {
 public:
  LineFinder(const CallTree& tree, const StackFrames& frames, std::vector<uint32_t>& lines)
      : tree_(tree), same_(frames.same(tree.merge)), line_(frames.same(FrameMerge::line)), lines_(lines) {}

  // `begin` to `end`: the frames in the order in which they lie from `node` to the root.
  template <typename Frame>
  void follow(uint32_t node, Frame begin, Frame end) {
    bool is_inside = false;  // a frame of the node was met: with folded recursion others may follow
    for (Frame frame = begin; frame != end && node != 0; ++frame) {
      const bool is_next = is_inside && same_[*frame] != tree_.nodes[node].frame && is_of(tree_.nodes[node].parent, *frame);
      if (is_next) node = tree_.nodes[node].parent;
      if (!is_of(node, *frame)) continue;
      note(node, line_[*frame]);
      is_inside = tree_.fold_recursion;
      if (!is_inside) node = tree_.nodes[node].parent;
    }
  }

 private:
  bool is_of(uint32_t node, uint32_t frame) const { return node != 0 && tree_.nodes[node].frame == same_[frame]; }
  void note(uint32_t node, uint32_t line) {
    if (lines_[node] == kNotSeen) lines_[node] = line;
    else if (lines_[node] != line) lines_[node] = kSeveralLines;
  }

  const CallTree& tree_;
  const std::vector<uint32_t>& same_;
  const std::vector<uint32_t>& line_;
  std::vector<uint32_t>& lines_;
};

class FlameSelector {
 public:
  FlameSelector(const CallTree& tree, const FlameSums& sums, const FlameRequest& request, const StopSignal& stop)
      : tree_(tree), sums_(sums), request_(request), stop_(stop) {}

  Failure select(FlameSelection& out) {
    const std::vector<uint8_t> in = below(tree_, request_.root);
    std::vector<uint32_t> nodes;
    for (uint32_t node = request_.root; node < in.size(); ++node) {
      if (in[node] && (node == request_.root || !sums_.total[node].is_empty())) nodes.push_back(node);
    }
    if (nodes.size() > request_.limit) {
      // A parent is as large as its children and stands before them, so it stays with them.
      const auto is_larger = [&](uint32_t a, uint32_t b) {
        return std::tuple(-size_of(sums_.total[a]), a) < std::tuple(-size_of(sums_.total[b]), b);
      };
      std::nth_element(nodes.begin(), nodes.begin() + static_cast<std::ptrdiff_t>(request_.limit), nodes.end(), is_larger);
      out.left_out = nodes.size() - request_.limit;
      nodes.resize(request_.limit);
    }
    const Failure failure = stoppable_sort(nodes, [&](uint32_t a, uint32_t b) { return is_before(a, b); }, stop_);
    if (!failure.failed()) lay_out(nodes, out);
    return failure;
  }

 private:
  // By parent, then in order of the siblings.
  bool is_before(uint32_t a, uint32_t b) const {
    const auto key = [&](uint32_t node) {
      const FlameWeight& weight = sums_.total[node];
      return std::tuple(node == request_.root ? uint32_t{0} : tree_.nodes[node].parent + 1,
                        request_.order == FlameOrder::time ? weight.first : -size_of(weight), node);
    };
    return key(a) < key(b);
  }

  // `nodes` in order of is_before(): the root, then its children together, and so on.
  void lay_out(const std::vector<uint32_t>& nodes, FlameSelection& out) const {
    struct Open {
      uint32_t node;
      int64_t parent;
    };
    std::vector<Open> open{{request_.root, -1}};
    while (!open.empty()) {
      const Open next = open.back();
      open.pop_back();
      const auto place = static_cast<int64_t>(out.nodes.size());
      out.nodes.push_back(next.node);
      out.parent.push_back(next.parent);
      const auto is_earlier = [&](uint32_t node, uint32_t parent) { return node != request_.root && tree_.nodes[node].parent < parent; };
      auto child = std::lower_bound(nodes.begin() + 1, nodes.end(), next.node, is_earlier);
      const size_t first = open.size();
      for (; child != nodes.end() && tree_.nodes[*child].parent == next.node; ++child) open.push_back({*child, place});
      std::reverse(open.begin() + static_cast<std::ptrdiff_t>(first), open.end());  // the last is taken first
    }
  }

  const CallTree& tree_;
  const FlameSums& sums_;
  const FlameRequest& request_;
  const StopSignal& stop_;
};

}  // namespace

std::vector<uint32_t> lines_of(const CallTree& tree, const StackFrames& frames, const std::vector<FlameWeight>& stacks) {
  std::vector<uint32_t> lines(tree.nodes.size(), kNotSeen);
  LineFinder finder(tree, frames, lines);
  for (size_t stack = 0; stack < frames.stack_count(); ++stack) {
    const uint32_t node = tree.node_of[stack + 1];
    if (node == kLeftOut || stacks[stack + 1].is_empty()) continue;
    const uint32_t *begin = frames.begin(stack), *end = frames.end(stack);
    if (tree.from_innermost) finder.follow(node, std::make_reverse_iterator(end), std::make_reverse_iterator(begin));
    else finder.follow(node, begin, end);
  }
  std::replace(lines.begin(), lines.end(), kNotSeen, kSeveralLines);
  return lines;
}

FlameSums add_up(const CallTree& tree, const std::vector<FlameWeight>& stacks) {
  FlameSums out;
  out.self.resize(tree.nodes.size());
  for (size_t item = 0; item < std::min(stacks.size(), tree.node_of.size()); ++item) {
    if (tree.node_of[item] != kLeftOut) out.self[tree.node_of[item]].add(stacks[item]);
  }
  out.total = out.self;
  for (size_t node = tree.nodes.size(); node-- > 1;) out.total[tree.nodes[node].parent].add(out.total[node]);
  return out;
}

std::vector<CategoryBytes> add_up(const CallTree& tree, const std::vector<CategoryBytes>& stacks) {
  std::vector<CategoryBytes> out(tree.nodes.size(), CategoryBytes{});
  const auto add = [&](size_t node, const CategoryBytes& bytes) {
    for (size_t i = 0; i < kCategoryCount; ++i) out[node][i] += bytes[i];
  };
  for (size_t item = 0; item < std::min(stacks.size(), tree.node_of.size()); ++item) {
    if (tree.node_of[item] != kLeftOut) add(tree.node_of[item], stacks[item]);
  }
  for (size_t node = tree.nodes.size(); node-- > 1;) add(tree.nodes[node].parent, out[node]);
  return out;
}

Failure select_flame(const CallTree& tree, const FlameSums& sums, const FlameRequest& request, const StopSignal& stop,
                     FlameSelection& out) {
  out = {};
  return FlameSelector(tree, sums, request, stop).select(out);
}

FlameMatch match_flame(const CallTree& tree, const FlameSums& sums, uint32_t root, const std::vector<uint8_t>& matches) {
  FlameMatch out;
  const std::vector<uint8_t> in = below(tree, root);
  std::vector<uint8_t> covered(tree.nodes.size(), 0);  // 1: a found frame is at the node or encloses it
  std::vector<uint8_t> seen(matches.size(), 0);
  for (uint32_t node = root; node < tree.nodes.size(); ++node) {
    if (!in[node]) continue;
    const CallNode& at = tree.nodes[node];
    const bool is_enclosed = node != root && covered[at.parent];
    const bool is_match = at.frame < matches.size() && matches[at.frame] && !sums.total[node].is_empty();
    covered[node] = is_enclosed || is_match;
    if (!is_match) continue;
    ++out.nodes;
    if (!is_enclosed) out.total.add(sums.total[node]);
    if (!seen[at.frame]) out.frames.push_back(at.frame);
    seen[at.frame] = 1;
  }
  return out;
}

std::vector<int64_t> stacks_below(const CallTree& tree, uint32_t node) {
  const std::vector<uint8_t> in = below(tree, bare_slot(tree.nodes[node]) > 0 ? tree.node_of.front() : node);
  std::vector<int64_t> out;
  for (size_t item = 0; item + kCategoryCount < tree.node_of.size(); ++item) {
    if (tree.node_of[item] != kLeftOut && in[tree.node_of[item]]) out.push_back(static_cast<int64_t>(item) - 1);
  }
  return out;
}

}  // namespace tidemark
