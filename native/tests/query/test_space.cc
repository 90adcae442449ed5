// space_report and would_fit against plain scans of the blocks, and the allocator's rules in cases made by hand.
#include <algorithm>
#include <cmath>
#include <tuple>

#include "check.h"
#include "query/block_cache.h"
#include "query/space_report.h"
#include "query/would_fit.h"
#include "synthetic_device.h"
#include "synthetic_space.h"
#include "tests.h"

namespace tidemark_test {
namespace {

using namespace tidemark;

constexpr uint64_t kMiB = uint64_t{1} << 20;
constexpr uint64_t kAddress = 0x7f3000000000;

struct FreeRun {
  uint64_t address;
  uint64_t size;
};

// The free blocks of a segment; with pending frees completed where `with_pending`.
std::vector<FreeRun> free_runs(const BlockLayout& layout, const LayoutSegment& segment, bool with_pending) {
  std::vector<FreeRun> out;
  visit_blocks(layout, segment, [&](const SpaceBlock& block) {
    if (block.active && !(with_pending && block.active->is_pending)) return;
    if (!out.empty() && out.back().address + out.back().size == block.address) out.back().size += block.size;
    else out.push_back({block.address, block.size});
  });
  return out;
}

void check_tally(const FreeTally& actual, const std::vector<FreeRun>& expected, uint64_t rounded) {
  uint64_t bytes = 0, largest = 0, address = 0, fitting = 0;
  for (const FreeRun& run : expected) {
    bytes += run.size;
    fitting += run.size >= rounded;
    if (run.size > largest) address = run.address;
    largest = std::max(largest, run.size);
  }
  CHECK_EQUAL(actual.count, expected.size());
  CHECK_EQUAL(actual.bytes, bytes);
  CHECK_EQUAL(actual.largest_bytes, largest);
  CHECK_EQUAL(actual.largest_address, address);
  CHECK_EQUAL(actual.fitting_count, fitting);
}

// Without expandable segments and limits: the smallest, then lowest of those that are large enough.
void check_fit(const BlockLayout& layout, const FitRequest& request) {
  AllocatorRules rules;
  const FitAnswer answer = would_fit(layout, rules, request);
  std::vector<FreeRun> right, pools, streams, classes, pending;
  std::vector<std::tuple<uint64_t, uint64_t>> usable;  // size, address
  uint64_t cached = 0;
  for (const LayoutSegment& segment : layout.segments) {
    const bool of_class = segment.is_small == (answer.rounded <= kSmallLimit);
    auto& kind = segment.pool != request.pool ? pools : segment.stream != request.stream ? streams : of_class ? right : classes;
    for (const FreeRun& run : free_runs(layout, segment, false)) {
      kind.push_back(run);
      cached += run.size;
      if (&kind == &right && run.size >= answer.rounded && !segment.is_expandable) usable.push_back({run.size, run.address});
    }
    if (&kind != &right) continue;
    for (const FreeRun& run : free_runs(layout, segment, true)) pending.push_back(run);
  }
  std::sort(usable.begin(), usable.end());
  CHECK_EQUAL(answer.fits, !usable.empty());
  if (answer.fits) {
    CHECK_EQUAL(answer.address, std::get<1>(usable[0]));
    CHECK_EQUAL(answer.size, std::get<0>(usable[0]));
    CHECK(layout.segment_at(answer.address)->address == answer.segment_address);
    const uint64_t rest = answer.size - answer.rounded;
    CHECK_EQUAL(answer.rest_bytes, answer.rounded <= kMiB || rest > kMiB ? rest : 0);
  }
  CHECK_EQUAL(answer.free.fitting_count, usable.size());
  CHECK_EQUAL(answer.free.bytes + answer.other_pools.bytes + answer.other_streams.bytes + answer.other_class.bytes, cached);
  check_tally(answer.other_pools, pools, answer.rounded);
  check_tally(answer.other_streams, streams, answer.rounded);
  check_tally(answer.other_class, classes, answer.rounded);
  CHECK_EQUAL(answer.pending.count, pending.size());
  uint64_t pending_bytes = 0;
  for (const FreeRun& run : pending) pending_bytes += run.size;
  CHECK_EQUAL(answer.pending.bytes, pending_bytes);
}

SizeBin bin_of(uint64_t size) {
  const double k = std::floor(4 * std::log2(static_cast<double>(size)) + 1e-12);
  const auto edge = [](double quarter) { return static_cast<uint64_t>(std::ceil(std::exp2(quarter / 4) - 1e-6)); };
  return {edge(k), edge(k + 1), 0, 0};
}

void check_bins(const std::vector<SizeBin>& bins, const std::vector<uint64_t>& sizes) {
  std::vector<SizeBin> expected;
  for (const uint64_t size : sizes) {
    const SizeBin bin = bin_of(size);
    auto at = std::find_if(expected.begin(), expected.end(), [&](const SizeBin& b) { return b.from_bytes == bin.from_bytes; });
    if (at == expected.end()) at = expected.insert(at, bin);
    ++at->count;
    at->bytes += size;
  }
  std::sort(expected.begin(), expected.end(), [](const SizeBin& a, const SizeBin& b) { return a.from_bytes < b.from_bytes; });
  CHECK_EQUAL(bins.size(), expected.size());
  for (size_t i = 0; i < std::min(bins.size(), expected.size()); ++i) {
    CHECK_EQUAL(bins[i].from_bytes, expected[i].from_bytes);
    CHECK_EQUAL(bins[i].to_bytes, expected[i].to_bytes);
    CHECK_EQUAL(bins[i].count, expected[i].count);
    CHECK_EQUAL(bins[i].bytes, expected[i].bytes);
  }
}

void check_pins(const BlockLayout& layout, const std::vector<PinnedSegment>& pins) {
  size_t expected = 0;
  for (const LayoutSegment& segment : layout.segments) {
    expected += segment.totals.active > 0 && 2 * segment.totals.free >= segment.totals.reserved;
  }
  CHECK_EQUAL(pins.size(), std::min(expected, kMostPins));
  for (size_t i = 0; i < pins.size(); ++i) {
    const LayoutSegment& segment = layout.segments[pins[i].segment];
    CHECK(segment.totals.active > 0 && 2 * segment.totals.free >= segment.totals.reserved);
    if (i > 0) CHECK(layout.segments[pins[i - 1].segment].totals.free >= segment.totals.free);
    CHECK_EQUAL(pins[i].holders.size(), std::min<size_t>(kMostHolders, segment.block_end - segment.first_block));
    for (size_t k = 1; k < pins[i].holders.size(); ++k) {
      CHECK(layout.blocks[pins[i].holders[k - 1]].size >= layout.blocks[pins[i].holders[k]].size);
    }
    for (uint32_t b = segment.first_block; b < segment.block_end; ++b) {
      const bool is_holder = std::find(pins[i].holders.begin(), pins[i].holders.end(), b) != pins[i].holders.end();
      if (!is_holder) CHECK(layout.blocks[b].size <= layout.blocks[pins[i].holders.back()].size);
    }
  }
}

void check_report(const BlockLayout& layout) {
  SpaceReport report;
  CHECK(!space_report(layout, {}, report).failed());
  SpaceTotals sum;
  uint64_t segments = 0;
  for (const SpaceGroup& group : report.groups) {
    sum.add(group.totals);
    segments += group.segments;
    uint64_t reserved = 0, blocks = 0, expandable = 0;
    for (const LayoutSegment& s : layout.segments) {
      if (s.pool != group.pool || s.stream != group.stream || s.is_small != group.is_small) continue;
      reserved += s.totals.reserved;
      expandable += s.is_expandable;
      visit_blocks(layout, s, [&](const SpaceBlock&) { ++blocks; });
    }
    CHECK_EQUAL(group.totals.reserved, reserved);
    CHECK_EQUAL(group.totals.blocks, blocks);
    CHECK_EQUAL(group.expandable_segments, expandable);
  }
  CHECK_EQUAL(segments, layout.segments.size());
  CHECK_EQUAL(sum.free, layout.totals.free);
  CHECK_EQUAL(sum.active, layout.totals.active);
  std::vector<uint64_t> free, made;
  for (const LayoutSegment& segment : layout.segments) {
    for (const FreeRun& run : free_runs(layout, segment, false)) free.push_back(run.size);
  }
  const DeviceColumns& columns = layout.columns();
  for (size_t i = 0; i < columns.size.size(); ++i) {
    if (columns.alloc_event[i] >= 0 && columns.alloc_event[i] <= layout.event) made.push_back(columns.size[i]);
  }
  check_bins(report.free_sizes, free);
  check_bins(report.request_sizes, made);
  check_pins(layout, report.pins);
}

void test_answers_equal_plain_scans() {
  std::mt19937 random(31);
  for (int round = 0; round < 8; ++round) {
    SpaceDevice device;
    random_space(random, 300, 60, device);
    BlockCache cache;
    for (int i = 0; i < 20; ++i) {
      Failure problem;
      const auto layout = cache.layout(device.columns, 0, static_cast<int64_t>(random() % 61) - 1, {}, problem);
      check_report(*layout);
      for (int k = 0; k < 10; ++k) {
        const uint64_t bytes = 1 + random() % (uint64_t{1} << (random() % 24));
        check_fit(*layout, {bytes, static_cast<int32_t>(random() % 2), static_cast<int32_t>(random() % 2)});
      }
    }
  }
}

// A device at one moment, by hand: segments, and what is active in them.
struct HandMade {
  DeviceColumns columns;
  std::vector<int64_t> requested;

  void segment(uint64_t address, uint64_t size, bool is_small, bool is_expandable) {
    columns.reservations.push_back({kAddress + address, size, -1, kNoEvent, 0, 0, is_small, is_expandable});
  }
  void active(uint64_t address, uint64_t size) {
    columns.address.push_back(kAddress + address);
    columns.size.push_back(size);
    columns.alloc_event.push_back(-1);
    columns.free_requested.push_back(kNoEvent);
    columns.free_completed.push_back(kNoEvent);
    requested.push_back(static_cast<int64_t>(size));
  }
  FitAnswer ask(uint64_t bytes, const AllocatorRules& rules) {
    columns.requested = pack(requested);
    BlockCache cache;
    Failure problem;
    return would_fit(*cache.layout(columns, 0, -1, {}, problem), rules, {bytes, 0, 0});
  }
};

void test_large_free_blocks_are_kept_for_large_requests() {
  HandMade device;
  device.segment(0, 100 * kMiB, false, false);
  device.segment(200 * kMiB, 300 * kMiB, false, false);
  AllocatorRules rules;
  CHECK_EQUAL(device.ask(20 * kMiB, rules).address, kAddress);
  rules.max_split_size = 64 * kMiB;
  const FitAnswer below = device.ask(20 * kMiB, rules);
  CHECK(!below.fits);
  CHECK_EQUAL(below.free.count, 2u);
  CHECK_EQUAL(below.oversize.count, 2u);
  CHECK_EQUAL(below.free.fitting_count, 0u);
  CHECK_EQUAL(below.oversize.fitting_count, 2u);
  const FitAnswer wasteful = device.ask(80 * kMiB, rules);  // wastes 20 MiB, which is not less than 20 MiB
  CHECK(!wasteful.fits);
  const FitAnswer close = device.ask(81 * kMiB, rules);
  CHECK_EQUAL(close.address, kAddress);
  CHECK_EQUAL(close.rest_bytes, 0u);  // never split
}

void test_expandable_segments_prefer_blocks_that_cannot_grow() {
  HandMade device;
  device.segment(0, 40 * kMiB, false, true);  // a hole of 20 MiB behind it
  device.active(0, 30 * kMiB);
  device.segment(60 * kMiB, 80 * kMiB, false, true);  // and one without end
  device.active(72 * kMiB, 68 * kMiB - 8 * kMiB);
  AllocatorRules rules;
  rules.expandable_segments = true;
  // 10 MiB at the end of the first could grow to 30; 12 MiB at the start of the second cannot; 8 MiB at its end is too small.
  CHECK_EQUAL(device.ask(9 * kMiB, rules).address, kAddress + 60 * kMiB);
  CHECK_EQUAL(device.ask(8 * kMiB, rules).address, kAddress + 60 * kMiB);
  CHECK_EQUAL(device.ask(8 * kMiB, rules).rest_bytes, 4 * kMiB);
  CHECK(!device.ask(13 * kMiB, rules).fits);
  rules.expandable_segments = false;  // switched off after they were made
  const FitAnswer off = device.ask(9 * kMiB, rules);
  CHECK(!off.fits);
  CHECK_EQUAL(off.free.count, 3u);
}

void test_mapping_uses_the_free_block_at_the_end() {
  HandMade device;
  device.segment(0, 40 * kMiB, false, true);
  device.active(0, 30 * kMiB);
  AllocatorRules rules;
  rules.expandable_segments = true;
  CHECK_EQUAL(device.ask(30 * kMiB, rules).segment_bytes, 20 * kMiB);
  CHECK_EQUAL(device.ask(31 * kMiB, rules).segment_bytes, 40 * kMiB);
  CHECK_EQUAL(device.ask(4096, rules).segment_bytes, 2 * kMiB);  // of the other class: nothing there yet
  CHECK_EQUAL(device.ask(4096, rules).other_class.count, 1u);
}

void test_new_segments_have_the_sizes_of_the_allocator() {
  HandMade device;
  const AllocatorRules rules;
  CHECK_EQUAL(device.ask(1, rules).rounded, 512u);
  CHECK_EQUAL(device.ask(1, rules).segment_bytes, 2 * kMiB);
  CHECK(device.ask(kMiB, rules).is_small);
  CHECK_EQUAL(device.ask(kMiB, rules).segment_bytes, 2 * kMiB);
  CHECK_EQUAL(device.ask(kMiB + 1, rules).segment_bytes, 20 * kMiB);
  CHECK_EQUAL(device.ask(10 * kMiB - 1024, rules).segment_bytes, 20 * kMiB);
  CHECK_EQUAL(device.ask(10 * kMiB, rules).segment_bytes, 10 * kMiB);
  CHECK_EQUAL(device.ask(11 * kMiB + 1, rules).segment_bytes, 12 * kMiB);
  CHECK(device.ask(uint64_t{1} << 62, rules).segment_bytes >= uint64_t{1} << 62);
}

}  // namespace

void test_space() {
  test_answers_equal_plain_scans();
  test_large_free_blocks_are_kept_for_large_requests();
  test_expandable_segments_prefer_blocks_that_cannot_grow();
  test_mapping_uses_the_free_block_at_the_end();
  test_new_segments_have_the_sizes_of_the_allocator();
}

}  // namespace tidemark_test
