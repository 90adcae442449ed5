// The histories of the devices of one connection, and the layouts asked for last: a view asks several questions about one event.
#pragma once

#include <list>
#include <map>
#include <memory>

#include "query/block_layout.h"

namespace tidemark {

class BlockCache {
 public:
  // The layout after `event`, −1 to event_count − 1, of `columns`, which are of `generation` of the connection's columns.
  // nullptr on failure, `problem` is then `index/not_an_index` or `query/cancelled`.
  std::shared_ptr<const BlockLayout> layout(const DeviceColumns& columns, uint64_t generation, int64_t event,
                                            const StopSignal& stop, Failure& problem);

 private:
  static constexpr size_t kMostLayouts = 3;
  std::shared_ptr<BlockLayout> fresh_layout();

  uint64_t generation_ = 0;
  std::map<int32_t, std::shared_ptr<const BlockHistory>> histories_;
  std::list<std::shared_ptr<BlockLayout>> layouts_;  // used last first
};

}  // namespace tidemark
