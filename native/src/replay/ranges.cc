#include "replay/ranges.h"

#include <algorithm>

namespace tidemark {
namespace {

using Ranges = std::map<uint64_t, ReservedRange>;

// Removes exactly [address, address + size); a part of an expandable range may be cut out. False when it is not all there.
bool cut(Ranges& ranges, uint64_t address, uint64_t size) {
  auto it = ranges.upper_bound(address);
  if (it == ranges.begin()) return false;
  --it;
  const uint64_t start = it->first;
  const ReservedRange range = it->second;
  const uint64_t offset = address - start;
  if (offset > range.size || size > range.size - offset) return false;
  if (!range.is_expandable && (offset != 0 || size != range.size)) return false;
  ranges.erase(it);
  if (offset > 0) ranges[start] = ReservedRange{offset, range.stream, true};
  const uint64_t rest = range.size - offset - size;
  if (rest > 0) ranges[address + size] = ReservedRange{rest, range.stream, true};
  return true;
}

// Puts a range back. False when it overlaps one that is there.
bool restore(Ranges& ranges, uint64_t address, const ReservedRange& range) {
  if (range.size == 0 || address + range.size < address) return false;
  const auto next = ranges.lower_bound(address);
  if (next != ranges.end() && next->first - address < range.size) return false;
  if (next != ranges.begin()) {
    const auto before = std::prev(next);
    if (address - before->first < before->second.size) return false;
  }
  ranges[address] = range;
  return true;
}

// Whether two ranges that follow each other are parts of one expandable segment.
bool touch(const Ranges::value_type& low, const Ranges::value_type& high) {
  return low.second.is_expandable && high.second.is_expandable && low.second.stream == high.second.stream &&
         low.first + low.second.size == high.first;
}

// Ranges of one expandable segment that touch are one range: a later unmap may span them.
void join_neighbors(Ranges& ranges) {
  for (auto it = ranges.begin(); it != ranges.end();) {
    const auto next = std::next(it);
    if (next != ranges.end() && touch(*it, *next)) {
      it->second.size += next->second.size;
      ranges.erase(next);
    } else {
      it = next;
    }
  }
}

// A cut may span ranges that earlier restores left side by side. Only those are joined: each join leaves one range fewer, so
// that a history of many cuts costs no more than its ranges.
bool cut_joined(Ranges& ranges, uint64_t address, uint64_t size) {
  if (cut(ranges, address, size)) return true;
  auto it = ranges.upper_bound(address);
  if (it == ranges.begin()) return false;
  --it;
  for (auto next = std::next(it); next != ranges.end() && it->second.size - (address - it->first) < size; next = std::next(it)) {
    if (!touch(*it, *next)) return false;
    it->second.size += next->second.size;
    ranges.erase(next);
  }
  return cut(ranges, address, size);
}

}  // namespace

StartRanges undo_segment_events(const DeviceTrace& trace, const std::vector<uint32_t>& segment_events,
                                const std::map<uint64_t, ReservedRange>& segments) {
  StartRanges out;
  out.by_address = segments;
  for (size_t i = segment_events.size(); i-- > 0;) {
    const uint32_t event = segment_events[i];
    const auto action = static_cast<Action>(trace.action[event]);
    const bool expandable = action == Action::segment_map || action == Action::segment_unmap;
    const bool undone =
        action == Action::segment_alloc || action == Action::segment_map
            ? cut_joined(out.by_address, trace.address[event], trace.size[event])
            : restore(out.by_address, trace.address[event], ReservedRange{trace.size[event], trace.stream[event], expandable});
    out.consistent = out.consistent && undone;
  }
  join_neighbors(out.by_address);
  return out;
}

const Segment* segment_over(const std::vector<const Segment*>& segments, uint64_t address) {
  const auto after = std::upper_bound(segments.begin(), segments.end(), address,
                                      [](uint64_t a, const Segment* s) { return a < s->address; });
  if (after == segments.begin()) return nullptr;
  const Segment* segment = *std::prev(after);
  return address - segment->address < segment->total_size ? segment : nullptr;
}

}  // namespace tidemark
