#include "query/call_tree.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace tidemark {
namespace {

constexpr size_t kFramesPerLook = size_t{1} << 16;

class CallTreeBuilder {
 public:
  CallTreeBuilder(const StackFrames& frames, const CallTreeOptions& options, CallTree& out)
      : frames_(frames), options_(options), same_(frames.same(options.merge)), hidden_(frames.holding(options.hide)), out_(out) {
    const auto numbers = [&](const std::vector<int64_t>& ids) {
      std::vector<uint32_t> found;
      for (const int64_t id : ids) found.push_back(same_as(id));
      return found;
    };
    with_ = numbers(options.with);
    without_ = numbers(options.without);
    has_pivot_ = options.pivot >= 0;
    if (has_pivot_) pivot_ = same_as(options.pivot);
    out_.hidden_frames = static_cast<uint64_t>(std::count(hidden_.begin(), hidden_.end(), uint8_t{1}));
    out_.nodes.push_back({0, kRootFrame, 0});
  }

  Failure build(const StopSignal& stop) {
    out_.node_of.reserve(frames_.stack_count() + 1 + kCategoryCount);
    path_.clear();
    out_.node_of.push_back(is_wanted() ? child(0, kNoFrame) : kLeftOut);
    for (size_t stack = 0; stack < frames_.stack_count(); ++stack) {
      out_.node_of.push_back(place(stack));
      // A stack may have any number of frames.
      looked_ += path_.size() + 1;
      if (looked_ < kFramesPerLook) continue;
      looked_ = 0;
      if (stop()) return query_cancelled();
    }
    for (uint32_t slot = 1; slot <= kCategoryCount; ++slot) {
      const bool is_left_out = out_.node_of.front() == kLeftOut;
      out_.node_of.push_back(is_left_out ? kLeftOut : child(0, kBareFrame + slot));
    }
    return {};
  }

 private:
  // kNoFrame where the capture has no such frame: no stack holds it.
  uint32_t same_as(int64_t frame_id) const {
    const uint32_t frame = frames_.find(frame_id);
    return frame < same_.size() ? same_[frame] : kNoFrame;
  }

  uint32_t place(size_t stack) {
    path_.clear();
    for (const uint32_t* frame = frames_.begin(stack); frame != frames_.end(stack); ++frame) path_.push_back(same_[*frame]);
    const bool is_empty = path_.empty();
    if (!is_wanted()) return kLeftOut;
    std::reverse(path_.begin(), path_.end());  // outermost first
    if (has_pivot_) turn_around_pivot();
    // A hidden frame may count as the same as one that is not: then both have one text, and both are hidden.
    path_.erase(std::remove_if(path_.begin(), path_.end(), [&](uint32_t frame) { return hidden_[frame] && !is_pivot(frame); }), path_.end());
    if (options_.fold_recursion) path_.erase(std::unique(path_.begin(), path_.end()), path_.end());
    if (options_.from_innermost) std::reverse(path_.begin(), path_.end());
    if (is_empty) return child(0, kNoFrame);
    uint32_t node = 0;
    for (const uint32_t frame : path_) node = child(node, frame);
    return node;
  }

  bool holds(uint32_t frame) const { return std::find(path_.begin(), path_.end(), frame) != path_.end(); }
  bool is_pivot(uint32_t frame) const { return has_pivot_ && frame == pivot_; }
  bool is_wanted() const {
    if (has_pivot_ && !holds(pivot_)) return false;
    return std::all_of(with_.begin(), with_.end(), [&](uint32_t frame) { return holds(frame); }) &&
           std::none_of(without_.begin(), without_.end(), [&](uint32_t frame) { return holds(frame); });
  }

  // Of a frame that calls itself the outermost call counts, so that each stack counts once.
  void turn_around_pivot() {
    const auto at = std::find(path_.begin(), path_.end(), pivot_);
    if (options_.from_innermost) path_.erase(at + 1, path_.end());
    else path_.erase(path_.begin(), at);
  }

  uint32_t child(uint32_t parent, uint32_t frame) {
    const auto next = static_cast<uint32_t>(out_.nodes.size());
    const auto [found, is_new] = known_.emplace(uint64_t{parent} << 32 | frame, next);
    if (is_new) out_.nodes.push_back({parent, frame, out_.nodes[parent].depth + 1});
    return found->second;
  }

  const StackFrames& frames_;
  const CallTreeOptions& options_;
  const std::vector<uint32_t>& same_;
  const std::vector<uint8_t> hidden_;
  CallTree& out_;
  std::vector<uint32_t> with_, without_;
  uint32_t pivot_ = 0;
  bool has_pivot_ = false;
  std::vector<uint32_t> path_;
  size_t looked_ = 0;  // frames since the last look at the stop signal
  std::unordered_map<uint64_t, uint32_t> known_;
};

}  // namespace

Failure build_call_tree(const StackFrames& frames, const CallTreeOptions& options, const StopSignal& stop, CallTree& out) {
  out = {};
  out.merge = options.merge;
  out.from_innermost = options.from_innermost;
  out.fold_recursion = options.fold_recursion;
  return CallTreeBuilder(frames, options, out).build(stop);
}

}  // namespace tidemark
