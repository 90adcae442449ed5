#include "query/allocation_list.h"

#include <algorithm>

#include "query/stoppable.h"

namespace tidemark {
namespace {

// The table in front, the one before it, and each with another order.
constexpr size_t kMostLists = 4;

struct Item {
  uint64_t key;
  uint32_t allocation;
};

// Signed values in the order of unsigned ones.
uint64_t key_of(int64_t value) { return static_cast<uint64_t>(value) ^ (uint64_t{1} << 63); }

// What an allocation is sorted by; false where it has no such value.
class SortKey {
 public:
  SortKey(const DeviceColumns& device, const AllocationOrder& order) : device_(device), order_(order) {}

  bool read(size_t i, uint64_t& key) const {
    switch (order_.sort) {
      case AllocationSort::id: return set(key, i);
      case AllocationSort::address: return set(key, device_.address[i]);
      case AllocationSort::size: return set(key, device_.size[i]);
      case AllocationSort::requested: return set(key, key_of(device_.requested.at(i)));
      case AllocationSort::stream: return set(key, key_of(device_.stream.at(i)));
      case AllocationSort::pool: return set(key, key_of(device_.pool.at(i)));
      case AllocationSort::made: return set(key, key_of(made(i))) && made(i) != kBefore;
      case AllocationSort::freed: return set(key, key_of(freed(i))) && freed(i) != kNever && freed(i) != kBefore;
      case AllocationSort::category: return set(key, order_.categories[i]);
      case AllocationSort::stack: return read_stack(device_.stack.at(i), key);
      default: return read_life(i, key);
    }
  }

 private:
  static bool set(uint64_t& key, uint64_t value) {
    key = value;
    return true;
  }
  int64_t made(size_t i) const { return device_.alloc_event[i]; }
  int64_t freed(size_t i) const { return device_.is_pending_before(i) ? kBefore : int64_t{device_.free_requested[i]}; }

  // So far where it was never given back; not known of what was made before the first event.
  bool read_life(size_t i, uint64_t& key) const {
    const int64_t last = static_cast<int64_t>(device_.event_count) - 1;
    const int64_t end = freed(i) == kNever ? last : freed(i);
    if (made(i) == kBefore || end < 0 || end > last) return false;
    if (order_.sort == AllocationSort::life) return set(key, key_of(end - made(i)));
    if (!device_.has_times) return false;
    return set(key, key_of(device_.time_ns.at(static_cast<size_t>(end)) - device_.time_ns.at(static_cast<size_t>(made(i)))));
  }

  bool read_stack(int64_t stack, uint64_t& key) const {
    if (stack < 0) return false;
    const size_t id = static_cast<size_t>(stack);
    if (order_.ranks.empty()) return set(key, id);
    return id < order_.ranks.size() && order_.ranks[id] != kNoRank && set(key, order_.ranks[id]);
  }

  const DeviceColumns& device_;
  const AllocationOrder& order_;
};

}  // namespace

unsigned sort_parts(AllocationSort sort) {
  if (sort == AllocationSort::address || sort == AllocationSort::requested) return kAllocationsPart | kBlocksPart;
  return kAllocationsPart | (sort == AllocationSort::life_ns ? kTimesPart : 0u);
}

Failure list_allocations(const DeviceColumns& device, const AllocationFilter& filter, const AllocationOrder& order, const StopSignal& stop,
                         AllocationList& out) {
  out = {};
  const SortKey sort_key(device, order);
  const bool passes_all = filter.passes_all();
  std::vector<Item> items;
  std::vector<uint32_t> without;
  for (size_t i = 0; i < device.alloc_event.size(); ++i) {
    if (is_stopped_at(i, stop)) return query_cancelled();
    if (!passes_all && !filter.passes(device, i)) continue;
    out.bytes += device.size[i];
    uint64_t key = 0;
    const uint32_t allocation = static_cast<uint32_t>(i);
    if (!sort_key.read(i, key)) without.push_back(allocation);
    else items.push_back({order.descending ? ~key : key, allocation});
  }
  const auto less = [](const Item& a, const Item& b) { return a.key < b.key; };  // items are in order of allocation
  const Failure failure = stoppable_sort(items, less, stop);
  if (failure.failed()) return failure;
  out.allocations.reserve(items.size() + without.size());
  for (const Item& item : items) out.allocations.push_back(item.allocation);
  out.allocations.insert(out.allocations.end(), without.begin(), without.end());
  return {};
}

std::shared_ptr<const AllocationList> AllocationLists::find(uint64_t generation, const std::string& key) {
  if (generation_ != generation) kept_.clear();
  generation_ = generation;
  const auto known = std::find_if(kept_.begin(), kept_.end(), [&](const Kept& kept) { return kept.key == key; });
  if (known == kept_.end()) return nullptr;
  std::rotate(known, known + 1, kept_.end());
  return kept_.back().list;
}

void AllocationLists::keep(const std::string& key, std::shared_ptr<const AllocationList> list) {
  if (kept_.size() == kMostLists) kept_.erase(kept_.begin());
  kept_.push_back({key, std::move(list)});
}

}  // namespace tidemark
