#include "query/same_stack.h"

#include <algorithm>
#include <vector>

#include "store/piece_search.h"

namespace tidemark {

Failure same_stack(const DeviceColumns& device, int64_t stack_id, const StopSignal& stop, SameStack& out) {
  out = {};
  std::vector<int64_t> lifetimes;
  for (size_t p = 0; p < device.stack.pieces(); ++p) {
    if (stop()) return query_cancelled();
    const PackedPiece& piece = device.stack.piece(p);
    for (size_t at = find_equal(piece, 0, piece.count, stack_id); at < piece.count;
         at = find_equal(piece, at + 1, piece.count, stack_id)) {
      const size_t index = p * kPackedPiece + at;
      ++out.count;
      const int64_t made = device.alloc_event[index];
      const int64_t freed = device.free_requested[index];
      if (!device.has_times || made == kBefore || freed >= static_cast<int64_t>(device.event_count)) continue;
      const auto time = [&](int64_t event) { return static_cast<uint64_t>(device.time_ns.at(static_cast<size_t>(event))); };
      lifetimes.push_back(static_cast<int64_t>(time(freed) - time(made)));  // unsigned: hostile times may lie far apart
    }
  }
  out.timed = lifetimes.size();
  if (lifetimes.empty()) return {};
  const auto middle = lifetimes.begin() + static_cast<std::ptrdiff_t>((lifetimes.size() - 1) / 2);
  std::nth_element(lifetimes.begin(), middle, lifetimes.end());
  out.median_lifetime_ns = *middle;
  return {};
}

std::string to_json(const SameStack& answer) {
  return "{\"count\":" + std::to_string(answer.count) + ",\"median_lifetime_ns\":" +
         (answer.timed > 0 ? std::to_string(answer.median_lifetime_ns) : std::string("null")) + "}";
}

}  // namespace tidemark
