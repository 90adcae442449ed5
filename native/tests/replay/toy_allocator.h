// A slow, plain caching allocator that writes a history as PyTorch does: the reference that the replay must reproduce.
// It follows PyTorch's c10/cuda/CUDACachingAllocator.cpp and keeps every block in one ordered map, unlike the replay.
#pragma once

#include <map>
#include <random>
#include <vector>

#include "model/snapshot.h"
#include "replay/allocator_rules.h"

// Bytes of the four curves, in the order of tidemark::Curve.
struct ToyTotals {
  int64_t allocated = 0, active = 0, reserved = 0, requested = 0;
};

class ToyAllocator {
 public:
  ToyAllocator(unsigned seed, const tidemark::AllocatorRules& rules, bool expandable)
      : random_(seed), rules_(rules), expandable_(expandable) {}

  // Does `steps` random things: allocations, frees (some pending for a while), cache emptying.
  void run(int steps);

  // The history without its first `dropped` events, and the final state.
  tidemark::Snapshot snapshot(size_t dropped) const;

  // Totals after each event, counted over the blocks themselves.
  const std::vector<ToyTotals>& totals() const { return totals_; }

 private:
  struct ToyBlock {
    uint64_t size = 0, requested = 0, segment = 0;
    tidemark::BlockState state = tidemark::BlockState::inactive;
  };
  struct ToyEvent {
    tidemark::Action action;
    uint64_t address, size;
  };
  using Blocks = std::map<uint64_t, ToyBlock>;

  void allocate(uint64_t requested);
  void request_free();
  void complete_free();
  void empty_cache();
  Blocks::iterator best_fit(uint64_t rounded);
  Blocks::iterator reserve(uint64_t rounded);
  void merge(Blocks::iterator block);
  void record(tidemark::Action action, uint64_t address, uint64_t size);
  bool is_small(uint64_t segment) const { return small_.at(segment); }

  std::mt19937 random_;
  tidemark::AllocatorRules rules_;
  bool expandable_;
  Blocks blocks_;
  std::map<uint64_t, bool> small_;  // segment → serves the small pool
  std::vector<uint64_t> held_, pending_;
  std::vector<ToyEvent> events_;
  std::vector<ToyTotals> totals_;
  uint64_t next_segment_ = 0x7f0000000000;
};
