#include "query/block_layout.h"

#include <algorithm>
#include <numeric>

#include "replay/allocator_rules.h"

namespace tidemark {
namespace {

constexpr size_t kGroupsPerLook = 4096;

uint64_t end_of(uint64_t address, uint64_t size) { return size > UINT64_MAX - address ? UINT64_MAX : address + size; }

// The allocations active at a moment, by address, not yet cut.
Failure find_active(const BlockHistory& history, uint32_t moment, const StopSignal& stop, std::vector<ActiveBlock>& out) {
  const uint32_t* made = history.made.data();
  const uint32_t* free_completed = history.free_completed.data();
  for (size_t group = 0; group < history.first_made.size(); ++group) {
    if (group % kGroupsPerLook == 0 && stop()) return query_cancelled();
    if (history.first_made[group] > moment || history.last_free_completed[group] <= moment) continue;
    const size_t end = std::min(history.count(), (group + 1) * kHistoryGroup);
    for (size_t i = group * kHistoryGroup; i < end; ++i) {
      if (made[i] > moment || free_completed[i] <= moment || history.size[i] == 0) continue;
      out.push_back({history.address[i], history.size[i], static_cast<uint32_t>(i), history.free_requested[i] <= moment});
    }
  }
  return {};
}

// Whether a reservation that begins where `segment` ends is a part of it. What is unknown agrees with anything.
bool joins(const LayoutSegment& segment, const Reservation& r) {
  const bool same_pool = segment.pool == r.pool || segment.pool < 0 || r.pool < 0;
  return segment.is_expandable && r.is_expandable && segment.stream == r.stream && segment.is_small == r.is_small && same_pool;
}

// The reserved segments of an event without their blocks. Neighboring reservations of an expandable segment are one.
std::vector<LayoutSegment> find_reserved(const std::vector<Reservation>& reservations, int64_t event) {
  std::vector<LayoutSegment> out;
  uint64_t free_from = 0;  // end of the segment before: what lies below is taken
  for (const Reservation& r : reservations) {
    if (r.map_event > event || (r.unmap_event != kNoEvent && int64_t{r.unmap_event} <= event)) continue;
    const uint64_t address = std::max(r.address, free_from);
    const uint64_t end = r.end();
    if (end <= address) continue;
    if (out.empty() || out.back().end() != address || !joins(out.back(), r)) {
      out.emplace_back();
      out.back().address = address;
      out.back().stream = r.stream;
      out.back().pool = r.pool;
      out.back().is_small = r.is_small;
      out.back().is_expandable = r.is_expandable;
    }
    if (out.back().pool < 0) out.back().pool = r.pool;
    out.back().totals.reserved = end - out.back().address;
    free_from = end;
  }
  return out;
}

// Puts the active blocks into the reserved segments and sums up.
class Placement {
 public:
  Placement(std::vector<LayoutSegment> reserved, BlockLayout& out) : reserved_(std::move(reserved)), out_(out) {}

  void run() {
    const BlockHistory& history = *out_.history;
    std::vector<ActiveBlock>& blocks = out_.blocks;
    out_.segments.reserve(reserved_.size());
    for (size_t i = 0; i < blocks.size(); ++i) {
      ActiveBlock block = blocks[i];
      uint64_t end = end_of(block.address, block.size);
      if (i + 1 < blocks.size()) end = std::min(end, blocks[i + 1].address);
      while (next_ < reserved_.size() && reserved_[next_].end() <= block.address) close_reserved();
      const bool is_inside = next_ < reserved_.size() && reserved_[next_].address <= block.address;
      if (next_ < reserved_.size()) end = std::min(end, is_inside ? reserved_[next_].end() : reserved_[next_].address);
      if (end <= block.address) continue;  // nothing is left of it
      block.size = end - block.address;
      blocks[count_] = block;
      if (is_inside) add(reserved_[next_], block, history.requested[block.place]);
      else add_alone(block, history.requested[block.place]);
    }
    while (next_ < reserved_.size()) close_reserved();
    blocks.resize(count_);
    for (const LayoutSegment& segment : out_.segments) out_.totals.add(segment.totals);
  }

 private:
  // Adds the block that lies at blocks[count_] to `segment`.
  void add(LayoutSegment& segment, const ActiveBlock& block, uint64_t requested) {
    if (segment.block_end == 0) segment.first_block = static_cast<uint32_t>(count_);
    if (cursor_ < segment.address) cursor_ = segment.address;
    if (block.address > cursor_) add_free(segment, cursor_, block.address);
    cursor_ = block.address + block.size;
    SpaceTotals& totals = segment.totals;
    totals.active += block.size;
    if (!block.is_pending) totals.allocated += block.size;
    totals.requested += std::min(requested, block.size);
    ++totals.blocks;
    segment.block_end = static_cast<uint32_t>(++count_);
  }

  static void add_free(LayoutSegment& segment, uint64_t from, uint64_t to) {
    SpaceTotals& totals = segment.totals;
    const uint64_t bytes = to - from;
    totals.free += bytes;
    ++totals.blocks;
    ++totals.free_blocks;
    if (bytes > totals.largest_free) {
      totals.largest_free = bytes;
      segment.largest_free_offset = from - segment.address;
    }
    if (!segment.is_expandable) return;
    const uint64_t page = page_bytes(segment.is_small);
    const uint64_t first = (from - segment.address + page - 1) / page;
    const uint64_t last = (to - segment.address) / page;
    if (last > first) totals.returnable += (last - first) * page;
  }

  void close_reserved() {
    LayoutSegment& segment = reserved_[next_++];
    SpaceTotals& totals = segment.totals;
    const uint64_t from = segment.block_end == 0 ? segment.address : cursor_;
    if (from < segment.end()) add_free(segment, from, segment.end());
    if (segment.block_end == 0) segment.first_block = segment.block_end = static_cast<uint32_t>(count_);
    if (!segment.is_expandable) {
      if (totals.active == 0) totals.returnable = totals.free;
      else totals.inactive_split = totals.free;
    }
    out_.segments.push_back(segment);
  }

  void add_alone(const ActiveBlock& block, uint64_t requested) {
    const DeviceColumns& columns = out_.columns();
    const size_t index = out_.history->index[block.place];
    LayoutSegment segment;
    segment.address = block.address;
    segment.stream = static_cast<int32_t>(columns.stream.at(index));
    segment.pool = static_cast<int32_t>(columns.pool.at(index));
    segment.is_small = block.size <= kSmallLimit;
    segment.totals.reserved = block.size;
    add(segment, block, requested);
    out_.segments.push_back(segment);
  }

  std::vector<LayoutSegment> reserved_;
  BlockLayout& out_;
  size_t next_ = 0;      // of reserved_
  size_t count_ = 0;     // blocks placed
  uint64_t cursor_ = 0;  // end of the block placed last
};

// Sorts stably, so that equal keys stay in address order.
template <class Less>
void sort_segments(const std::vector<LayoutSegment>& segments, std::vector<uint32_t>& order, Less less) {
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return less(segments[a], segments[b]); });
}

bool pool_less(const LayoutSegment& a, const LayoutSegment& b) {
  if (a.pool != b.pool) return a.pool < b.pool;
  if (a.stream != b.stream) return a.stream < b.stream;
  return a.is_small < b.is_small;
}

double occupancy(const LayoutSegment& segment) {
  return static_cast<double>(segment.totals.active) / static_cast<double>(segment.totals.reserved);
}

}  // namespace

void SpaceTotals::add(const SpaceTotals& other) {
  reserved += other.reserved;
  allocated += other.allocated;
  active += other.active;
  requested += other.requested;
  free += other.free;
  largest_free = std::max(largest_free, other.largest_free);
  inactive_split += other.inactive_split;
  returnable += other.returnable;
  blocks += other.blocks;
  free_blocks += other.free_blocks;
}

Failure lay_out(const std::shared_ptr<const BlockHistory>& history, int64_t event, const StopSignal& stop, BlockLayout& out) {
  out.clear();
  out.history = history;
  out.event = event;
  const Failure problem = find_active(*history, moment_after(event), stop, out.blocks);
  if (problem.failed()) return problem;
  Placement(find_reserved(history->columns->reservations, event), out).run();
  return {};
}

void BlockLayout::clear() {
  blocks.clear();
  segments.clear();
  totals = {};
  for (std::vector<uint32_t>& order : orders_) order.clear();
}

const std::vector<uint32_t>& BlockLayout::order(SegmentOrder by) const {
  std::vector<uint32_t>& order = orders_[static_cast<int>(by)];
  if (order.size() == segments.size()) return order;
  order.resize(segments.size());
  std::iota(order.begin(), order.end(), 0);
  switch (by) {
    case SegmentOrder::address: break;
    case SegmentOrder::size:
      sort_segments(segments, order, [](const auto& a, const auto& b) { return a.totals.reserved > b.totals.reserved; });
      break;
    case SegmentOrder::occupancy:
      sort_segments(segments, order, [](const auto& a, const auto& b) { return occupancy(a) < occupancy(b); });
      break;
    case SegmentOrder::pool: sort_segments(segments, order, pool_less); break;
  }
  return order;
}

const LayoutSegment* BlockLayout::segment_at(uint64_t address) const {
  const auto after = std::upper_bound(segments.begin(), segments.end(), address,
                                      [](uint64_t a, const LayoutSegment& segment) { return a < segment.address; });
  if (after == segments.begin()) return nullptr;
  const LayoutSegment& segment = *std::prev(after);
  return address < segment.end() ? &segment : nullptr;
}

uint64_t requested_bytes(const BlockLayout& layout, const SpaceBlock& block) {
  return block.active ? std::min(layout.history->requested[block.active->place], block.size) : 0;
}

uint32_t first_block_above(const BlockLayout& layout, const LayoutSegment& segment, uint64_t address) {
  const auto first = layout.blocks.begin() + segment.first_block;
  const auto end = layout.blocks.begin() + segment.block_end;
  const auto at = std::partition_point(first, end, [&](const ActiveBlock& b) { return b.address + b.size <= address; });
  return static_cast<uint32_t>(at - layout.blocks.begin());
}

}  // namespace tidemark
