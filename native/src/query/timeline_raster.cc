#include "query/timeline_raster.h"

#include <cstring>

#include "model/bits.h"
#include "query/row_grid.h"

namespace tidemark {
namespace {

// Paints column after column. The stack is in allocation order, so what is made lies on top and what is freed shifts only
// the bands above it: everything below the lowest change is copied from the column before.
class RasterPainter {
 public:
  RasterPainter(const Lifetimes& lifetimes, const RasterRequest& request, RasterScratch& scratch)
      : device_(*lifetimes.columns),
        color_by_(request.color_by),
        categories_(request.categories),
        filter_(request.filter),
        visible_(scratch.visible),
        grid_(request.y0, request.y1, static_cast<size_t>(request.rows)),
        clock_(device_),
        stack_(scratch.stack),
        shade_(scratch.shade) {
    stack_.clear();
    shade_.assign(visible_.members, 0);
  }

  // `before`: the cells of the column before, or nullptr at the first.
  void paint(size_t column, int64_t rep_event, const uint8_t* before, uint8_t* cells) {
    const size_t kept = std::min(apply_changes(column), before ? grid_.count() : size_t{0});
    if (kept < grid_.count()) {
      size_t kept_bands = bands_.size();
      while (kept_bands > 0 && bands_[kept_bands - 1].row1 > kept) --kept_bands;
      before_.assign(bands_.begin() + static_cast<std::ptrdiff_t>(kept_bands), bands_.end());
      bands_.resize(kept_bands);
      if (stack_.places_changed()) find_places();
      labels_.begin_column(static_cast<uint32_t>(column), static_cast<uint32_t>(kept));
      find_bands(std::max(kept, grid_.base()));
      labels_.end_column();
    }
    if (color_by_ == ColorBy::age) {
      fill_by_age(rep_event, cells);
    } else {
      fill(kept, before, cells);
    }
  }

  std::vector<Label> finish_labels(size_t columns) { return labels_.finish(static_cast<uint32_t>(columns)); }
  double row_height() const { return grid_.height(); }

 private:
  // Brings the stack to `column`; answers the first row that may differ from the column before.
  size_t apply_changes(size_t column) {
    const uint32_t* gone = visible_.leaving.data() + visible_.leaving_start[column];
    const uint32_t* gone_end = visible_.leaving.data() + visible_.leaving_start[column + 1];
    const size_t entering = visible_.entering[column];
    const size_t entering_end = visible_.entering[column + 1];
    if (gone == gone_end && entering == entering_end) return grid_.count();
    const uint64_t changed_from = stack_.remove(gone, static_cast<size_t>(gone_end - gone));
    stack_.append(visible_.bytes.data() + entering, entering_end - entering);
    return grid_.first_row_at(changed_from, grid_.base());
  }

  void find_bands(size_t row) {
    if (row >= grid_.count()) return;
    // Where the member that covered a row before lies now: it can only have sunk by what left below it.
    size_t next_before = stack_.places_changed() ? before_.size() : 0;
    auto left = stack_.removed().begin();
    uint64_t left_bytes = 0;
    const auto hint = [&]() -> LiveStack::Spot {
      while (next_before < before_.size() && before_[next_before].row1 <= row) ++next_before;
      if (next_before == before_.size() || before_[next_before].row0 > row) return {};
      if (next_before + kAhead < before_.size()) prefetch(before_[next_before + kAhead]);
      const size_t place = before_[next_before].place;
      for (; left != stack_.removed().end() && left->place < place; ++left) left_bytes += left->bytes;
      return {place, before_[next_before].bottom - left_bytes};
    };
    stack_.visit_covering(grid_.offset(row), hint, [&](uint32_t member, LiveStack::Spot spot, uint64_t top) {
      const size_t end = grid_.first_row_at(top, row + 1);
      bands_.push_back(make_band(member, row, end, spot));
      labels_.offer(bands_.back());
      row = end;
      return row < grid_.count() ? grid_.offset(row) : LiveStack::kEnd;
    });
  }

  // The bands that are kept lie below every change, but gaps below them may have been closed.
  void find_places() {
    for (Band& band : bands_) band.place = static_cast<uint32_t>(stack_.place_of(band.member));
  }

  // What a row needs lies scattered over several columns of hundreds of thousands of members, and mostly near what the same
  // row needed a column ago: asked for a few rows ahead, it is there in time.
  static constexpr size_t kAhead = 8;
  void prefetch(const Band& band) const {
    stack_.prefetch(band.place);
    for (size_t step = 0; step <= 16; step += 16) tidemark::prefetch(visible_.allocation.data() + band.member + step);
    tidemark::prefetch(shade_.data() + band.member);
  }

  Band make_band(uint32_t member, size_t row0, size_t row1, LiveStack::Spot spot) {
    Band band;
    band.row0 = static_cast<uint32_t>(row0);
    band.row1 = static_cast<uint32_t>(row1);
    band.member = member;
    band.allocation = visible_.allocation[member];
    band.place = static_cast<uint32_t>(spot.place);
    band.bottom = spot.bottom;
    const bool odd = ((device_.first_allocation_id + band.allocation) & 1) != 0;
    band.shade = odd ? kLighterShade : uint8_t{0};
    if (color_by_ == ColorBy::age) {
      band.left_out = is_left_out(band.allocation);
      band.birth_known = device_.alloc_event[band.allocation] != kBefore;
      if (band.birth_known) band.birth = clock_.birth(band.allocation);
      return band;
    }
    // Looking a slot up reads scattered columns: once a member, and only for those that get a row.
    uint8_t& shade = shade_[member];
    if (shade == 0) {
      const uint8_t slot = is_left_out(band.allocation) ? kLeftOutSlot : fixed_slot(device_, color_by_, categories_, band.allocation);
      shade = static_cast<uint8_t>(slot | band.shade);
    }
    band.shade = shade;
    return band;
  }

  bool is_left_out(size_t allocation) const { return !filter_.passes_all() && !filter_.passes(device_, allocation); }

  void fill_band(const Band& band, uint8_t shade, uint8_t* cells) const {
    const size_t height = band.row1 - band.row0;
    if (height == 1) {
      cells[band.row0] = shade;
      return;
    }
    std::memset(cells + band.row0, shade, height);
    if (height >= kSeparatorRows && band.row1 < grid_.count()) cells[band.row1 - 1] |= kSeparator;
  }

  void fill(size_t kept, const uint8_t* before, uint8_t* cells) const {
    if (kept > 0) std::memcpy(cells, before, kept);
    std::memset(cells + kept, 0, grid_.count() - kept);
    size_t first = bands_.size();
    while (first > 0 && bands_[first - 1].row0 >= kept) --first;
    for (size_t i = first; i < bands_.size(); ++i) fill_band(bands_[i], bands_[i].shade, cells);
  }

  void fill_by_age(int64_t rep_event, uint8_t* cells) const {
    std::memset(cells, 0, grid_.count());
    const int64_t now = rep_event == kBefore ? 0 : clock_.now(rep_event);
    for (const Band& band : bands_) {
      const uint8_t age = band.birth_known ? clock_.slot(band.birth, now) : kUnknownAgeSlot;
      fill_band(band, static_cast<uint8_t>((band.left_out ? kLeftOutSlot : age) | band.shade), cells);
    }
  }

  const DeviceColumns& device_;
  const ColorBy color_by_;
  const uint8_t* categories_;
  const AllocationFilter& filter_;
  const VisibleAllocations& visible_;
  const RowGrid grid_;
  const AgeClock clock_;
  LiveStack& stack_;
  std::vector<uint8_t>& shade_;
  std::vector<Band> bands_;   // of the column last painted, lowest first
  std::vector<Band> before_;  // those of the column before that are painted anew
  LabelTracker labels_;
};

}  // namespace

Failure check_raster(const DeviceColumns& device, const RasterRequest& request) {
  Failure error = check_range(device, request.range);
  if (!error.failed()) error = check_cells(request.range.columns, request.rows);
  return error.failed() ? error : check_heights(request.y0, request.y1, request.rows);
}

Failure paint_raster(const Lifetimes& lifetimes, const RasterRequest& request, const StopSignal& stop, RasterScratch& scratch,
                        uint8_t* cells, RasterSummary& summary) {
  const AxisColumns axis = resolve_columns(*lifetimes.columns, request.range);
  const VisibleAllocations& visible = scratch.visible;
  const Failure error = collect_visible(lifetimes, axis.rep_event, stop, scratch.visible);
  if (error.failed()) return error;
  RasterPainter painter(lifetimes, request, scratch);
  const size_t rows = static_cast<size_t>(request.rows);
  constexpr size_t kColumnsPerLook = 32;
  for (size_t column = 0; column < axis.count(); ++column) {
    if (column % kColumnsPerLook == 0 && stop()) return query_cancelled();
    uint8_t* target = cells + column * rows;
    painter.paint(column, axis.rep_event[column], column > 0 ? target - rows : nullptr, target);
  }
  summary.labels = painter.finish_labels(axis.count());
  summary.shown = visible.members;
  for (size_t member = 0; member < visible.members; ++member) {
    const uint64_t bytes = visible.bytes[member];
    const bool folded = static_cast<double>(bytes) < painter.row_height();
    summary.folded += folded ? 1 : 0;
    summary.folded_bytes += folded ? bytes : 0;
  }
  return {};
}

}  // namespace tidemark
