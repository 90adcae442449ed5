#include <algorithm>

#include "query/allocation_filter.h"

namespace tidemark {
namespace {

bool has(const std::vector<uint8_t>& kept, int64_t item) {
  return item >= 0 && static_cast<size_t>(item) < kept.size() && kept[static_cast<size_t>(item)] != 0;
}

}  // namespace

bool FurtherConditions::lives_as_asked(const DeviceColumns& device, int64_t made, int64_t freed) const {
  const int64_t last = static_cast<int64_t>(device.event_count) - 1;
  const int64_t end = freed == kNever ? last : freed;
  const bool is_known = made != kBefore && freed != kNever;  // else it lived for at least so long
  if (min_life > 0 && end - made < min_life) return false;
  if (max_life != INT64_MAX && (!is_known || end - made > max_life)) return false;
  if (!(parts & kTimesPart) || (min_life_ns == 0 && max_life_ns == INT64_MAX)) return true;
  if (!device.has_times || end < 0 || end > last) return false;
  const auto at = [&](int64_t event) { return device.time_ns.at(static_cast<size_t>(std::max<int64_t>(event, 0))); };
  const int64_t life = at(end) - at(made);
  return life >= min_life_ns && (max_life_ns == INT64_MAX || (is_known && life <= max_life_ns));
}

bool FurtherConditions::passes(const DeviceColumns& device, size_t allocation) const {
  const uint64_t size = device.size[allocation];
  if (size > max_bytes) return false;
  const int64_t made_at = device.alloc_event[allocation];
  const int64_t freed_at = device.is_pending_before(allocation) ? kBefore : int64_t{device.free_requested[allocation]};
  if (is_of_moment && (made_at > alive_at || freed_at <= alive_at || device.is_pending_before(allocation))) return false;
  if (!made.holds(made_at)) return false;
  if (is_freed && (freed_at == kNever || !freed.holds(freed_at))) return false;
  if (!lives_as_asked(device, made_at, freed_at)) return false;
  if (by_stream && !has(streams, device.stream.at(allocation))) return false;
  if (by_pool && !has(pools, device.pool.at(allocation))) return false;
  if (!without_stacks.empty() && has(without_stacks, device.stack.at(allocation) + 1)) return false;
  if (!(parts & kBlocksPart)) return true;
  if (!requested.holds(device.requested.at(allocation))) return false;
  const uint64_t address = device.address[allocation];
  // The last byte, not the one behind it, which may be past the end of all addresses.
  const uint64_t last = size == 0 ? address : size - 1 > UINT64_MAX - address ? UINT64_MAX : address + (size - 1);
  return !by_address || (address < address_to && last >= address_from);
}

}  // namespace tidemark
