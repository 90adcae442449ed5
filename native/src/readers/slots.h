// Reusable numbered places for what a handle stands for.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

namespace tidemark::readers {

template <typename T>
class Slots {
 public:
  uint32_t make() {
    if (!free_.empty()) {
      const uint32_t id = free_.back();
      free_.pop_back();
      used_[id] = true;
      return id;
    }
    items_.emplace_back();
    used_.push_back(true);
    return static_cast<uint32_t>(items_.size() - 1);
  }
  // The item, or nullptr when the slot was never made or has been released.
  T* find(uint64_t id) { return id < items_.size() && used_[id] ? &items_[id] : nullptr; }
  void release(uint64_t id) {
    items_[id] = T{};
    used_[id] = false;
    free_.push_back(static_cast<uint32_t>(id));
  }
  size_t in_use() const { return items_.size() - free_.size(); }

 private:
  std::deque<T> items_;
  std::vector<bool> used_;
  std::vector<uint32_t> free_;
};

}  // namespace tidemark::readers
