#include "query/address_space.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "query/stoppable.h"

namespace tidemark {
namespace {

// The end of a range of a file, which may claim more bytes than there are addresses.
uint64_t end_of(uint64_t address, uint64_t bytes) { return address + std::min(bytes, UINT64_MAX - address); }

constexpr int64_t kNoSegment = -1;  // of a range that is a row of its own

}  // namespace

struct AddressSpace::Range {
  uint64_t address = 0;
  uint64_t end = 0;
  int64_t segment = kNoSegment;  // touching ranges of one segment are one row
};

Failure AddressSpace::derive(const DeviceColumns& device, const StopSignal& stop) {
  std::vector<Range> ranges;
  for (const Reservation& life : device.reservations) {
    const int64_t stream_and_pool = (int64_t{life.stream} + 32768) * 65536 + life.pool + 32768;
    const int64_t segment = life.is_expandable ? stream_and_pool * 4 + (life.is_small ? 2 : 0) : kNoSegment;
    if (is_stopped_at(ranges.size(), stop)) return query_cancelled();
    ranges.push_back({life.address, end_of(life.address, life.size), segment});
  }
  const size_t reserved = ranges.size();
  Failure error = build(ranges, stop);
  if (!error.failed()) error = add_outside(device, stop, ranges);
  if (!error.failed() && ranges.size() > reserved) error = build(ranges, stop);
  return error;
}

Failure AddressSpace::add_outside(const DeviceColumns& device, const StopSignal& stop, std::vector<Range>& ranges) const {
  constexpr int64_t kOutside = 1;  // no expandable segment has an odd number
  Cursor cursor;
  for (size_t i = 0; i < device.address.size(); ++i) {
    if (is_stopped_at(i, stop)) return query_cancelled();
    const uint64_t address = device.address[i];
    const uint64_t end = end_of(address, device.size[i]);
    if (end > address && !contains(address, end, cursor)) ranges.push_back({address, end, kOutside});
  }
  return {};
}

Failure AddressSpace::build(std::vector<Range>& ranges, const StopSignal& stop) {
  const Failure error = stoppable_sort(ranges, [](const Range& a, const Range& b) { return a.address < b.address; }, stop);
  if (error.failed()) return error;
  stretches_.clear();
  std::vector<uint64_t> cuts;
  std::vector<uint64_t> gaps;  // the cuts behind a gap
  std::map<int64_t, uint64_t> segment_end;
  for (size_t i = 0; i < ranges.size(); ++i) {
    if (is_stopped_at(i, stop)) return query_cancelled();
    const Range& range = ranges[i];
    if (range.end <= range.address) continue;
    const bool behind_gap = stretches_.empty() || stretches_.back().end < range.address;
    if (behind_gap) {
      stretches_.push_back({range.address, range.end, 0});
      gaps.push_back(range.address);
    }
    stretches_.back().end = std::max(stretches_.back().end, range.end);
    bool goes_on = false;
    if (range.segment != kNoSegment) {
      uint64_t& end = segment_end[range.segment];
      goes_on = !behind_gap && end >= range.address;
      end = std::max(end, range.end);
    }
    if (!goes_on && (cuts.empty() || cuts.back() != range.address)) cuts.push_back(range.address);
  }
  bytes_ = 0;
  for (Stretch& stretch : stretches_) {
    stretch.offset = bytes_;
    bytes_ += stretch.end - stretch.address;
  }
  cut_rows(cuts.size() <= kMostRows ? cuts : gaps);
  return {};
}

void AddressSpace::cut_rows(const std::vector<uint64_t>& cuts) {
  rows_.clear();
  const size_t step = std::max<size_t>(1, (cuts.size() + kMostRows - 1) / kMostRows);
  Cursor cursor;
  for (size_t i = 0; i < cuts.size(); i += step) {
    find_stretch(cuts[i], cursor);
    const Stretch& stretch = stretches_[cursor.stretch];
    rows_.push_back({cuts[i], 0, stretch.offset + (cuts[i] - stretch.address), 0});
  }
  root_end_ = 0;
  for (size_t i = 0; i < rows_.size(); ++i) {
    rows_[i].bytes = (i + 1 < rows_.size() ? rows_[i + 1].offset : bytes_) - rows_[i].offset;
    rows_[i].root = root_end_;
    root_end_ += std::sqrt(static_cast<double>(rows_[i].bytes));
  }
}

double AddressSpace::end(AddressScale scale) const {
  return scale == AddressScale::bytes ? static_cast<double>(bytes_) : root_end_;
}

// The stretch that contains the address or ends below it; the first where there is none. There must be one.
void AddressSpace::find_stretch(uint64_t address, Cursor& cursor) const {
  const Stretch& near = stretches_[cursor.stretch];
  if (near.address <= address && address <= near.end) return;
  const auto above = std::upper_bound(stretches_.begin(), stretches_.end(), address,
                                      [](uint64_t value, const Stretch& stretch) { return value < stretch.address; });
  cursor.stretch = static_cast<size_t>(above - stretches_.begin()) - (above == stretches_.begin() ? 0 : 1);
}

bool AddressSpace::contains(uint64_t address, uint64_t end, Cursor& cursor) const {
  if (stretches_.empty()) return false;
  find_stretch(address, cursor);
  const Stretch& stretch = stretches_[cursor.stretch];
  return stretch.address <= address && end <= stretch.end;
}

double AddressSpace::y(uint64_t address, AddressScale scale, Cursor& cursor) const {
  if (stretches_.empty()) return 0;
  find_stretch(address, cursor);
  const Stretch& stretch = stretches_[cursor.stretch];
  const uint64_t offset = stretch.offset + (std::clamp(address, stretch.address, stretch.end) - stretch.address);
  if (scale == AddressScale::bytes) return static_cast<double>(offset);
  const AddressRow* row = &rows_[cursor.row];
  if (offset < row->offset || offset > row->offset + row->bytes) {
    const auto above = std::upper_bound(rows_.begin(), rows_.end(), offset,
                                        [](uint64_t value, const AddressRow& each) { return value < each.offset; });
    cursor.row = static_cast<size_t>(above - rows_.begin()) - 1;
    row = &rows_[cursor.row];
  }
  return row->root + static_cast<double>(offset - row->offset) / std::sqrt(static_cast<double>(row->bytes));
}

double AddressSpace::bytes_below(double y, AddressScale scale) const {
  y = std::clamp(y, 0.0, end(scale));
  if (scale == AddressScale::bytes || rows_.empty()) return y;
  const auto above = std::upper_bound(rows_.begin() + 1, rows_.end(), y,
                                      [](double value, const AddressRow& row) { return value < row.root; });
  const AddressRow& row = *(above - 1);
  return static_cast<double>(row.offset) + (y - row.root) * std::sqrt(static_cast<double>(row.bytes));
}

}  // namespace tidemark
