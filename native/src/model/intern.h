// Interning by value: equal strings, frames and stacks get one dense id, whatever the file shares by object.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tidemark {

inline uint64_t hash_bytes(const void* data, size_t length, uint64_t seed = 0xcbf29ce484222325ull) {
  const auto* p = static_cast<const unsigned char*>(data);
  uint64_t h = seed;
  for (size_t i = 0; i < length; ++i) h = (h ^ p[i]) * 0x100000001b3ull;
  return h;
}

class StringTable {
 public:
  uint32_t intern(std::string_view text) {
    const auto found = ids_.find(text);
    if (found != ids_.end()) return found->second;
    const auto id = static_cast<uint32_t>(texts_.size());
    texts_.emplace_back(text);
    ids_.emplace(texts_.back(), id);
    return id;
  }
  const std::string& at(uint32_t id) const { return texts_[id]; }
  size_t size() const { return texts_.size(); }

 private:
  std::deque<std::string> texts_;  // a deque keeps the views in ids_ valid
  std::unordered_map<std::string_view, uint32_t> ids_;
};

// Lists of uint32_t interned by value (used for stacks: frame ids, innermost first).
class StackTable {
 public:
  uint32_t intern(const uint32_t* frames, size_t count) {
    const uint64_t h = hash_bytes(frames, count * sizeof(uint32_t));
    auto [it, end] = ids_.equal_range(h);
    for (; it != end; ++it) {
      if (equals(it->second, frames, count)) return it->second;
    }
    const auto id = static_cast<uint32_t>(size());
    items_.insert(items_.end(), frames, frames + count);
    begins_.push_back(items_.size());
    ids_.emplace(h, id);
    return id;
  }
  size_t size() const { return begins_.size() - 1; }
  size_t depth(uint32_t id) const { return begins_[id + 1] - begins_[id]; }
  const uint32_t* frames(uint32_t id) const { return items_.data() + begins_[id]; }

 private:
  bool equals(uint32_t id, const uint32_t* frames, size_t count) const {
    if (depth(id) != count) return false;
    const uint32_t* own = this->frames(id);
    for (size_t i = 0; i < count; ++i) {
      if (own[i] != frames[i]) return false;
    }
    return true;
  }
  std::vector<uint32_t> items_;
  std::vector<size_t> begins_{0};
  std::unordered_multimap<uint64_t, uint32_t> ids_;
};

// Frames (three ids) interned by value: name, filename, line.
class FrameTable {
 public:
  uint32_t intern(uint32_t name, uint32_t filename, int64_t line) {
    const uint32_t key[4] = {name, filename, static_cast<uint32_t>(line), static_cast<uint32_t>(line >> 32)};
    return rows_.intern(key, 4);
  }
  size_t size() const { return rows_.size(); }
  uint32_t name(uint32_t id) const { return rows_.frames(id)[0]; }
  uint32_t filename(uint32_t id) const { return rows_.frames(id)[1]; }
  int64_t line(uint32_t id) const {
    const uint32_t* row = rows_.frames(id);
    return static_cast<int64_t>(row[2] | (static_cast<uint64_t>(row[3]) << 32));
  }

 private:
  StackTable rows_;
};

}  // namespace tidemark
