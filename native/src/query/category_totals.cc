#include "query/category_totals.h"

#include <algorithm>

#include "model/json_number.h"
#include "query/json.h"

namespace tidemark {
namespace {

struct Sum {
  uint64_t count = 0;
  uint64_t bytes = 0;            // rounded
  uint64_t requested_bytes = 0;  // asked for; rounded where the capture does not say

  void add(const Sum& other) {
    count += other.count;
    bytes += other.bytes;
    requested_bytes += other.requested_bytes;
  }
  JsonObject& write_to(JsonObject& out) const {
    return out.number("bytes", bytes).number("requested_bytes", requested_bytes).number("count", count);
  }
};

// By place of the rule; the last is what no rule matches.
std::vector<Sum> sums_by_rule(const Lifetimes& lifetimes, const Categories& categories, int64_t event) {
  const DeviceColumns& device = *lifetimes.columns;
  std::vector<Sum> sums(categories.rules->rules.size() + 1);
  visit_outliving(lifetimes, event, allocations_until(device, event), [&](size_t i) {
    if (!device.is_pending_before(i)) {
      const uint64_t requested = device.is_of_trace ? device.size[i] : static_cast<uint64_t>(device.requested.at(i));
      sums[std::min<size_t>(categories.rule[i], sums.size() - 1)].add({1, device.size[i], requested});
    }
    return true;
  });
  return sums;
}

// A rule's share; `rule` is nullptr for what no rule matches.
std::string share_json(const CategoryRule* rule, const Sum& sum) {
  JsonObject share;
  if (rule) share.text("rule", rule->id).json("confidence", json_number(rule->confidence));
  else share.json("rule", "null").number("confidence", 0);
  return sum.write_to(share).take();
}

}  // namespace

std::string category_totals(const Lifetimes& lifetimes, const Categories& categories, int64_t event) {
  const std::vector<CategoryRule>& rules = categories.rules->rules;
  const std::vector<Sum> sums = sums_by_rule(lifetimes, categories, event);
  std::vector<std::string> totals;
  for (uint8_t category = 1; category <= kCategoryCount; ++category) {
    Sum all;
    std::vector<std::string> shares;
    for (size_t i = 0; i < sums.size(); ++i) {
      const CategoryRule* rule = i < rules.size() ? &rules[i] : nullptr;
      if (sums[i].count == 0 || (rule ? rule->category : kUnknownCategory) != category) continue;
      all.add(sums[i]);
      shares.push_back(share_json(rule, sums[i]));
    }
    if (all.count == 0) continue;
    JsonObject total;
    all.write_to(total.text("category", std::string(category_name(category))));
    totals.push_back(total.json("rules", json_array(shares, [](const std::string& share) { return share; })).take());
  }
  return json_array(totals, [](const std::string& total) { return total; });
}

}  // namespace tidemark
