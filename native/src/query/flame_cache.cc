#include "query/flame_cache.h"

#include <algorithm>

namespace tidemark {
namespace {

// A sandwich is made of two trees, and people go back and forth.
constexpr size_t kMostTrees = 6;

}  // namespace

const StackFrames* FlameCache::frames(sqlite3* db, uint64_t generation, size_t stack_count, const StopSignal& stop, Failure& failure) {
  if (frames_ && generation_ == generation && frames_->stack_count() == stack_count) return frames_.get();
  kept_.clear();
  frames_ = nullptr;
  auto loaded = std::make_unique<StackFrames>();
  failure = loaded->load(db, stack_count, stop);
  if (failure.failed()) return nullptr;
  generation_ = generation;
  frames_ = std::move(loaded);
  return frames_.get();
}

std::shared_ptr<const CallTree> FlameCache::tree(const StackFrames& frames, const std::string& key, const CallTreeOptions& options,
                                                 const StopSignal& stop, Failure& failure) {
  const auto known = std::find_if(kept_.begin(), kept_.end(), [&](const Kept& kept) { return kept.key == key; });
  if (known != kept_.end()) {
    std::rotate(known, known + 1, kept_.end());
    return kept_.back().tree;
  }
  auto tree = std::make_shared<CallTree>();
  failure = build_call_tree(frames, options, stop, *tree);
  if (failure.failed()) return nullptr;
  if (kept_.size() == kMostTrees) kept_.erase(kept_.begin());
  kept_.push_back({key, tree});
  return tree;
}

}  // namespace tidemark
