// Interning by value: equal strings, frames and stacks get one dense id, whatever the file shares by object.
#pragma once

#include <cstdint>
#include <cstring>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "model/hash_seed.h"

namespace tidemark {

// A 64-bit hash of bytes, eight at a time; not stable between versions. Of untrusted bytes only with hash_seed().
inline uint64_t hash_bytes(const void* data, size_t length, uint64_t seed = 0xcbf29ce484222325ull) {
  constexpr uint64_t kMultiplier = 0x9e3779b97f4a7c15ull;
  const auto* p = static_cast<const unsigned char*>(data);
  uint64_t h = seed ^ (length * kMultiplier);
  while (length >= 8) {
    uint64_t word;
    std::memcpy(&word, p, 8);
    h = (h ^ word) * kMultiplier;
    h ^= h >> 32;
    p += 8;
    length -= 8;
  }
  uint64_t tail = 0;
  for (size_t i = 0; i < length; ++i) tail |= static_cast<uint64_t>(p[i]) << (8 * i);
  h = (h ^ tail) * kMultiplier;
  return h ^ (h >> 29);
}

// Open-addressing set of dense ids; the owner compares the items. Twelve bytes a slot would not pay: the upper half of
// the hash next to the id rejects nearly every wrong candidate without touching the item.
class IdSet {
 public:
  static constexpr uint32_t kEmpty = 0xFFFFFFFFu;

  // The id with this hash for which same(id) holds, or kEmpty.
  template <typename Same>
  uint32_t find(uint64_t hash, Same&& same) const {
    if (slots_.empty()) return kEmpty;
    const auto tag = static_cast<uint32_t>(hash >> 32);
    for (size_t at = hash & mask_;; at = (at + 1) & mask_) {
      const Slot slot = slots_[at];
      if (slot.id == kEmpty) return kEmpty;
      if (slot.tag == tag && same(slot.id)) return slot.id;
    }
  }

  // Adds an id that find() did not report; rehash(id) gives the hash of an id added before.
  template <typename Rehash>
  void add(uint64_t hash, uint32_t id, Rehash&& rehash) {
    if ((count_ + 1) * 2 > slots_.size()) grow(rehash);
    place(hash, id);
    ++count_;
  }

  // Removes the id added last. Nothing was placed after it, so no probe run passes through its slot.
  void remove_last(uint64_t hash, uint32_t id) {
    size_t at = hash & mask_;
    while (slots_[at].id != id) at = (at + 1) & mask_;
    slots_[at].id = kEmpty;
    --count_;
  }

 private:
  struct Slot {
    uint32_t tag = 0;
    uint32_t id = kEmpty;
  };

  void place(uint64_t hash, uint32_t id) {
    size_t at = hash & mask_;
    while (slots_[at].id != kEmpty) at = (at + 1) & mask_;
    slots_[at] = {static_cast<uint32_t>(hash >> 32), id};
  }

  template <typename Rehash>
  void grow(Rehash&& rehash) {
    std::vector<Slot> old(slots_.empty() ? 64 : slots_.size() * 2);
    old.swap(slots_);
    mask_ = slots_.size() - 1;
    for (const Slot& slot : old) {
      if (slot.id != kEmpty) place(rehash(slot.id), slot.id);
    }
  }

  std::vector<Slot> slots_;
  size_t mask_ = 0;
  size_t count_ = 0;
};

// Strings interned by value. References and views returned by at() stay valid while the table lives.
class StringTable {
 public:
  uint32_t intern(std::string_view text) {
    const uint64_t hash = hash_of(text);
    const uint32_t known = ids_.find(hash, [&](uint32_t id) { return texts_[id] == text; });
    if (known != IdSet::kEmpty) return known;
    const auto id = static_cast<uint32_t>(texts_.size());
    texts_.emplace_back(text);
    ids_.add(hash, id, [this](uint32_t old) { return hash_of(texts_[old]); });
    return id;
  }
  const std::string& at(uint32_t id) const { return texts_[id]; }
  size_t size() const { return texts_.size(); }

 private:
  static uint64_t hash_of(std::string_view text) { return hash_bytes(text.data(), text.size(), hash_seed()); }

  std::deque<std::string> texts_;
  IdSet ids_;
};

// Lists of uint32_t interned by value (used for stacks: frame ids, innermost first).
class StackTable {
 public:
  uint32_t intern(const uint32_t* frames, size_t count) {
    const uint64_t hash = hash_bytes(frames, count * sizeof(uint32_t));
    const uint32_t known = ids_.find(hash, [&](uint32_t id) { return equals(id, frames, count); });
    if (known != IdSet::kEmpty) return known;
    const auto id = static_cast<uint32_t>(size());
    items_.insert(items_.end(), frames, frames + count);
    begins_.push_back(items_.size());
    ids_.add(hash, id, [this](uint32_t old) { return hash_of(old); });
    return id;
  }
  // Takes back the newest list; only for a reader that learns that the list goes on and holds no other use of the id.
  void remove_last() {
    const auto id = static_cast<uint32_t>(size() - 1);
    ids_.remove_last(hash_of(id), id);
    begins_.pop_back();
    items_.resize(begins_.back());
  }
  size_t size() const { return begins_.size() - 1; }
  size_t depth(uint32_t id) const { return begins_[id + 1] - begins_[id]; }
  const uint32_t* frames(uint32_t id) const { return items_.data() + begins_[id]; }

 private:
  uint64_t hash_of(uint32_t id) const { return hash_bytes(frames(id), depth(id) * sizeof(uint32_t)); }
  bool equals(uint32_t id, const uint32_t* frames, size_t count) const {
    return depth(id) == count && (count == 0 || std::memcmp(this->frames(id), frames, count * sizeof(uint32_t)) == 0);
  }
  std::vector<uint32_t> items_;
  std::vector<size_t> begins_{0};
  IdSet ids_;
};

// Frames (three ids) interned by value: name, filename, line.
class FrameTable {
 public:
  uint32_t intern(uint32_t name, uint32_t filename, int64_t line) {
    const auto bits = static_cast<uint64_t>(line);
    const uint32_t key[4] = {name, filename, static_cast<uint32_t>(bits), static_cast<uint32_t>(bits >> 32)};
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
