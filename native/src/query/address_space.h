// The addresses that a device ever reserved, laid one after the other without gaps: the y axis of the address orders.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "query/query_error.h"
#include "store/device_columns.h"

namespace tidemark {

// How high an address space is drawn: a byte a unit, or each row as high as the square root of its bytes.
enum class AddressScale { bytes, root };

// A stretch of the space that carries one label: cut where a reservation starts.
struct AddressRow {
  uint64_t address = 0;  // of its first byte
  uint64_t bytes = 0;
  uint64_t offset = 0;  // bytes of the space before it
  double root = 0;      // its y where rows are as high as √ bytes
};

class AddressSpace {
 public:
  static constexpr size_t kMostRows = 20000;

  // Derives the union of the reservations and of the allocations that lie outside all of them, which only a device that is not
  // exact has. Reads reservations, address and size. `query/cancelled` when stopped: the space is not to be used then.
  Failure derive(const DeviceColumns& device, const StopSignal& stop);

  // Lowest address first. Touching reservations of one expandable segment are one row. Where there would be more than kMostRows, rows
  // start at gaps only, and neighbors are joined if they are still too many.
  const std::vector<AddressRow>& rows() const { return rows_; }
  // Of y, in bytes or in sums of √ bytes.
  double end(AddressScale scale) const;

  // Remembers where the last address was found: the next one is mostly near.
  struct Cursor {
    size_t stretch = 0;
    size_t row = 0;
  };
  // y of an address of the space or of its end; of one in a gap: y of the gap.
  double y(uint64_t address, AddressScale scale, Cursor& cursor) const;

  // Bytes of the space below `y`.
  double bytes_below(double y, AddressScale scale) const;

 private:
  // A run of reserved addresses without a gap.
  struct Stretch {
    uint64_t address = 0;
    uint64_t end = 0;
    uint64_t offset = 0;  // bytes of the space before it
  };
  struct Range;

  Failure add_outside(const DeviceColumns& device, const StopSignal& stop, std::vector<Range>& ranges) const;
  Failure build(std::vector<Range>& ranges, const StopSignal& stop);
  void cut_rows(const std::vector<uint64_t>& cuts);
  bool contains(uint64_t address, uint64_t end, Cursor& cursor) const;
  void find_stretch(uint64_t address, Cursor& cursor) const;

  std::vector<Stretch> stretches_;  // by address
  std::vector<AddressRow> rows_;    // by address
  uint64_t bytes_ = 0;
  double root_end_ = 0;
};

}  // namespace tidemark
