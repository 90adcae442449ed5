#include "store/trace_owners.h"

#include <algorithm>

#include "store/sql.h"

namespace tidemark {

// An interrupted read is repeated.
void TraceOwners::load(Owners& owners, const char* sql) {
  if (owners.loaded) return;
  owners = {};
  Statement rows(db_, sql);
  int result;
  while ((result = rows.step()) == SQLITE_ROW) {
    owners.rows.push_back({rows.integer(0), rows.integer(1), rows.integer(2), rows.integer(3), std::string(rows.text(4))});
  }
  owners.loaded = result == SQLITE_DONE;
}

void TraceOwners::load_lanes() { load(lanes_, "SELECT first_slice, slice_count, track_id, depth, NULL FROM lane ORDER BY first_slice"); }

void TraceOwners::load_series() {
  load(series_, "SELECT first_row, sample_count, track_id, 0, name FROM counter_series WHERE sample_count > 0 ORDER BY first_row");
}

const RowOwner* TraceOwners::owner_of(Owners& owners, int64_t row) {
  const auto has = [&](size_t i) {
    return i < owners.rows.size() && row >= owners.rows[i].first_row && row - owners.rows[i].first_row < owners.rows[i].row_count;
  };
  if (!has(owners.last)) {
    const auto after = std::upper_bound(owners.rows.begin(), owners.rows.end(), row,
                                        [](int64_t wanted, const RowOwner& owner) { return wanted < owner.first_row; });
    owners.last = after == owners.rows.begin() ? 0 : static_cast<size_t>(after - owners.rows.begin()) - 1;
  }
  return has(owners.last) ? &owners.rows[owners.last] : nullptr;
}

void TraceOwners::rows_of_track(const Owners& owners, int64_t track, int64_t& from, int64_t& to) {
  const auto range = std::equal_range(owners.rows.begin(), owners.rows.end(), RowOwner{0, 0, track, 0, {}},
                                      [](const RowOwner& a, const RowOwner& b) { return a.track < b.track; });
  from = to = 0;
  if (range.first == range.second) return;
  from = range.first->first_row;
  to = (range.second - 1)->first_row + (range.second - 1)->row_count;
}

const RowOwner* TraceOwners::lane_of(int64_t slice) {
  load_lanes();
  return owner_of(lanes_, slice);
}

const RowOwner* TraceOwners::series_of(int64_t sample) {
  load_series();
  return owner_of(series_, sample);
}

void TraceOwners::slices_of_track(int64_t track, int64_t& from, int64_t& to) {
  load_lanes();
  rows_of_track(lanes_, track, from, to);
}

void TraceOwners::samples_of_track(int64_t track, int64_t& from, int64_t& to) {
  load_series();
  rows_of_track(series_, track, from, to);
}

}  // namespace tidemark
