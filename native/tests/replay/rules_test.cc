// Rounding and splitting, as in PyTorch's c10/cuda/CUDACachingAllocator.cpp.
#include "check.h"
#include "replay/allocator_rules.h"

using tidemark::AllocatorRules;

TEST(sizes_round_to_512) {
  const AllocatorRules rules;
  CHECK_EQ(rules.round_size(0), uint64_t{512});
  CHECK_EQ(rules.round_size(1), uint64_t{512});
  CHECK_EQ(rules.round_size(512), uint64_t{512});
  CHECK_EQ(rules.round_size(513), uint64_t{1024});
  CHECK_EQ(rules.round_size(UINT64_MAX), UINT64_MAX);
}

TEST(power_of_two_divisions_round_up) {
  AllocatorRules rules;
  for (auto& divisions : rules.roundup_divisions) divisions = 4;
  CHECK_EQ(rules.round_size(2049), uint64_t{2560});
  CHECK_EQ(rules.round_size(2048), uint64_t{2048});
  CHECK_EQ(rules.round_size(1200), uint64_t{1536});  // not above 512·4: plain rounding
  CHECK_EQ(rules.round_size((5 << 20) + 1), uint64_t{6 << 20});
}

TEST(rests_are_cut_off_by_pool) {
  AllocatorRules rules;
  CHECK(rules.splits(512, 1024));
  CHECK(!rules.splits(512, 512));
  CHECK(!rules.splits(2 << 20, 3 << 20));
  CHECK(rules.splits(2 << 20, (3 << 20) + 512));
  rules.max_split_size = 2 << 20;
  CHECK(!rules.splits(2 << 20, 64 << 20));
  rules.expandable_segments = true;
  CHECK(rules.splits(2 << 20, (2 << 20) + 512));
}

TEST(oversize_blocks_are_kept_for_oversize_requests) {
  AllocatorRules rules;
  CHECK(rules.serves(1 << 20, 1 << 30));
  rules.max_split_size = 64 << 20;
  CHECK(rules.serves(1 << 20, (64 << 20) - 512));
  CHECK(!rules.serves(1 << 20, 64 << 20));
  CHECK(rules.serves(64 << 20, (84 << 20) - 512));
  CHECK(!rules.serves(64 << 20, 84 << 20));
}
