#include "query/trace_raster.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "query/lane_cells.h"
#include "query/stoppable.h"
#include "store/trace_columns.h"

namespace tidemark {
namespace {

constexpr double kBoxColumns = 3;
// Boxes are thinned out once there are so many: memory stays small, and each is moved a few times at most.
constexpr size_t kMostCandidates = 4 * kMostTraceBoxes;

bool is_wider(const TraceBox& a, const TraceBox& b) {
  return std::tuple(-a.duration, a.lane, a.start, a.slice) < std::tuple(-b.duration, b.lane, b.start, b.slice);
}

class TracePainter {
 public:
  TracePainter(TraceReader& reader, const TraceIndex& index, const TraceRasterRequest& request, PassingSlices& passing,
               const StopSignal& stop, TraceRasterSummary& summary)
      : reader_(reader), index_(index), request_(request), passing_(passing), stop_(stop), summary_(summary),
        slices_(slice_columns(reader, false)), items_(slice_columns(reader, true)), category_(reader.column(kSliceRelation, "category")),
        cells_(static_cast<size_t>(request.range.columns)) {
    for (auto* values : {&start_, &length_, &name_, &busy_, &count_, &slice_}) values->resize(kPackedPiece);
  }

  Failure paint(uint8_t* cells, uint8_t* fill) {
    const auto columns = static_cast<size_t>(request_.range.columns);
    for (size_t place = 0; place < request_.lanes.size(); ++place) {
      if (stop_()) return query_cancelled();
      cells_.clear();
      const Failure failure = paint_lane(static_cast<uint32_t>(place));
      if (failure.failed()) return failure;
      cells_.answer(cells + place * columns, fill + place * columns);
    }
    keep_widest();
    std::sort(summary_.boxes.begin(), summary_.boxes.end(), [](const TraceBox& a, const TraceBox& b) {
      return std::tie(a.lane, a.start, a.slice) < std::tie(b.lane, b.start, b.slice);
    });
    return reader_.failure();
  }

 private:
  Failure paint_lane(uint32_t place) {
    const auto id = static_cast<size_t>(request_.lanes[place]);
    const TraceLane& lane = index_.lanes()[id];
    const LaneRows rows = rows_at_width(lane, request_.range.width());
    const SliceColumns& columns = rows.is_level ? items_ : slices_;
    const RowStretch sight = rows_in_sight(reader_, columns, rows.rows, request_.range.t0, request_.range.t1);
    if (rows.is_level && request_.filter.is_active() && sight.count > 0) {
      const Failure failure = passing_.find(reader_, index_, id, request_.filter, stop_);
      if (failure.failed()) return failure;
      joined_from_ = reader_.lower_bound(*slices_.start, lane.slices.first, lane.slices.end(), reader_.at(*columns.start, sight.first));
    }
    lane_end_ = lane.slices.end();
    for (size_t from = sight.first; from < sight.end();) {
      if (stop_()) return query_cancelled();
      const size_t to = std::min(sight.end(), (from | (kPackedPiece - 1)) + 1);
      decode(columns, rows.is_level, from, to);
      if (reader_.failed()) return reader_.failure();
      for (size_t i = 0; i < to - from; ++i) paint_item(place, rows.is_level, i);
      from = to;
    }
    return reader_.failure();
  }

  void decode(const SliceColumns& columns, bool is_level, size_t from, size_t to) {
    const auto read = [&](TraceColumn* column, std::vector<int64_t>& values) {
      reader_.prefetch(*column, from, to);
      reader_.decode(*column, from, to - from, values.data());
    };
    read(columns.start, start_);
    read(columns.length, length_);
    read(columns.name, name_);
    if (is_level) {
      read(columns.busy, busy_);
      read(columns.count, count_);
      read(columns.slice, slice_);
    } else {
      for (size_t i = 0; i < to - from; ++i) slice_[i] = static_cast<int64_t>(from + i);
    }
  }

  void paint_item(uint32_t place, bool is_level, size_t i) {
    const int64_t count = is_level ? std::max<int64_t>(count_[i], 1) : 1;
    const double start = static_cast<double>(start_[i]);
    const auto length = static_cast<double>(std::max<int64_t>(length_[i], 0));
    const double x0 = (start - request_.range.t0) / request_.range.width();
    const double columns = length / request_.range.width();
    const double density = count > 1 && length > 0 ? std::clamp(static_cast<double>(busy_[i]) / length, 0.0, 1.0) : 1.0;
    const uint8_t slot = slot_of(is_level, i, static_cast<size_t>(count));
    cells_.paint(x0, x0 + columns, density, slot);
    summary_.in_sight += static_cast<uint64_t>(count);
    if (count == 1 && columns >= kBoxColumns) add_box({place, slot, start_[i], length_[i], slice_[i], name_[i]});
  }

  // The color of item i; of joined slices that of the longest or, where only others pass the filter, of the first of these.
  uint8_t slot_of(bool is_level, size_t i, size_t count) {
    int64_t name = name_[i];
    int64_t slice = slice_[i];
    if (request_.filter.is_active()) {
      if (is_level) {
        if (count == 1) joined_from_ = static_cast<size_t>(slice);
        const size_t end = std::min(lane_end_, joined_from_ + std::min(count, lane_end_));
        if (!request_.filter.passes(name)) {
          const size_t passing = passing_.next(std::min(joined_from_, end), end);
          if (passing < end) {
            slice = static_cast<int64_t>(passing);
            name = reader_.at(*slices_.name, passing);
          }
        }
        joined_from_ = end;
      }
      if (!request_.filter.passes(name)) return kLeftOutName;
    }
    if (request_.color_by == TraceColor::name) return index_.name_slot(name);
    return index_.category_slot(reader_.at(category_, static_cast<size_t>(slice)));
  }

  void add_box(const TraceBox& box) {
    summary_.boxes.push_back(box);
    if (summary_.boxes.size() >= kMostCandidates) keep_widest();
  }

  void keep_widest() {
    std::vector<TraceBox>& boxes = summary_.boxes;
    if (boxes.size() <= kMostTraceBoxes) return;
    std::nth_element(boxes.begin(), boxes.begin() + kMostTraceBoxes, boxes.end(), is_wider);
    summary_.boxes_left_out += boxes.size() - kMostTraceBoxes;
    boxes.resize(kMostTraceBoxes);
  }

  TraceReader& reader_;
  const TraceIndex& index_;
  const TraceRasterRequest& request_;
  PassingSlices& passing_;
  const StopSignal& stop_;
  TraceRasterSummary& summary_;
  const SliceColumns slices_, items_;
  TraceColumn& category_;
  LaneCells cells_;
  size_t joined_from_ = 0;  // first slice of the item at hand, known while a filter is active
  size_t lane_end_ = 0;
  std::vector<int64_t> start_, length_, name_, busy_, count_, slice_;  // of the rows at hand
};

}  // namespace

Failure paint_trace(TraceReader& reader, const TraceIndex& index, const TraceRasterRequest& request, PassingSlices& passing,
                    const StopSignal& stop, uint8_t* cells, uint8_t* fill, TraceRasterSummary& summary) {
  summary = {};
  TracePainter painter(reader, index, request, passing, stop, summary);
  return painter.paint(cells, fill);
}

}  // namespace tidemark
