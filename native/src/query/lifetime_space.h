// Where the allocations of a device lie as rectangles over x (events or time) and y (an order): derived once and kept.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "query/address_space.h"
#include "query/axis_columns.h"
#include "query/categories.h"
#include "query/lifetimes.h"

namespace tidemark {

enum class LifetimeOrder { address, address_sqrt, allocation, size, stack, category };
inline constexpr int kLifetimeOrders = 6;

inline bool is_address_order(LifetimeOrder order) {
  return order == LifetimeOrder::address || order == LifetimeOrder::address_sqrt;
}

// What x and y of the rectangles stand for.
struct LifetimeAxes {
  Axis axis = Axis::event;
  LifetimeOrder order = LifetimeOrder::address;
};

// A stretch of y with a label: an address row, a size, a stack or a category.
struct PlaceRow {
  double y0 = 0;
  double y1 = 0;
  uint64_t address = 0;   // address orders
  uint64_t bytes = 0;     // address orders: of the row; size: the smallest
  int64_t stack_id = -1;  // stack
  bool is_rest = false;   // stack: shared by all that have no row of their own
  uint8_t category = 0;   // category: slot
  uint64_t count = 0;     // size, stack and category: allocations
};

// y of every allocation in one order: [y0, y1), or one unit from `unit` on, or one unit from its index on where both are empty.
struct LifetimePlaces {
  double end = 0;  // of y
  std::vector<double> y0;
  std::vector<double> y1;
  std::vector<uint8_t> unit;
  std::vector<PlaceRow> rows;
};

// x of every allocation on the time axis, in nanoseconds; ∓ infinity = before the first event, never.
struct LifetimeTimes {
  std::vector<double> start;
  std::vector<double> free_requested;
  std::vector<double> free_completed;
};

class LifetimeSpace {
 public:
  // `lifetimes` must outlive it and have kAllocationsPart and kBlocksPart; check() must have passed.
  explicit LifetimeSpace(const Lifetimes& lifetimes);
  // `index/not_an_index` when the columns of kBlocksPart contradict the others.
  static Failure check(const DeviceColumns& device);

  const Lifetimes& lifetimes() const { return lifetimes_; }
  const DeviceColumns& device() const { return *lifetimes_.columns; }

  // What order `category` goes by; places that went by others are forgotten.
  void set_categories(std::shared_ptr<const Categories> categories);

  // Derives what a question on these axes reads, unless it is there already. The time axis needs kTimesPart and must exist on the
  // device, order `category` needs set_categories(). `query/cancelled` when stopped: what is ready by then is kept.
  Failure prepare(const LifetimeAxes& axes, const StopSignal& stop);

  // Of an order that is prepared.
  const LifetimePlaces& places(LifetimeOrder order) const { return *places_[static_cast<size_t>(order)]; }
  // Where an address order is prepared.
  const AddressSpace& addresses() const { return *addresses_; }
  // Indices of the reservations in order of map_event, where an address order is prepared.
  const std::vector<uint32_t>& reservations_by_start() const { return reservations_by_start_; }
  // Where the time axis is prepared.
  const LifetimeTimes& times() const { return *times_; }

  // The last event at which any of each 64 allocations is made, freed or completed.
  const std::vector<uint32_t>& last_event() const { return last_event_; }

  // Positions on the event axis. The ends never lie before the start, whatever the columns say.
  double start(size_t allocation) const;
  double free_requested(size_t allocation) const;
  double free_completed(size_t allocation) const;
  // x of an event on an axis; −1 = before the first: − infinity, kNever: infinity.
  double position(Axis axis, int64_t event) const;

 private:
  Failure derive_times(const StopSignal& stop);
  Failure derive_addresses(const StopSignal& stop);
  Failure derive_places(LifetimeOrder order, const StopSignal& stop);
  Failure place_addresses(AddressScale scale, const StopSignal& stop, LifetimePlaces& out) const;
  Failure place_sizes(const StopSignal& stop, LifetimePlaces& out) const;
  Failure place_stacks(const StopSignal& stop, LifetimePlaces& out) const;
  Failure place_categories(const StopSignal& stop, LifetimePlaces& out) const;

  const Lifetimes& lifetimes_;
  std::vector<uint32_t> last_event_;
  std::shared_ptr<const Categories> categories_;
  std::optional<LifetimePlaces> places_[kLifetimeOrders];
  std::optional<AddressSpace> addresses_;
  std::vector<uint32_t> reservations_by_start_;
  std::optional<LifetimeTimes> times_;
};

// `{"y1": end of y, "rows": [{"y0", "y1", "address" and "bytes" | "from_bytes" and "count" | "stack_id" and "count" |
// "category" and "count"}]}`; the row that the remaining stacks share has no stack_id.
std::string to_json(LifetimeOrder order, const LifetimePlaces& places);

}  // namespace tidemark
