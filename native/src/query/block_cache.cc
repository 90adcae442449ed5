#include "query/block_cache.h"

namespace tidemark {

std::shared_ptr<const BlockLayout> BlockCache::layout(const DeviceColumns& columns, uint64_t generation, int64_t event,
                                                      const StopSignal& stop, Failure& problem) {
  if (generation_ != generation) {
    layouts_.clear();
    histories_.clear();
    generation_ = generation;
  }
  for (auto at = layouts_.begin(); at != layouts_.end(); ++at) {
    if ((*at)->event != event || &(*at)->columns() != &columns) continue;
    layouts_.splice(layouts_.begin(), layouts_, at);
    return layouts_.front();
  }
  std::shared_ptr<const BlockHistory>& history = histories_[columns.device];
  if (!history) {
    auto derived = std::make_shared<BlockHistory>();
    problem = derive_history(columns, stop, *derived);
    if (problem.failed()) return nullptr;
    history = std::move(derived);
  }
  std::shared_ptr<BlockLayout> layout = fresh_layout();
  problem = lay_out(history, event, stop, *layout);
  if (problem.failed()) return nullptr;
  layouts_.push_front(layout);
  return layout;
}

// The memory of the layout that was used longest ago, unless a cursor still reads it: fresh pages would cost more than the pass.
std::shared_ptr<BlockLayout> BlockCache::fresh_layout() {
  if (layouts_.size() < kMostLayouts) return std::make_shared<BlockLayout>();
  std::shared_ptr<BlockLayout> oldest = std::move(layouts_.back());
  layouts_.pop_back();
  return oldest.use_count() == 1 ? oldest : std::make_shared<BlockLayout>();
}

}  // namespace tidemark
