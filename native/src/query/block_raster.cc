#include "query/block_raster.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "query/axis_columns.h"

namespace tidemark {
namespace {

constexpr double kMostFill = 7;
constexpr double kRoundingError = 1e-9;  // a fill this little above a step is on it

// Color slots of the blocks of one layout.
class BlockColors {
 public:
  BlockColors(const BlockLayout& layout, const BlockRasterRequest& request)
      : columns_(layout.columns()), history_(*layout.history), request_(request), clock_(columns_) {
    if (request.color_by == ColorBy::age && layout.event >= 0) now_ = clock_.now(layout.event);
  }

  uint8_t slot(const ActiveBlock& block) const {
    const size_t index = history_.index[block.place];
    if (!request_.filter.passes(columns_, index)) return kLeftOutBlock;
    if (!request_.color_by) return block.is_pending ? 2 : 1;
    return std::min(request_.color_by == ColorBy::age ? age_slot(index) : fixed_slot(columns_, *request_.color_by, request_.categories, index),
                    kMostBlockSlot);
  }

 private:
  uint8_t age_slot(size_t index) const {
    return columns_.alloc_event[index] == kBefore ? kUnknownAgeSlot : clock_.slot(clock_.birth(index), now_);
  }

  const DeviceColumns& columns_;
  const BlockHistory& history_;
  const BlockRasterRequest& request_;
  AgeClock clock_;
  int64_t now_ = 0;
};

class BlockPainter {
 public:
  BlockPainter(const BlockLayout& layout, const BlockRasterRequest& request, BlockRasterSummary& summary)
      : layout_(layout),
        request_(request),
        summary_(summary),
        colors_(layout, request),
        width_((request.x1 - request.x0) / static_cast<double>(request.columns)),
        spans_(static_cast<size_t>(request.columns)) {}

  void paint(uint32_t line, const LayoutSegment& segment, uint8_t* cells) {
    const BlockLine& part = summary_.lines[line];
    const double end = std::min(request_.x1, static_cast<double>(part.bytes));
    const double begin = std::max(request_.x0, 0.0);
    if (!(end > begin)) return;
    std::fill(spans_.begin(), spans_.end(), Span());
    const uint64_t start = segment.address + part.offset;
    const uint64_t from = start + static_cast<uint64_t>(begin);
    const double last = std::ceil(end);  // as large as 2^64 where a segment claims all addresses
    const uint64_t to = start + (last < static_cast<double>(part.bytes) ? static_cast<uint64_t>(last) : part.bytes);
    visit_blocks(layout_, segment, from, to, [&](const SpaceBlock& block) {
      ++summary_.blocks;
      const double offset = block.address >= start ? static_cast<double>(block.address - start)
                                                   : -static_cast<double>(start - block.address);
      if (summary_.blocks <= kMostBoxes) add_box(line, offset, block);
      if (block.active) cover(std::max(offset, begin), std::min(offset + static_cast<double>(block.size), end), *block.active);
    });
    fill(begin, end, cells);
  }

 private:
  // What covers one cell of the line at hand.
  struct Span {
    double active = 0;  // bytes
    double most = 0;    // bytes of `block`
    const ActiveBlock* block = nullptr;

    void add(double bytes, const ActiveBlock& other) {
      active += bytes;
      if (bytes <= most) return;
      most = bytes;
      block = &other;
    }
  };

  double left(size_t column) const { return request_.x0 + static_cast<double>(column) * width_; }

  size_t column_at(double x) const {
    const double column = (x - request_.x0) / width_;
    if (!(column > 0)) return 0;
    return column < static_cast<double>(spans_.size()) ? static_cast<size_t>(column) : spans_.size() - 1;
  }

  // An active block over the bytes [from, to) of the line.
  void cover(double from, double to, const ActiveBlock& block) {
    if (!(to > from)) return;
    const size_t first = column_at(from);
    const size_t last = column_at(to);
    if (first == last) return spans_[first].add(to - from, block);
    spans_[first].add(left(first + 1) - from, block);
    for (size_t column = first + 1; column < last; ++column) spans_[column].add(width_, block);
    if (to > left(last)) spans_[last].add(to - left(last), block);
  }

  void fill(double begin, double end, uint8_t* cells) {
    const ActiveBlock* known = nullptr;
    uint8_t slot = 0;
    for (size_t column = column_at(begin); column < spans_.size(); ++column) {
      const double memory = std::min(left(column + 1), end) - std::max(left(column), begin);
      if (!(memory > 0)) continue;
      const Span& span = spans_[column];
      if (!span.block) {
        cells[column] = kFreeCell;
        continue;
      }
      if (span.block != known) {
        known = span.block;
        slot = colors_.slot(*known);
      }
      const double level = std::ceil(kMostFill * span.active / memory - kRoundingError);
      cells[column] = static_cast<uint8_t>(slot | static_cast<int>(std::clamp(level, 1.0, kMostFill)) << kFillShift);
    }
  }

  void add_box(uint32_t line, double offset, const SpaceBlock& block) {
    BlockBox box;
    box.line = line;
    box.offset = offset;
    box.bytes = block.size;
    box.requested = requested_bytes(layout_, block);
    if (block.active) {
      box.state = block.active->is_pending ? 2 : 1;
      box.slot = colors_.slot(*block.active);
      box.allocation = layout_.history->index[block.active->place];
    }
    summary_.boxes.push_back(box);
  }

  const BlockLayout& layout_;
  const BlockRasterRequest& request_;
  BlockRasterSummary& summary_;
  const BlockColors colors_;
  const double width_;       // bytes of a cell
  std::vector<Span> spans_;  // by column
};

// Finds the lines asked for and counts all of them.
void find_lines(const BlockLayout& layout, const BlockRasterRequest& request, BlockRasterSummary& summary) {
  const uint64_t line_bytes = static_cast<uint64_t>(request.line_bytes);
  const uint64_t first = static_cast<uint64_t>(request.line0);
  const uint64_t end = first + static_cast<uint64_t>(request.lines);
  const std::vector<uint32_t>& order = layout.order(request.order);
  for (uint32_t place = 0; place < order.size(); ++place) {
    const uint64_t size = layout.segments[order[place]].totals.reserved;
    const uint64_t length = line_bytes == 0 ? size : line_bytes;
    const uint64_t count = (size - 1) / length + 1;
    summary.longest = std::max(summary.longest, std::min(length, size));
    for (uint64_t line = std::max(first, summary.all_lines); line < std::min(end, summary.all_lines + count); ++line) {
      const uint64_t offset = (line - summary.all_lines) * length;
      summary.lines.push_back({place, offset, std::min(length, size - offset)});
    }
    summary.all_lines += count;
  }
}

}  // namespace

Failure check_block_raster(const BlockRasterRequest& request) {
  if (request.columns < 1 || request.columns > kMostColumns) return bad_argument("columns must be 1 to 16384.");
  if (request.lines < 1 || request.lines > kMostRows) return bad_argument("lines must be 1 to 16384.");
  if (request.columns * request.lines > kMostCells) return bad_argument("columns × lines must be at most 4194304.");
  if (!(request.x1 > request.x0)) return bad_argument("x1 must be greater than x0.");
  const double width = (request.x1 - request.x0) / static_cast<double>(request.columns);
  if (!std::isnormal(width)) return bad_argument("x1 must be greater than x0 by more than nothing, and finitely.");
  if (request.line0 < 0) return bad_argument("line0 must not be negative.");
  if (request.line_bytes < 0) return bad_argument("line_bytes must not be negative.");
  return {};
}

Failure paint_blocks(const BlockLayout& layout, const BlockRasterRequest& request, const StopSignal& stop, uint8_t* cells,
                     BlockRasterSummary& summary) {
  std::memset(cells, 0, request.cells());
  summary = {};
  find_lines(layout, request, summary);
  const std::vector<uint32_t>& order = layout.order(request.order);
  BlockPainter painter(layout, request, summary);
  for (uint32_t line = 0; line < summary.lines.size(); ++line) {
    if (stop()) return query_cancelled();
    const LayoutSegment& segment = layout.segments[order[summary.lines[line].segment]];
    painter.paint(line, segment, cells + line * static_cast<size_t>(request.columns));
  }
  if (summary.blocks > kMostBoxes) summary.boxes.clear();
  return {};
}

}  // namespace tidemark
