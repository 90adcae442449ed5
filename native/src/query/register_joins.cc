// The SQL face of what two captures of one run have in common (native/README.md, Joins).
#include <cmath>
#include <numeric>

#include "model/json_number.h"
#include "query/allocation_join.h"
#include "query/batch_reader.h"
#include "query/json.h"
#include "query/question.h"
#include "query/stoppable.h"

namespace tidemark {
namespace {

constexpr double kMostExact = 9007199254740992.0;  // 2^53

// The allocations of a device that events made at from ≤ time ≤ to; none where it has no times.
Failure read_items(const DeviceColumns& device, double from, double to, const StopSignal& stop, JoinSide& out) {
  if (!device.has_times || device.event_count == 0) return {};
  const auto time_of = [&](int64_t event) { return static_cast<double>(device.time_ns.at(static_cast<size_t>(event))); };
  const size_t first = allocations_until(device, kBefore);
  const size_t count = device.alloc_event.size();
  if (first == count) return {};
  out.first = time_of(device.alloc_event[first]);
  out.last = time_of(device.alloc_event[count - 1]);
  for (size_t i = first; i < count; ++i) {
    if (is_stopped_at(i, stop)) return query_cancelled();
    JoinItem item;
    item.time = time_of(device.alloc_event[i]);
    if (!(item.time >= from && item.time <= to) || std::fabs(item.time) > kMostExact) continue;
    item.address = static_cast<double>(device.address[i]);
    item.size = static_cast<double>(device.size[i]);
    item.requested = static_cast<double>(device.requested.at(i));
    item.id = static_cast<double>(device.first_allocation_id + static_cast<int64_t>(i));
    item.event = static_cast<double>(device.alloc_event[i]);
    out.items.push_back(item);
  }
  return {};
}

// One column of a batch, and the member of an item that it holds.
struct KeyColumn {
  const char* name;
  double JoinItem::*member;
};
constexpr KeyColumn kKeys[] = {
    {"address", &JoinItem::address},           {"size_bytes", &JoinItem::size},   {"requested_bytes", &JoinItem::requested},
    {"alloc_time_ns", &JoinItem::time},        {"alloc_event", &JoinItem::event}, {"allocation_id", &JoinItem::id},
};
constexpr size_t kKeyCount = sizeof kKeys / sizeof *kKeys;
constexpr unsigned kJoinParts = kTimesPart | kAllocationsPart | kBlocksPart;

void answer_keys(const Question& q) {
  const double from = q.arguments.real("from_ns");
  const double to = q.arguments.real("to_ns");
  const Lifetimes* lifetimes = q.load(kJoinParts);
  if (!lifetimes) return;
  JoinSide side;
  const Failure failure = read_items(*lifetimes->columns, from, to, q.context.stop_signal(), side);
  if (failure.failed()) return answer_error(q.sql, failure);
  BatchWriter batch(kKeyCount, side.items.size() * sizeof(JoinItem));
  std::vector<double> values;
  for (const KeyColumn& key : kKeys) {
    values.clear();
    for (const JoinItem& item : side.items) values.push_back(item.*key.member);
    batch.add_f64(key.name, values);
  }
  answer_batch(q.sql, batch);
}

// The other capture's allocations as its allocation_keys() answered, with first and last. What is no number is left out: it would match nothing
// and has no place in an order.
Failure read_keys(std::pair<const uint8_t*, size_t> batch, JoinSide& out) {
  NumberColumn columns[kKeyCount];
  for (size_t k = 0; k < kKeyCount; ++k) {
    const bool read = read_numbers(batch.first, batch.second, kKeys[k].name, columns[k]);
    if (!read || columns[k].size() != columns[0].size()) return bad_argument("other_keys must be a batch of allocation_keys.");
  }
  out.items.reserve(columns[0].size());
  for (size_t i = 0; i < columns[0].size(); ++i) {
    JoinItem item;
    bool is_sound = true;
    for (size_t k = 0; k < kKeyCount; ++k) {
      item.*kKeys[k].member = columns[k][i];
      is_sound = is_sound && std::isfinite(columns[k][i]);
    }
    if (!is_sound || std::fabs(item.time) > kMostExact) continue;
    if (out.items.empty()) out.first = out.last = item.time;
    out.first = std::min(out.first, item.time);
    out.last = std::max(out.last, item.time);
    out.items.push_back(item);
  }
  return {};
}

std::string meta_json(const AllocationJoin& join) {
  JsonObject meta;
  meta.number("matched", join.pairs.size()).number("equal_sizes", join.equal_sizes);
  meta.number("own_in_overlap", join.own_in_common).number("other_in_overlap", join.other_in_common);
  meta.json("offset_ns", json_number(join.offset)).json("spread_ns", json_number(join.spread));
  const bool overlaps = join.from <= join.to;
  meta.json("from_ns", overlaps ? json_number(join.from) : "null").json("to_ns", overlaps ? json_number(join.to) : "null");
  return meta.take();
}

// Places of the pairs in order of the other allocation_id.
Failure order_by_other(const AllocationJoin& join, const StopSignal& stop, std::vector<size_t>& out) {
  out.resize(join.pairs.size());
  std::iota(out.begin(), out.end(), size_t{0});
  return stoppable_sort(out, [&](size_t a, size_t b) { return join.pairs[a].other.id < join.pairs[b].other.id; }, stop);
}

void answer_match(sqlite3_context* sql, const AllocationJoin& join, const std::vector<size_t>& order) {
  constexpr uint32_t kColumns = 6;
  BatchWriter batch(kColumns, join.pairs.size() * (kColumns - 1) * sizeof(double) + 400);
  std::vector<double> values;
  const auto add = [&](const char* name, JoinItem JoinPair::*side, double JoinItem::*member) {
    values.clear();
    for (const JoinPair& pair : join.pairs) values.push_back(pair.*side.*member);
    batch.add_f64(name, values);
  };
  add("own_allocation", &JoinPair::own, &JoinItem::id);
  add("other_allocation", &JoinPair::other, &JoinItem::id);
  add("own_event", &JoinPair::own, &JoinItem::event);
  add("other_event", &JoinPair::other, &JoinItem::event);
  batch.add_f64("by_other", std::vector<double>(order.begin(), order.end()));
  batch.add_json("meta", meta_json(join));
  answer_batch(sql, batch);
}

void answer_join(const Question& q) {
  const auto batch = q.arguments.blob("other_keys");
  const double offset = q.arguments.real("offset_ns");
  const Lifetimes* lifetimes = q.load(kJoinParts);
  if (!lifetimes) return;
  const StopSignal stop = q.context.stop_signal();
  JoinSide own;
  JoinSide other;
  AllocationJoin join;
  join.offset = offset;
  join.spread = NAN;
  join.from = 1;  // behind `to`: no common time
  Failure failure = read_keys(batch, other);
  constexpr double kReach = kJoinSearchNs + kJoinToleranceNs;
  const double from = other.first + offset - kReach;
  const double to = other.last + offset + kReach;
  if (!failure.failed()) failure = read_items(*lifetimes->columns, from, to, stop, own);
  const bool is_empty = own.items.empty() || other.items.empty();
  if (!failure.failed() && !is_empty) failure = join_allocations(own, other, offset, stop, join);
  std::vector<size_t> order;
  if (!failure.failed()) failure = order_by_other(join, stop, order);
  if (failure.failed()) return answer_error(q.sql, failure);
  answer_match(q.sql, join, order);
}

}  // namespace

QueryFunctions join_functions() {
  return {{"allocation_keys", 3, run<answer_keys>}, {"match_allocations", 3, run<answer_join>}};
}

}  // namespace tidemark
