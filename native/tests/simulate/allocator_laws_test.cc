// What holds of the simulated allocator after every step of any program, under any settings.
#include <random>

#include "check.h"
#include "simulate/caching_allocator.h"

using namespace tidemark;

namespace {

constexpr uint64_t kMiB = uint64_t{1} << 20;

struct Sums {
  uint64_t mapped = 0, allocated = 0, active = 0;
};

size_t times_listed(const Block& block) {
  Block* key = const_cast<Block*>(&block);
  return block.is_mapped ? block.pool->blocks.count(key) : block.pool->unmapped.count(key);
}

// A block begins where the one before ends, and knows it. No two free ones of one kind lie side by side. Its pool lists it while it is free.
void check_block(const Block& block) {
  CHECK(block.size > 0);
  if (block.use == BlockUse::free) CHECK_EQ(times_listed(block), size_t{1});
  if (block.after == nullptr) return;
  CHECK(block.after->before == &block);
  CHECK_EQ(block.after->address, block.address + block.size);
  const bool are_free = block.use == BlockUse::free && block.after->use == BlockUse::free;
  CHECK(!are_free || block.is_mapped != block.after->is_mapped);
}

Sums check_chains(const BlockStore& blocks) {
  Sums sums;
  const auto visit = [&](const Block& block) {
    check_block(block);
    if (block.is_mapped) sums.mapped += block.size;
    if (block.use == BlockUse::allocated) sums.allocated += block.size;
    if (block.use != BlockUse::free) sums.active += block.size;
  };
  blocks.each(visit);
  return sums;
}

void check_laws(const CachingAllocator& allocator) {
  const Sums sums = check_chains(allocator.blocks());
  const AllocatorTotals& totals = allocator.totals();
  CHECK_EQ(sums.mapped, allocator.driver().reserved());
  CHECK_EQ(sums.allocated, totals.allocated);
  CHECK_EQ(sums.active, totals.active);
  CHECK(allocator.driver().reserved() >= totals.active && totals.active >= totals.allocated);
  if (allocator.driver().limit() == Limit::device) CHECK(allocator.driver().peak() <= allocator.driver().capacity());
}

SimulatorSettings random_settings(std::mt19937& random) {
  SimulatorSettings settings;
  settings.rules.expandable_segments = random() % 2 == 0;
  if (random() % 2 == 0) settings.rules.max_split_size = (20 + random() % 100) * kMiB;
  if (random() % 3 == 0) settings.gc_threshold = 0.5;
  for (uint32_t& divisions : settings.rules.roundup_divisions) divisions = random() % 3 == 0 ? 4 : 0;
  return settings;
}

uint64_t random_bytes(std::mt19937& random) {
  const uint64_t most = random() % 2 == 0 ? 4096 : random() % 2 == 0 ? kMiB : 64 * kMiB;
  return 1 + random() % most;
}

void run_program(uint32_t seed) {
  std::mt19937 random(seed);
  const Limit limit = static_cast<Limit>(random() % 3);
  CachingAllocator allocator(random_settings(random), Driver(limit, (100 + random() % 400) * kMiB));
  std::vector<Block*> held;
  std::vector<std::pair<Block*, uint32_t>> waiting;
  for (uint32_t step = 0; step < 120; ++step) {
    const uint32_t choice = random() % 12;
    if (choice < 6) {
      Block* block = allocator.allocate({random_bytes(random), static_cast<int32_t>(random() % 2), random() % 4 == 0 ? 1 : 0, {}, step});
      if (block) held.push_back(block);
    } else if (choice < 10 && !held.empty()) {
      std::swap(held[random() % held.size()], held.back());
      allocator.request_free(held.back());
      if (choice < 8) allocator.complete_free(held.back());
      else waiting.emplace_back(held.back(), held.back()->owner);
      held.pop_back();
    } else if (choice == 10) {
      for (const auto& [block, owner] : waiting) {
        if (allocator.holds(block, owner, BlockUse::pending)) allocator.complete_free(block);
      }
      waiting.clear();
    } else if (random() % 2 == 0) {
      allocator.empty_cache();
    } else {
      allocator.abandon_pool(1);
      allocator.empty_pool(1);
    }
    check_laws(allocator);
  }
}

}  // namespace

TEST(blocks_tile_segments_and_sums_agree_whatever_the_program_does) {
  for (uint32_t seed = 0; seed < 400; ++seed) run_program(seed);
}

TEST(a_cap_on_the_process_holds_without_expandable_segments) {
  CachingAllocator allocator({}, Driver(Limit::fraction, 64 * kMiB));
  CHECK(allocator.allocate({40 * kMiB, 0, 0, {}, 0}) != nullptr);
  CHECK(allocator.allocate({40 * kMiB, 0, 0, {}, 1}) == nullptr);
  CHECK_EQ(allocator.totals().retries, uint64_t{1});
  CHECK_EQ(allocator.driver().peak(), 40 * kMiB);
}

TEST(what_is_wholly_free_makes_room_at_the_retry) {
  CachingAllocator allocator({}, Driver(Limit::fraction, 64 * kMiB));
  Block* block = allocator.allocate({40 * kMiB, 0, 0, {}, 0});
  allocator.request_free(block);  // still used by another stream: the retry waits for it
  CHECK(allocator.allocate({60 * kMiB, 0, 0, {}, 1}) != nullptr);
  CHECK_EQ(allocator.totals().retries, uint64_t{1});
  CHECK_EQ(allocator.driver().reserved(), 60 * kMiB);
}

TEST(old_blocks_are_collected_above_the_threshold) {
  SimulatorSettings settings;
  settings.gc_threshold = 0.5;
  CachingAllocator allocator(settings, Driver(Limit::fraction, 100 * kMiB));
  Block* old = allocator.allocate({30 * kMiB, 0, 0, {}, 0});
  allocator.request_free(old);
  allocator.complete_free(old);
  CHECK(allocator.allocate({40 * kMiB, 0, 0, {}, 1}) != nullptr);  // 30 MiB reserved: not yet above
  CHECK_EQ(allocator.driver().reserved(), 70 * kMiB);
  CHECK(allocator.allocate({32 * kMiB, 0, 0, {}, 2}) != nullptr);  // above: the free 30 MiB go first
  CHECK_EQ(allocator.driver().reserved(), 72 * kMiB);
  CHECK_EQ(allocator.totals().retries, uint64_t{0});
}

TEST(an_oversize_block_makes_room_without_a_retry) {
  SimulatorSettings settings;
  settings.rules.max_split_size = 32 * kMiB;
  CachingAllocator allocator(settings, Driver(Limit::fraction, 100 * kMiB));
  Block* large = allocator.allocate({80 * kMiB, 0, 0, {}, 0});
  allocator.request_free(large);
  allocator.complete_free(large);
  CHECK(allocator.allocate({24 * kMiB, 0, 0, {}, 1}) != nullptr);
  CHECK_EQ(allocator.totals().retries, uint64_t{0});
  CHECK_EQ(allocator.driver().reserved(), 24 * kMiB);
}

TEST(an_expandable_segment_grows_by_pages_behind_its_last_block) {
  SimulatorSettings settings;
  settings.rules.expandable_segments = true;
  CachingAllocator allocator(settings, Driver(Limit::none, 0));
  allocator.allocate({15 * kMiB, 0, 0, {}, 0});
  CHECK_EQ(allocator.driver().reserved(), 20 * kMiB);
  allocator.allocate({15 * kMiB, 0, 0, {}, 1});
  CHECK_EQ(allocator.driver().reserved(), 40 * kMiB);
  allocator.allocate({1, 0, 0, {}, 2});
  CHECK_EQ(allocator.driver().reserved(), 42 * kMiB);
}
