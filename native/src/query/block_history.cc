#include "query/block_history.h"

#include <algorithm>

#include "model/bits.h"

namespace tidemark {
namespace {

constexpr int kDigitBits = 11;
constexpr size_t kDigits = size_t{1} << kDigitBits;

struct Keyed {
  uint64_t key;
  uint32_t index;
};

// One stable pass of a radix sort, by the digit that begins at bit `shift`.
void sort_by_digit(const std::vector<Keyed>& from, int shift, std::vector<Keyed>& to) {
  std::vector<size_t> start(kDigits + 1, 0);
  for (const Keyed& item : from) ++start[((item.key >> shift) & (kDigits - 1)) + 1];
  for (size_t digit = 0; digit < kDigits; ++digit) start[digit + 1] += start[digit];
  for (const Keyed& item : from) to[start[(item.key >> shift) & (kDigits - 1)]++] = item;
}

// Indices by address, equal addresses in their order. Keys are as short as the addresses allow: above the lowest, without the
// zero bits that all of them end in.
Failure order_by_address(const std::vector<uint64_t>& address, const StopSignal& stop, std::vector<Keyed>& out) {
  out.resize(address.size());
  if (address.empty()) return {};
  const uint64_t lowest = *std::min_element(address.begin(), address.end());
  uint64_t any = 0;
  for (const uint64_t a : address) any |= a - lowest;
  const int shift = any == 0 ? 0 : lowest_bit(any);
  const int width = any == 0 ? 0 : highest_bit(any) + 1 - shift;
  for (size_t i = 0; i < address.size(); ++i) out[i] = {(address[i] - lowest) >> shift, static_cast<uint32_t>(i)};
  std::vector<Keyed> other(address.size());
  for (int bit = 0; bit < width; bit += kDigitBits) {
    if (stop()) return query_cancelled();
    sort_by_digit(out, bit, other);
    out.swap(other);
  }
  return {};
}

bool is_sound(const DeviceColumns& columns) {
  const size_t count = columns.alloc_event.size();
  if (columns.address.size() != count || columns.requested.size() != count) return false;
  if (columns.free_requested.size() != count || columns.free_completed.size() != count) return false;
  return columns.size.size() == count && count < kNoMoment;
}

uint32_t moment_of_free(uint32_t event) { return event == kNoMoment ? kNoMoment : event + 1; }

void note_groups(BlockHistory& out) {
  for (size_t first = 0; first < out.count(); first += kHistoryGroup) {
    const size_t end = std::min(out.count(), first + kHistoryGroup);
    out.first_made.push_back(*std::min_element(&out.made[first], &out.made[0] + end));
    out.last_free_completed.push_back(*std::max_element(&out.free_completed[first], &out.free_completed[0] + end));
  }
}

}  // namespace

Failure derive_history(const DeviceColumns& columns, const StopSignal& stop, BlockHistory& out) {
  if (!is_sound(columns)) {
    return {"index/not_an_index", "The stored blocks of device " + std::to_string(columns.device) + " contradict each other."};
  }
  out = {};
  out.columns = &columns;
  std::vector<Keyed> order;
  const Failure problem = order_by_address(columns.address, stop, order);
  if (problem.failed()) return problem;
  const size_t count = order.size();
  std::vector<int64_t> requested(count);
  columns.requested.decode(0, count, requested.data());
  const auto gather = [&](auto& column, auto value_at) {
    column.resize(count);
    for (size_t i = 0; i < count; ++i) column[i] = value_at(order[i].index);
  };
  gather(out.index, [](uint32_t i) { return i; });
  gather(out.address, [&](uint32_t i) { return columns.address[i]; });
  gather(out.size, [&](uint32_t i) { return columns.size[i]; });
  gather(out.requested, [&](uint32_t i) { return static_cast<uint64_t>(std::max<int64_t>(requested[i], 0)); });
  if (stop()) return query_cancelled();
  gather(out.made, [&](uint32_t i) { return moment_after(columns.alloc_event[i]); });
  gather(out.free_requested,
         [&](uint32_t i) { return columns.is_pending_before(i) ? 0 : moment_of_free(columns.free_requested[i]); });
  gather(out.free_completed, [&](uint32_t i) { return moment_of_free(columns.free_completed[i]); });
  note_groups(out);
  return {};
}

}  // namespace tidemark
