// The call trees of a connection's stacks: the frames are read once, and the trees asked for last are kept.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "query/call_tree.h"

namespace tidemark {

class FlameCache {
 public:
  // The frames of the first `stack_count` stacks of the connection's index in its `generation`; nullptr on failure.
  const StackFrames* frames(sqlite3* db, uint64_t generation, size_t stack_count, const StopSignal& stop, Failure& failure);

  // The tree of frames() with these options, `key` being their text; nullptr on failure.
  std::shared_ptr<const CallTree> tree(const StackFrames& frames, const std::string& key, const CallTreeOptions& options,
                                       const StopSignal& stop, Failure& failure);

 private:
  struct Kept {
    std::string key;
    std::shared_ptr<const CallTree> tree;
  };
  uint64_t generation_ = 0;
  std::unique_ptr<StackFrames> frames_;
  std::vector<Kept> kept_;  // that used last at the end
};

}  // namespace tidemark
