// A slow, plain caching allocator that writes a history as PyTorch does: the reference that the replay must reproduce.
// It follows PyTorch's c10/cuda/CUDACachingAllocator.cpp and keeps every block in one ordered map, unlike the replay.
#pragma once

#include <map>
#include <random>
#include <vector>

#include "model/snapshot.h"
#include "replay/allocator_rules.h"

// The curves, in the order of tidemark::Curve.
struct ToyTotals {
  int64_t allocated = 0, active = 0, reserved = 0, requested = 0;
  int64_t inactive_split = 0, largest_free = 0, returnable = 0, free_blocks = 0;
};

// Whom a segment serves.
struct ToyClass {
  uint16_t stream = 0;
  uint16_t pool = 0;
  bool is_small = false;
  bool operator==(const ToyClass& o) const { return stream == o.stream && pool == o.pool && is_small == o.is_small; }
};

// One life of a 2 MiB page of addresses.
struct ToyPageLife {
  int64_t map_event = 0;
  int64_t unmap_event = -1;  // −1 = never
  ToyClass serves;
};

class ToyAllocator {
 public:
  // `streams` and `pools`: how many there are. With `names_pools` events say the pool, as files of recent versions do.
  ToyAllocator(unsigned seed, const tidemark::AllocatorRules& rules, bool expandable, unsigned streams = 1, unsigned pools = 1,
               bool names_pools = false)
      : random_(seed), rules_(rules), expandable_(expandable), streams_(streams), pools_(pools), names_pools_(names_pools) {}

  // Does `steps` random things: allocations, frees (some pending for a while), cache emptying.
  void run(int steps);

  // The history without its first `dropped` events, and the final state.
  tidemark::Snapshot snapshot(size_t dropped) const;

  // Totals after each event, counted over the blocks themselves.
  const std::vector<ToyTotals>& totals() const { return totals_; }

  // Every life of every page that was reserved, by address.
  const std::map<uint64_t, std::vector<ToyPageLife>>& pages() const { return pages_; }

 private:
  struct ToyBlock {
    uint64_t size = 0, requested = 0, segment = 0;
    tidemark::BlockState state = tidemark::BlockState::inactive;
  };
  struct ToyEvent {
    tidemark::Action action;
    uint64_t address, size;
    ToyClass serves;
  };
  using Blocks = std::map<uint64_t, ToyBlock>;

  void allocate(uint64_t requested, const ToyClass& serves);
  void request_free();
  void complete_free();
  void empty_cache();
  ToyTotals count() const;
  Blocks::iterator best_fit(uint64_t rounded, const ToyClass& serves);
  Blocks::iterator reserve(uint64_t rounded, const ToyClass& serves);
  uint64_t unmapped_room(uint64_t base, uint64_t size) const;
  Blocks::iterator merge(Blocks::iterator block);
  void record(tidemark::Action action, uint64_t address, uint64_t size, const ToyClass& serves);
  uint64_t page_of(uint64_t segment) const;

  std::mt19937 random_;
  tidemark::AllocatorRules rules_;
  bool expandable_;
  unsigned streams_, pools_;
  bool names_pools_;
  Blocks blocks_;
  std::map<uint64_t, ToyClass> segments_;  // by address; an expandable one is where its addresses begin
  std::map<uint64_t, std::vector<ToyPageLife>> pages_;
  std::vector<uint64_t> held_, pending_;
  std::vector<ToyEvent> events_;
  std::vector<ToyTotals> totals_;
  uint64_t next_segment_ = 0x7f0000000000;
};
