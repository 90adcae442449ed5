#include "query/would_fit.h"

#include <algorithm>

namespace tidemark {
namespace {

constexpr uint64_t kSegmentUnit = uint64_t{2} << 20;  // a small segment, and the unit of segments of their own
constexpr uint64_t kOwnSegment = uint64_t{10} << 20;  // least request that gets a segment of its own
constexpr uint64_t kUnboundedRoom = UINT64_MAX / 4;   // for growth that the capture does not limit

struct FreeBlock {
  uint64_t address = 0;
  uint64_t size = 0;
  uint64_t grown = 0;  // bytes that it can grow to by mapping
  const LayoutSegment* segment = nullptr;
};

bool fits_better(const FreeBlock& a, const FreeBlock& b) {
  return a.size != b.size ? a.size < b.size : a.address < b.address;
}

uint64_t rounded_up(uint64_t bytes, uint64_t unit) {
  return bytes > UINT64_MAX - unit ? bytes : (bytes + unit - 1) / unit * unit;
}

// Calls visit(address, size) for the free blocks of a segment, as they would be if pending frees completed or as they are.
template <class Visit>
void visit_free(const BlockLayout& layout, const LayoutSegment& segment, bool with_pending, Visit&& visit) {
  uint64_t from = segment.address;
  for (uint32_t i = segment.first_block; i < segment.block_end; ++i) {
    const ActiveBlock& block = layout.blocks[i];
    if (with_pending && block.is_pending) continue;
    if (block.address > from) visit(from, block.address - from);
    from = block.address + block.size;
  }
  if (segment.end() > from) visit(from, segment.end() - from);
}

class FitSearch {
 public:
  FitSearch(const BlockLayout& layout, const AllocatorRules& rules, const FitRequest& request)
      : layout_(layout), rules_(rules), request_(request) {
    out_.rounded = rules.round_size(request.bytes);
    out_.is_small = out_.rounded <= kSmallLimit;
  }

  FitAnswer run() {
    measure_rooms();
    for (const LayoutSegment& segment : layout_.segments) look_into(segment);
    choose();
    out_.segment_bytes = new_segment_bytes();
    return out_;
  }

 private:
  bool is_right(const LayoutSegment& segment) const {
    return segment.pool == request_.pool && segment.stream == request_.stream && segment.is_small == out_.is_small;
  }

  bool is_passed_over(const LayoutSegment& segment) const { return segment.is_expandable && !rules_.expandable_segments; }

  void look_into(const LayoutSegment& segment) {
    if (!is_right(segment)) {
      FreeTally& tally = segment.pool != request_.pool       ? out_.other_pools
                         : segment.stream != request_.stream ? out_.other_streams
                                                             : out_.other_class;
      visit_free(layout_, segment, false, [&](uint64_t at, uint64_t size) { tally.add(at, size, size >= out_.rounded); });
      return;
    }
    visit_free(layout_, segment, false, [&](uint64_t at, uint64_t size) { take_free(segment, at, size); });
    visit_free(layout_, segment, true, [&](uint64_t at, uint64_t size) {
      out_.pending.add(at, size, size >= out_.rounded && !is_passed_over(segment) && rules_.serves(out_.rounded, size));
    });
  }

  void take_free(const LayoutSegment& segment, uint64_t address, uint64_t size) {
    const bool is_large_enough = size >= out_.rounded && !is_passed_over(segment);
    const bool serves = rules_.serves(out_.rounded, std::max(size, out_.rounded));
    out_.free.add(address, size, is_large_enough && serves);
    if (!serves) out_.oversize.add(address, size, is_large_enough);
    if (!is_large_enough) return;
    const bool is_at_end = segment.is_expandable && address + size == segment.end();
    enough_.push_back({address, size, is_at_end ? size + room_behind(segment) : size, &segment});
  }

  // Unmapped bytes between each segment and the next expandable one of the right kind.
  void measure_rooms() {
    if (!rules_.expandable_segments) return;
    rooms_.resize(layout_.segments.size());
    uint64_t next = UINT64_MAX;
    for (size_t i = layout_.segments.size(); i-- > 0;) {
      const LayoutSegment& segment = layout_.segments[i];
      rooms_[i] = std::min(next - segment.end(), kUnboundedRoom);
      if (segment.is_expandable && is_right(segment)) next = segment.address;
    }
  }

  uint64_t room_behind(const LayoutSegment& segment) const {
    return rooms_[static_cast<size_t>(&segment - layout_.segments.data())];
  }

  void choose() {
    if (enough_.empty()) return;
    size_t at = 0;
    std::swap(enough_[0], *std::min_element(enough_.begin(), enough_.end(), fits_better));
    if (enough_[0].grown > enough_[0].size) {
      std::sort(enough_.begin(), enough_.end(), fits_better);
      while (at + 1 < enough_.size() && enough_[at].segment->is_expandable && enough_[at + 1].grown < enough_[at].grown) ++at;
    }
    const FreeBlock& best = enough_[at];
    if (!rules_.serves(out_.rounded, best.size)) return;
    out_.fits = true;
    out_.address = best.address;
    out_.size = best.size;
    out_.segment_address = best.segment->address;
    out_.rest_bytes = rules_.splits(out_.rounded, best.size) ? best.size - out_.rounded : 0;
  }

  uint64_t new_segment_bytes() const {
    if (rules_.expandable_segments) return mapped_bytes();
    if (out_.is_small) return kSegmentUnit;
    return out_.rounded < kOwnSegment ? rules_.large_segment_size : rounded_up(out_.rounded, kSegmentUnit);
  }

  // Bytes that would be mapped behind the lowest segment with room.
  uint64_t mapped_bytes() const {
    const uint64_t page = page_bytes(out_.is_small);
    for (const LayoutSegment& segment : layout_.segments) {
      if (!segment.is_expandable || !is_right(segment)) continue;
      const bool is_empty = segment.first_block == segment.block_end;
      const uint64_t last = is_empty ? segment.address
                                     : layout_.blocks[segment.block_end - 1].address + layout_.blocks[segment.block_end - 1].size;
      const uint64_t tail = segment.end() - last;
      const uint64_t missing = out_.rounded > tail ? out_.rounded - tail : page;
      if (missing <= room_behind(segment)) return rounded_up(missing, page);
    }
    return rounded_up(out_.rounded, page);
  }

  const BlockLayout& layout_;
  const AllocatorRules& rules_;
  const FitRequest& request_;
  FitAnswer out_;
  std::vector<uint64_t> rooms_;    // by segment; only with expandable segments
  std::vector<FreeBlock> enough_;  // free blocks of the right kind that are large enough
};

}  // namespace

void FreeTally::add(uint64_t address, uint64_t size, bool fits) {
  ++count;
  bytes += size;
  if (fits) ++fitting_count;
  if (size <= largest_bytes) return;
  largest_bytes = size;
  largest_address = address;
}

FitAnswer would_fit(const BlockLayout& layout, const AllocatorRules& rules, const FitRequest& request) {
  return FitSearch(layout, rules, request).run();
}

}  // namespace tidemark
