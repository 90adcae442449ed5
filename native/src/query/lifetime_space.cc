#include "query/lifetime_space.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numeric>

#include "model/json_number.h"
#include "query/stoppable.h"

namespace tidemark {
namespace {

constexpr double kForever = std::numeric_limits<double>::infinity();
constexpr size_t kStackRows = 64;          // the last is shared where there are more stacks
constexpr double kSmallestSize = 36;       // 4·log2 of 512 bytes
constexpr double kUnitsPerDoubling = 4;

uint8_t size_unit(uint64_t bytes) {
  if (bytes == 0) return 0;
  const double unit = std::floor(kUnitsPerDoubling * std::log2(static_cast<double>(bytes)) - kSmallestSize);
  return static_cast<uint8_t>(std::max(unit, 0.0));  // at most 4·64 − 36
}

// The stacks of a device, largest bytes × events first, with the row of each.
class StackRanking {
 public:
  explicit StackRanking(size_t stacks) : area_(stacks + 1), count_(area_.size()), row_(area_.size()) {}

  // Counts an allocation; `area`: its bytes × events.
  void add(int64_t stack_id, double area) {
    const size_t item = item_of(stack_id);
    area_[item] += area;
    ++count_[item];
  }

  // Afterwards there are rows.
  void rank() {
    for (size_t item = 0; item < area_.size(); ++item) {
      if (count_[item] > 0) ranked_.push_back(item);
    }
    std::stable_sort(ranked_.begin(), ranked_.end(), [&](size_t a, size_t b) { return area_[a] > area_[b]; });
    for (size_t rank = 0; rank < ranked_.size(); ++rank) {
      row_[ranked_[rank]] = static_cast<uint8_t>(std::min(rank, kStackRows - 1));
    }
  }

  uint8_t row(int64_t stack_id) const { return row_[item_of(stack_id)]; }

  std::vector<PlaceRow> rows() const {
    std::vector<PlaceRow> rows(std::min(ranked_.size(), kStackRows));
    for (size_t rank = 0; rank < ranked_.size(); ++rank) {
      PlaceRow& row = rows[std::min(rank, kStackRows - 1)];
      row.stack_id = static_cast<int64_t>(ranked_[rank]) - 1;
      row.is_rest = rank >= kStackRows;
      row.count += count_[ranked_[rank]];
    }
    return rows;
  }

 private:
  // Item 0 is "no stack"; ids that the capture does not have count there too.
  size_t item_of(int64_t stack_id) const {
    const uint64_t item = static_cast<uint64_t>(stack_id) + 1;
    return item < area_.size() ? static_cast<size_t>(item) : 0;
  }

  std::vector<double> area_;
  std::vector<uint64_t> count_;
  std::vector<uint8_t> row_;
  std::vector<size_t> ranked_;
};

// Rows of one unit each, lowest first.
void set_units(std::vector<PlaceRow>& rows, LifetimePlaces& out) {
  for (size_t unit = 0; unit < rows.size(); ++unit) {
    rows[unit].y0 = static_cast<double>(unit);
    rows[unit].y1 = static_cast<double>(unit + 1);
  }
  out.end = static_cast<double>(rows.size());
  out.rows = std::move(rows);
}

}  // namespace

Failure LifetimeSpace::check(const DeviceColumns& device) {
  const size_t count = device.alloc_event.size();
  const size_t events = device.event_count;
  const bool sound = device.address.size() == count && device.free_completed.size() == count &&
                     std::all_of(device.reservations.begin(), device.reservations.end(), [&](const Reservation& life) {
                       return life.map_event >= kBefore && life.map_event < static_cast<int64_t>(events);
                     });
  if (sound) return {};
  return {"index/not_an_index", "The stored columns of device " + std::to_string(device.device) + " contradict each other."};
}

LifetimeSpace::LifetimeSpace(const Lifetimes& lifetimes) : lifetimes_(lifetimes) {
  const DeviceColumns& columns = device();
  last_event_ = lifetimes.last_free;
  for (size_t i = 0; i < columns.alloc_event.size(); ++i) {
    uint32_t& last = last_event_[i / kLifetimeGroup];
    last = std::max({last, columns.free_completed[i], static_cast<uint32_t>(std::max(columns.alloc_event[i], 0))});
  }
}

double LifetimeSpace::start(size_t allocation) const {
  const int32_t event = device().alloc_event[allocation];
  return event == kBefore ? -kForever : event;
}

double LifetimeSpace::free_requested(size_t allocation) const {
  if (device().is_pending_before(allocation)) return start(allocation);
  const uint32_t event = device().free_requested[allocation];
  return event > INT32_MAX ? kForever : std::max(static_cast<double>(event), start(allocation));
}

double LifetimeSpace::free_completed(size_t allocation) const {
  const uint32_t event = device().free_completed[allocation];
  return event > INT32_MAX ? kForever : std::max(static_cast<double>(event), free_requested(allocation));
}

double LifetimeSpace::position(Axis axis, int64_t event) const {
  if (event < 0) return -kForever;
  if (event > INT32_MAX) return kForever;  // kNever, or what no device has
  if (axis == Axis::event) return static_cast<double>(event);
  // A damaged index may name events that it does not have.
  return event < static_cast<int64_t>(device().event_count)
             ? static_cast<double>(device().time_ns.at(static_cast<size_t>(event)))
             : kForever;
}

void LifetimeSpace::set_categories(std::shared_ptr<const Categories> categories) {
  if (categories_ == categories) return;
  categories_ = std::move(categories);
  places_[static_cast<size_t>(LifetimeOrder::category)].reset();
}

Failure LifetimeSpace::prepare(const LifetimeAxes& axes, const StopSignal& stop) {
  const LifetimeOrder order = axes.order;
  Failure error;
  if (axes.axis == Axis::time && !times_) error = derive_times(stop);
  if (!error.failed() && is_address_order(order) && !addresses_) error = derive_addresses(stop);
  if (!error.failed() && !places_[static_cast<size_t>(order)]) error = derive_places(order, stop);
  return error;
}

Failure LifetimeSpace::derive_times(const StopSignal& stop) {
  const size_t count = lifetimes_.count();
  LifetimeTimes times;
  for (auto* column : {&times.start, &times.free_requested, &times.free_completed}) column->resize(count);
  const auto time = [&](double event) {
    if (event < 0 || event == kForever) return event;
    return position(Axis::time, static_cast<int64_t>(event));
  };
  for (size_t i = 0; i < count; ++i) {
    if (is_stopped_at(i, stop)) return query_cancelled();
    times.start[i] = time(start(i));
    times.free_requested[i] = time(free_requested(i));
    times.free_completed[i] = time(free_completed(i));
  }
  times_ = std::move(times);
  return {};
}

Failure LifetimeSpace::derive_addresses(const StopSignal& stop) {
  const auto& reservations = device().reservations;
  reservations_by_start_.resize(reservations.size());
  std::iota(reservations_by_start_.begin(), reservations_by_start_.end(), 0u);
  Failure error = stoppable_sort(
      reservations_by_start_, [&](uint32_t a, uint32_t b) { return reservations[a].map_event < reservations[b].map_event; }, stop);
  AddressSpace addresses;
  if (!error.failed()) error = addresses.derive(device(), stop);
  if (!error.failed()) addresses_ = std::move(addresses);
  return error;
}

Failure LifetimeSpace::derive_places(LifetimeOrder order, const StopSignal& stop) {
  LifetimePlaces places;
  Failure error;
  switch (order) {
    case LifetimeOrder::address: error = place_addresses(AddressScale::bytes, stop, places); break;
    case LifetimeOrder::address_sqrt: error = place_addresses(AddressScale::root, stop, places); break;
    case LifetimeOrder::allocation: places.end = static_cast<double>(lifetimes_.count()); break;
    case LifetimeOrder::size: error = place_sizes(stop, places); break;
    case LifetimeOrder::stack: error = place_stacks(stop, places); break;
    case LifetimeOrder::category: error = place_categories(stop, places); break;
  }
  if (!error.failed()) places_[static_cast<size_t>(order)] = std::move(places);
  return error;
}

Failure LifetimeSpace::place_addresses(AddressScale scale, const StopSignal& stop, LifetimePlaces& out) const {
  const AddressSpace& space = addresses();
  const DeviceColumns& columns = device();
  out.end = space.end(scale);
  out.y0.resize(columns.address.size());
  out.y1.resize(columns.address.size());
  AddressSpace::Cursor cursor;
  for (size_t i = 0; i < columns.address.size(); ++i) {
    if (is_stopped_at(i, stop)) return query_cancelled();
    const uint64_t address = columns.address[i];
    const uint64_t bytes = std::min(columns.size[i], UINT64_MAX - address);
    out.y0[i] = space.y(address, scale, cursor);
    // Within a stretch bytes are units; only rows of different height have to be looked up twice.
    out.y1[i] = scale == AddressScale::bytes ? out.y0[i] + static_cast<double>(bytes) : space.y(address + bytes, scale, cursor);
  }
  for (const AddressRow& row : space.rows()) {
    PlaceRow place;
    place.address = row.address;
    place.bytes = row.bytes;
    place.y0 = scale == AddressScale::bytes ? static_cast<double>(row.offset) : row.root;
    if (!out.rows.empty()) out.rows.back().y1 = place.y0;
    out.rows.push_back(place);
  }
  if (!out.rows.empty()) out.rows.back().y1 = out.end;
  return {};
}

Failure LifetimeSpace::place_sizes(const StopSignal& stop, LifetimePlaces& out) const {
  std::vector<PlaceRow> rows;
  const std::vector<uint64_t>& sizes = device().size;
  out.unit.resize(sizes.size());
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (is_stopped_at(i, stop)) return query_cancelled();
    const uint8_t unit = size_unit(sizes[i]);
    out.unit[i] = unit;
    while (rows.size() <= unit) {
      PlaceRow row;
      const double doublings = (static_cast<double>(rows.size()) + kSmallestSize) / kUnitsPerDoubling;
      row.bytes = static_cast<uint64_t>(std::ceil(std::exp2(doublings)));
      rows.push_back(row);
    }
    ++rows[unit].count;
  }
  set_units(rows, out);
  return {};
}

Failure LifetimeSpace::place_stacks(const StopSignal& stop, LifetimePlaces& out) const {
  const double end = static_cast<double>(device().event_count);
  StackRanking ranking(device().stack_slot.size());
  for (size_t i = 0; i < lifetimes_.count(); ++i) {
    if (is_stopped_at(i, stop)) return query_cancelled();
    const double life = std::max(std::min(free_requested(i), end) - std::max(start(i), 0.0), 0.0);
    ranking.add(device().stack.at(i), static_cast<double>(device().size[i]) * life);
  }
  ranking.rank();
  for (size_t i = 0; i < lifetimes_.count(); ++i) {
    if (is_stopped_at(i, stop)) return query_cancelled();
    out.unit.push_back(ranking.row(device().stack.at(i)));
  }
  std::vector<PlaceRow> rows = ranking.rows();
  set_units(rows, out);
  return {};
}

// A row for each category that has allocations, in the order of the slots.
Failure LifetimeSpace::place_categories(const StopSignal& stop, LifetimePlaces& out) const {
  const std::vector<uint8_t>& slots = categories_->category;
  uint64_t counts[kCategoryCount + 1] = {};
  for (const uint8_t slot : slots) ++counts[slot];
  std::vector<PlaceRow> rows;
  uint8_t unit_of[kCategoryCount + 1] = {};
  for (uint8_t slot = 1; slot <= kCategoryCount; ++slot) {
    if (counts[slot] == 0) continue;
    unit_of[slot] = static_cast<uint8_t>(rows.size());
    PlaceRow row;
    row.category = slot;
    row.count = counts[slot];
    rows.push_back(row);
  }
  out.unit.resize(slots.size());
  for (size_t i = 0; i < slots.size(); ++i) {
    if (is_stopped_at(i, stop)) return query_cancelled();
    out.unit[i] = unit_of[slots[i]];
  }
  set_units(rows, out);
  return {};
}

std::string to_json(LifetimeOrder order, const LifetimePlaces& places) {
  std::string text = "{\"y1\":" + json_number(places.end) + ",\"rows\":[";
  for (const PlaceRow& row : places.rows) {
    if (text.back() == '}') text += ",";
    text += "{\"y0\":" + json_number(row.y0) + ",\"y1\":" + json_number(row.y1);
    if (is_address_order(order)) {
      char address[24];
      std::snprintf(address, sizeof address, "0x%llx", static_cast<unsigned long long>(row.address));
      text += ",\"address\":\"" + std::string(address) + "\",\"bytes\":" + std::to_string(row.bytes) + "}";
      continue;
    }
    if (order == LifetimeOrder::size) text += ",\"from_bytes\":" + std::to_string(row.bytes);
    if (order == LifetimeOrder::stack && !row.is_rest) text += ",\"stack_id\":" + std::to_string(row.stack_id);
    if (order == LifetimeOrder::category) text += ",\"category\":\"" + std::string(category_name(row.category)) + "\"";
    text += ",\"count\":" + std::to_string(row.count) + "}";
  }
  return text + "]}";
}

}  // namespace tidemark
