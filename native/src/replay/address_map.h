// Hash from a block's address to a small value: open addressing, linear probing, backward-shift deletion.
// Addresses come from a file that may be hostile: where one lands depends on numbers that the file cannot know.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/hash_seed.h"

namespace tidemark {

template <typename Value>
class AddressMap {
 public:
  AddressMap() : slots_(kFirstCapacity), mask_(kFirstCapacity - 1) {}

  // The value at `address`, or nullptr. Valid until the next insert or erase.
  Value* find(uint64_t address) {
    for (size_t i = home(address);; i = (i + 1) & mask_) {
      if (!slots_[i].used) return nullptr;
      if (slots_[i].address == address) return &slots_[i].value;
    }
  }

  // The value at `address`, inserted as `Value{}` when there is none; `inserted` says which.
  Value& at_or_insert(uint64_t address, bool& inserted) {
    if ((size_ + 1) * 2 > slots_.size()) grow();
    size_t i = home(address);
    while (slots_[i].used && slots_[i].address != address) i = (i + 1) & mask_;
    inserted = !slots_[i].used;
    if (inserted) {
      slots_[i] = Slot{address, Value{}, true};
      ++size_;
    }
    return slots_[i].value;
  }

  void erase(uint64_t address) {
    size_t hole = home(address);
    while (slots_[hole].used && slots_[hole].address != address) hole = (hole + 1) & mask_;
    if (!slots_[hole].used) return;
    // Entries after the hole move back unless that would put them before their home.
    for (size_t i = (hole + 1) & mask_; slots_[i].used; i = (i + 1) & mask_) {
      const size_t distance = (i - home(slots_[i].address)) & mask_;
      if (distance >= ((i - hole) & mask_)) {
        slots_[hole] = slots_[i];
        hole = i;
      }
    }
    slots_[hole].used = false;
    --size_;
  }

  size_t size() const { return size_; }

  // Calls visit(address, value) for every entry, in no particular order.
  template <typename Visit>
  void each(Visit visit) {
    for (auto& slot : slots_) {
      if (slot.used) visit(slot.address, slot.value);
    }
  }

 private:
  struct Slot {
    uint64_t address = 0;
    Value value{};
    bool used = false;
  };
  static constexpr size_t kFirstCapacity = 1024;

  size_t home(uint64_t address) const {
    const auto product = static_cast<unsigned __int128>(address ^ seed_) * multiplier_;
    return static_cast<size_t>(static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64)) & mask_;
  }

  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    mask_ = slots_.size() - 1;
    for (const auto& slot : old) {
      if (!slot.used) continue;
      size_t i = home(slot.address);
      while (slots_[i].used) i = (i + 1) & mask_;
      slots_[i] = slot;
    }
  }

  const uint64_t seed_ = hash_seed();
  const uint64_t multiplier_ = (hash_seed() * 0x9E3779B97F4A7C15ull) | 1;
  std::vector<Slot> slots_;
  size_t mask_;
  size_t size_ = 0;
};

}  // namespace tidemark
