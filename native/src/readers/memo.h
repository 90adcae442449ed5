// The pickle memo: one 8-byte cell for each remembered value, because a large file remembers millions.
#pragma once

#include <cstdlib>
#include <cstring>
#include <new>
#include <unordered_map>
#include <vector>

#include "readers/value.h"

namespace tidemark::readers {

struct MemoCell {
  uint32_t bits = 0;
  Kind kind = Kind::opaque;
  uint8_t used = 0;    // fetched while it could still grow: growing it later would be a cycle
  uint8_t set = 0;     // 1 = something was remembered here, 2 = and bits is an index of wide_: the value needs 64 bits
  uint8_t simple = 0;  // a scalar whose value is bits: nothing to watch when it is fetched
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
    if (index < size_) return cells_[index].set ? &cells_[index] : nullptr;
    const auto it = sparse_.find(index);
    return it == sparse_.end() ? nullptr : &it->second;
  }

  // Dense access for the hot path.
  const MemoCell* cells() const { return cells_; }
  uint64_t dense_size() const { return size_; }
  // Index that MEMOIZE uses next (protocol 4 and up number by count).
  uint64_t count() const { return count_; }

  // Remembers `value` at `index`. A far index goes to a hash map, so memory follows the number of values, not the index.
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
    const uint8_t used = cell->used;
    *cell = cell_of(value);
    cell->used = used;
  }

  Value value_of(const MemoCell& cell) const {
    Value value;
    value.kind = cell.kind;
    value.bits = cell.set == kWide ? wide_[cell.bits] : cell.bits;
    return value;
  }

 private:
  static constexpr uint64_t kDenseGap = 65536;
  static constexpr uint8_t kWide = 2;

  MemoCell cell_of(const Value& value) {
    MemoCell cell;
    cell.kind = value.kind;
    cell.set = 1;
    if (value.bits > 0xFFFFFFFFull) {
      cell.set = kWide;
      cell.bits = static_cast<uint32_t>(wide_.size());
      wide_.push_back(value.bits);
    } else {
      cell.bits = static_cast<uint32_t>(value.bits);
      cell.simple = value.kind < Kind::stack;
    }
    return cell;
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
