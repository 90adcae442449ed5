// The layout of memory at an event against a scan of every unit of the address space.
#include <algorithm>
#include <tuple>

#include "check.h"
#include "query/block_at.h"
#include "query/block_cache.h"
#include "synthetic_space.h"
#include "tests.h"

namespace tidemark_test {
namespace {

using namespace tidemark;

struct TrueBlock {
  uint64_t address = 0;
  uint64_t size = 0;
  int32_t owner = -1;
  bool is_pending = false;
};

struct TrueSegment {
  uint64_t address = 0;
  uint64_t size = 0;
  SpacePlace place;
  std::vector<TrueBlock> blocks;
};

// Whether two units next to each other lie in one segment.
bool joined(const SpaceDevice& device, const SpaceMoment& moment, size_t a, size_t b) {
  if (moment.reservation[a] == moment.reservation[b]) return true;
  const SpacePlace& pa = device.places[static_cast<size_t>(moment.reservation[a])];
  const SpacePlace& pb = device.places[static_cast<size_t>(moment.reservation[b])];
  return pa.is_expandable && pb.is_expandable && pa.stream == pb.stream && pa.pool == pb.pool && pa.is_small == pb.is_small;
}

std::vector<TrueSegment> true_layout(const SpaceDevice& device, const SpaceMoment& moment) {
  std::vector<TrueSegment> out;
  for (size_t unit = 0; unit < moment.owner.size(); ++unit) {
    if (moment.reservation[unit] < 0) continue;
    const uint64_t address = device.base + unit * kUnit;
    const bool goes_on = unit > 0 && moment.reservation[unit - 1] >= 0 && joined(device, moment, unit - 1, unit);
    if (!goes_on) out.push_back({address, 0, device.places[static_cast<size_t>(moment.reservation[unit])], {}});
    TrueSegment& segment = out.back();
    segment.size += kUnit;
    const bool same_block = goes_on && moment.owner[unit] == moment.owner[unit - 1];
    if (!same_block) segment.blocks.push_back({address, 0, moment.owner[unit], moment.is_pending[unit]});
    segment.blocks.back().size += kUnit;
  }
  return out;
}

uint64_t true_returnable(const TrueSegment& segment) {
  if (!segment.place.is_expandable) return segment.blocks.size() == 1 && segment.blocks[0].owner < 0 ? segment.size : 0;
  const uint64_t page = segment.place.is_small ? 2 << 20 : 20 << 20;
  uint64_t bytes = 0;
  for (uint64_t at = 0; at + page <= segment.size; at += page) {
    for (const TrueBlock& block : segment.blocks) {
      const uint64_t offset = block.address - segment.address;
      if (block.owner < 0 && offset <= at && at + page <= offset + block.size) bytes += page;
    }
  }
  return bytes;
}

SpaceTotals true_totals(const SpaceDevice& device, const TrueSegment& segment) {
  SpaceTotals t;
  t.reserved = segment.size;
  t.blocks = segment.blocks.size();
  for (const TrueBlock& block : segment.blocks) {
    if (block.owner < 0) {
      t.free += block.size;
      t.largest_free = std::max(t.largest_free, block.size);
      ++t.free_blocks;
      continue;
    }
    t.active += block.size;
    if (!block.is_pending) t.allocated += block.size;
    t.requested += static_cast<uint64_t>(device.columns.requested.at(static_cast<size_t>(block.owner)));
  }
  if (!segment.place.is_expandable && segment.blocks.size() > 1) t.inactive_split = t.free;
  t.returnable = true_returnable(segment);
  return t;
}

void check_totals(const SpaceTotals& actual, const SpaceTotals& expected) {
  CHECK_EQUAL(actual.reserved, expected.reserved);
  CHECK_EQUAL(actual.allocated, expected.allocated);
  CHECK_EQUAL(actual.active, expected.active);
  CHECK_EQUAL(actual.requested, expected.requested);
  CHECK_EQUAL(actual.free, expected.free);
  CHECK_EQUAL(actual.largest_free, expected.largest_free);
  CHECK_EQUAL(actual.inactive_split, expected.inactive_split);
  CHECK_EQUAL(actual.returnable, expected.returnable);
  CHECK_EQUAL(actual.blocks, expected.blocks);
  CHECK_EQUAL(actual.free_blocks, expected.free_blocks);
}

void check_segment(const SpaceDevice& device, const BlockLayout& layout, const LayoutSegment& segment,
                   const TrueSegment& expected) {
  CHECK_EQUAL(segment.address, expected.address);
  CHECK_EQUAL(segment.stream, expected.place.stream);
  CHECK_EQUAL(segment.pool, expected.place.pool);
  CHECK_EQUAL(segment.is_small, expected.place.is_small);
  CHECK_EQUAL(segment.is_expandable, expected.place.is_expandable);
  check_totals(segment.totals, true_totals(device, expected));
  size_t i = 0;
  bool same = true;
  visit_blocks(layout, segment, [&](const SpaceBlock& block) {
    if (i >= expected.blocks.size()) return void(same = false);
    const TrueBlock& truth = expected.blocks[i++];
    const int32_t owner = block.active ? static_cast<int32_t>(layout.history->index[block.active->place]) : -1;
    same &= block.address == truth.address && block.size == truth.size && owner == truth.owner;
    if (block.active) same &= block.active->is_pending == truth.is_pending;
  });
  CHECK(same);
  CHECK_EQUAL(i, expected.blocks.size());
  if (expected.blocks.empty() || segment.totals.free == 0) return;
  const auto largest = std::find_if(expected.blocks.begin(), expected.blocks.end(), [&](const TrueBlock& block) {
    return block.owner < 0 && block.size == segment.totals.largest_free;
  });
  CHECK_EQUAL(segment.largest_free_offset, largest->address - expected.address);
}

void check_layout(const SpaceDevice& device, const BlockLayout& layout, const std::vector<TrueSegment>& expected) {
  CHECK_EQUAL(layout.segments.size(), expected.size());
  SpaceTotals totals;
  for (size_t i = 0; i < std::min(expected.size(), layout.segments.size()); ++i) {
    check_segment(device, layout, layout.segments[i], expected[i]);
    totals.add(true_totals(device, expected[i]));
  }
  check_totals(layout.totals, totals);
}

void check_block_at(std::mt19937& random, const SpaceDevice& device, const SpaceMoment& moment, const BlockLayout& layout,
                    const std::vector<TrueSegment>& expected) {
  for (int i = 0; i < 30; ++i) {
    const size_t unit = random() % moment.owner.size();
    const uint64_t address = device.base + unit * kUnit + random() % kUnit;
    const auto at = block_at(layout, address);
    CHECK_EQUAL(at.has_value(), moment.reservation[unit] >= 0);
    if (!at) continue;
    for (const TrueSegment& segment : expected) {
      for (const TrueBlock& block : segment.blocks) {
        if (address < block.address || address >= block.address + block.size) continue;
        CHECK_EQUAL(at->block.address, block.address);
        CHECK_EQUAL(at->block.size, block.size);
        CHECK_EQUAL(at->block.active != nullptr, block.owner >= 0);
        CHECK_EQUAL(at->segment->address, segment.address);
      }
    }
  }
}

// Segments come in the order asked for, and each exactly once.
void check_orders(const BlockLayout& layout) {
  for (const SegmentOrder by : {SegmentOrder::address, SegmentOrder::size, SegmentOrder::occupancy, SegmentOrder::pool}) {
    const std::vector<uint32_t>& order = layout.order(by);
    std::vector<uint32_t> sorted = order;
    std::sort(sorted.begin(), sorted.end());
    for (size_t i = 0; i < sorted.size(); ++i) CHECK_EQUAL(sorted[i], i);
    for (size_t i = 1; i < order.size(); ++i) {
      const LayoutSegment& a = layout.segments[order[i - 1]];
      const LayoutSegment& b = layout.segments[order[i]];
      const auto share = [](const LayoutSegment& s) {
        return static_cast<double>(s.totals.active) / static_cast<double>(s.totals.reserved);
      };
      if (by == SegmentOrder::address) CHECK(a.address < b.address);
      if (by == SegmentOrder::size) CHECK(a.totals.reserved >= b.totals.reserved);
      if (by == SegmentOrder::occupancy) CHECK(share(a) <= share(b));
      if (by == SegmentOrder::pool) CHECK(std::tie(a.pool, a.stream, a.is_small) <= std::tie(b.pool, b.stream, b.is_small));
    }
  }
}

void test_layout_equals_every_unit() {
  std::mt19937 random(11);
  for (int round = 0; round < 6; ++round) {
    SpaceDevice device;
    random_space(random, round % 2 ? 400 : 0, 60 + 20 * static_cast<size_t>(round), device);
    BlockCache cache;
    for (size_t i = 0; i < device.moments.size(); i += 1 + random() % 3) {
      Failure problem;
      const auto layout = cache.layout(device.columns, 0, static_cast<int64_t>(i) - 1, {}, problem);
      CHECK(layout != nullptr);
      if (!layout) continue;
      const auto expected = true_layout(device, device.moments[i]);
      check_layout(device, *layout, expected);
      check_block_at(random, device, device.moments[i], *layout, expected);
      check_orders(*layout);
    }
  }
}

// Whatever the columns say: blocks are disjoint, inside their segments, and sums hold.
void check_sound(const BlockLayout& layout) {
  uint64_t end = 0;
  SpaceTotals totals;
  for (const LayoutSegment& segment : layout.segments) {
    CHECK(segment.address >= end && segment.end() > segment.address);
    uint64_t at = segment.address;
    bool touching = true;
    visit_blocks(layout, segment, [&](const SpaceBlock& block) {
      touching &= block.address == at && block.size > 0;
      at = block.address + block.size;
    });
    CHECK(touching);
    CHECK_EQUAL(at, segment.end());
    const SpaceTotals& t = segment.totals;
    CHECK(t.requested <= t.active && t.allocated <= t.active && t.active + t.free == t.reserved);
    CHECK(t.largest_free <= t.free && t.returnable <= t.free);
    end = segment.end();
    totals.add(t);
  }
  CHECK_EQUAL(totals.blocks, layout.totals.blocks);
  CHECK_EQUAL(totals.active, layout.totals.active);
}

void test_nonsense_is_cut() {
  std::mt19937 random(13);
  for (int round = 0; round < 300; ++round) {
    DeviceColumns columns;
    constexpr size_t kEvents = 40;
    hostile_space(random, kEvents, columns);
    BlockCache cache;
    for (int i = 0; i < 4; ++i) {
      Failure problem;
      const auto layout = cache.layout(columns, 0, static_cast<int64_t>(random() % (kEvents + 1)) - 1, {}, problem);
      CHECK(layout != nullptr);
      if (!layout) continue;
      check_sound(*layout);
      for (const ActiveBlock& block : layout->blocks) CHECK_EQUAL(block_at(*layout, block.address)->block.active, &block);
      CHECK(!block_at(*layout, UINT64_MAX));
    }
  }
}

void test_contradicting_columns_are_refused() {
  std::mt19937 random(14);
  DeviceColumns columns;
  hostile_space(random, 10, columns);
  columns.address.push_back(1);
  BlockCache cache;
  Failure problem;
  CHECK(cache.layout(columns, 0, 0, {}, problem) == nullptr);
  CHECK_EQUAL(std::string(problem.code), std::string("index/not_an_index"));
}

void test_layouts_are_kept_and_dropped_with_their_columns() {
  std::mt19937 random(15);
  SpaceDevice device;
  random_space(random, 50, 20, device);
  BlockCache cache;
  Failure problem;
  const auto first = cache.layout(device.columns, 0, 3, {}, problem);
  CHECK(cache.layout(device.columns, 0, 3, {}, problem) == first);
  const SpaceTotals before = first->totals;
  for (int64_t event = 4; event < 12; ++event) cache.layout(device.columns, 0, event, {}, problem);
  CHECK(cache.layout(device.columns, 0, 3, {}, problem) != first);
  check_totals(first->totals, before);  // one that is still held is not overwritten
  const auto again = cache.layout(device.columns, 0, 3, {}, problem);
  CHECK(cache.layout(device.columns, 1, 3, {}, problem) != again);
}

void test_a_stop_is_answered() {
  std::mt19937 random(16);
  SpaceDevice device;
  random_space(random, 50, 20, device);
  BlockCache cache;
  Failure problem;
  const StopSignal stop{[](void*) { return true; }, nullptr};
  CHECK(cache.layout(device.columns, 0, 3, stop, problem) == nullptr);
  CHECK_EQUAL(std::string(problem.code), std::string("query/cancelled"));
}

}  // namespace

void test_block_layout() {
  test_layout_equals_every_unit();
  test_nonsense_is_cut();
  test_contradicting_columns_are_refused();
  test_layouts_are_kept_and_dropped_with_their_columns();
  test_a_stop_is_answered();
}

}  // namespace tidemark_test
