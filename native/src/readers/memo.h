// The pickle memo: one 8-byte cell for each remembered value, because a large file remembers millions.
#pragma once

#include <cstdlib>
#include <cstring>
#include <new>
#include <unordered_map>
#include <vector>

#include "readers/value.h"

namespace tidemark::readers {

// A cell is one word, so that storing and fetching are one memory access each: bits 0–31 are the value's bits (or an index
// of the wide values), 32–39 its kind, 40 "used" (fetched while it could still grow: growing it later would be a cycle),
// 41 "wide" (the value needs 64 bits), 42 "set", 43 "simple" (a scalar: nothing to watch when it is fetched).
struct MemoCell {
  static constexpr uint64_t kUsed = uint64_t{1} << 40;
  static constexpr uint64_t kWide = uint64_t{1} << 41;
  static constexpr uint64_t kSet = uint64_t{1} << 42;
  static constexpr uint64_t kSimple = uint64_t{1} << 43;

  uint64_t word = 0;

  bool is(uint64_t flag) const { return (word & flag) != 0; }
  uint32_t bits() const { return static_cast<uint32_t>(word); }
  Kind kind() const { return static_cast<Kind>(word >> 32 & 0xFF); }
};
static_assert(sizeof(MemoCell) == 8, "the memo's memory is eight bytes a value");

class Memo {
 public:
  Memo() = default;
  Memo(const Memo&) = delete;
  Memo& operator=(const Memo&) = delete;
  ~Memo() { std::free(cells_); }

  // The cell at `index`, or nullptr when nothing was remembered there.
  MemoCell* find(uint64_t index) {
    if (index < size_) return cells_[index].is(MemoCell::kSet) ? &cells_[index] : nullptr;
    const auto it = sparse_.find(index);
    return it == sparse_.end() ? nullptr : &it->second;
  }

  // Dense access for the hot path.
  const MemoCell* cells() const { return cells_; }
  uint64_t dense_size() const { return size_; }
  // Index that MEMOIZE uses next (protocol 4 and up number by count).
  uint64_t count() const { return count_; }

  // Remembers `value` at `index`. A far index goes to a hash map, so memory follows the number of values, not the
  // index.
  void put(uint64_t index, const Value& value) {
    ++count_;
    if (index == size_ && size_ < capacity_) {
      cells_[size_++] = cell_of(value);
      return;
    }
    if (index < size_) {
      cells_[index] = cell_of(value);
      return;
    }
    if (index > size_ + kDenseGap) {
      sparse_[index] = cell_of(value);
      return;
    }
    reserve(index + 1);
    for (; size_ < index; ++size_) cells_[size_] = MemoCell{};
    cells_[size_++] = cell_of(value);
  }

  // Replaces what the cell holds, keeping its marks; for a container that has become something.
  void update(uint32_t index, const Value& value) {
    MemoCell* cell = find(index);
    if (!cell) return;
    const uint64_t used = cell->word & MemoCell::kUsed;
    cell->word = cell_of(value).word | used;
  }

  Value value_of(const MemoCell& cell) const {
    Value value;
    value.kind = cell.kind();
    value.bits = cell.is(MemoCell::kWide) ? wide_[cell.bits()] : cell.bits();
    return value;
  }

 private:
  static constexpr uint64_t kDenseGap = 65536;

  MemoCell cell_of(const Value& value) {
    const uint64_t kind = MemoCell::kSet | static_cast<uint64_t>(value.kind) << 32;
    if (value.bits <= 0xFFFFFFFFull) return {value.bits | kind | (value.kind < Kind::stack ? MemoCell::kSimple : 0)};
    wide_.push_back(value.bits);
    return {(wide_.size() - 1) | kind | MemoCell::kWide};
  }

  void reserve(uint64_t needed) {
    if (needed <= capacity_) return;
    uint64_t capacity = capacity_ ? capacity_ * 2 : 4096;
    if (capacity < needed) capacity = needed;
    // realloc and not a vector: the C library moves large areas by remapping pages instead of copying them.
    void* grown = std::realloc(static_cast<void*>(cells_), capacity * sizeof(MemoCell));
    if (!grown) throw std::bad_alloc();
    cells_ = static_cast<MemoCell*>(grown);
    capacity_ = capacity;
  }

  MemoCell* cells_ = nullptr;
  uint64_t size_ = 0;
  uint64_t capacity_ = 0;
  uint64_t count_ = 0;
  std::unordered_map<uint64_t, MemoCell> sparse_;
  std::vector<uint64_t> wide_;
};

}  // namespace tidemark::readers
