#include "query/stack_totals.h"

#include "query/color_slot.h"

namespace tidemark {

std::vector<StackTotal> StackTotals::largest(size_t limit) const {
  std::vector<StackTotal> result;
  for (size_t item = 0; item < totals_.size(); ++item) {
    if (totals_[item].count == 0) continue;
    result.push_back({static_cast<int64_t>(item) - 1, 0, totals_[item].count, totals_[item].bytes});
  }
  const auto larger = [](const StackTotal& a, const StackTotal& b) {
    if (a.bytes != b.bytes) return a.bytes > b.bytes;
    return a.count != b.count ? a.count > b.count : a.stack_id < b.stack_id;
  };
  limit = std::min(limit, result.size());
  std::partial_sort(result.begin(), result.begin() + static_cast<std::ptrdiff_t>(limit), result.end(), larger);
  result.resize(limit);
  for (StackTotal& total : result) total.slot = stack_slot(device_, total.stack_id);
  return result;
}

std::vector<StackTotal> top_stacks(const Lifetimes& lifetimes, int64_t event, size_t limit) {
  const DeviceColumns& device = *lifetimes.columns;
  StackTotals totals(device);
  visit_outliving(lifetimes, event, allocations_until(device, event), [&](size_t index) {
    if (!device.is_pending_before(index)) totals.add(device.stack.at(index), device.size[index]);
    return true;
  });
  return totals.largest(limit);
}

std::string to_json(const std::vector<StackTotal>& totals) {
  std::string text = "[";
  for (const StackTotal& total : totals) {
    if (text.size() > 1) text += ",";
    text += "{\"stack_id\":" + std::to_string(total.stack_id) + ",\"slot\":" + std::to_string(total.slot) +
            ",\"count\":" + std::to_string(total.count) + ",\"bytes\":" + std::to_string(total.bytes) + "}";
  }
  return text + "]";
}

}  // namespace tidemark
