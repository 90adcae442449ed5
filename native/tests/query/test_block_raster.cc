// block_raster against cells and boxes that are computed block by block.
#include <cmath>

#include "check.h"
#include "query/block_cache.h"
#include "query/block_raster.h"
#include "synthetic_space.h"
#include "tests.h"

namespace tidemark_test {
namespace {

using namespace tidemark;

// Cells and boxes of a line computed block by block and cell by cell.
struct CellCheck {
  const BlockLayout& layout;
  const BlockRasterRequest& request;
  const LayoutSegment& segment;
  const BlockLine& line;

  uint8_t cell(int64_t column) const {
    const double width = (request.x1 - request.x0) / static_cast<double>(request.columns);
    const double left = std::max(request.x0 + static_cast<double>(column) * width, 0.0);
    const double right = std::min(request.x0 + static_cast<double>(column + 1) * width, static_cast<double>(line.bytes));
    if (!(right > left)) return 0;
    double active = 0, most = 0;
    const ActiveBlock* winner = nullptr;
    for (uint32_t i = segment.first_block; i < segment.block_end; ++i) {
      const ActiveBlock& block = layout.blocks[i];
      const double from = static_cast<double>(block.address) - static_cast<double>(segment.address + line.offset);
      const double bytes = std::min(from + static_cast<double>(block.size), right) - std::max(from, left);
      if (!(bytes > 0)) continue;
      active += bytes;
      if (bytes > most) winner = &block;
      most = std::max(most, bytes);
    }
    if (!winner) return kFreeCell;
    const size_t index = layout.history->index[winner->place];
    uint8_t slot = winner->is_pending ? 2 : 1;
    if (request.color_by) slot = std::min(fixed_slot(layout.columns(), *request.color_by, nullptr, index), kMostBlockSlot);
    if (!request.filter.passes(layout.columns(), index)) slot = kLeftOutBlock;
    return static_cast<uint8_t>(slot | static_cast<int>(std::ceil(7 * active / (right - left))) << kFillShift);
  }
};

BlockRasterRequest random_raster(std::mt19937& random, const BlockLayout& layout) {
  BlockRasterRequest request;
  request.order = static_cast<SegmentOrder>(random() % kSegmentOrders);
  request.line_bytes = random() % 3 == 0 ? 0 : static_cast<int64_t>(1 + random() % 4096) * 1024;
  request.columns = static_cast<int64_t>(1 + random() % 64);
  const double width = static_cast<double>(uint64_t{1} << random() % 18);  // whole bytes: sums of doubles are exact
  request.x0 = static_cast<double>(static_cast<int64_t>(random() % (3 << 20)) - (1 << 20));
  request.x1 = request.x0 + width * static_cast<double>(request.columns);
  request.line0 = static_cast<int64_t>(random() % (layout.segments.size() + 1));
  request.lines = static_cast<int64_t>(1 + random() % 40);
  if (random() % 2) request.color_by = static_cast<ColorBy>(random() % 2);  // stack or size
  if (random() % 2) request.filter.min_bytes = kUnit * (random() % 20);
  return request;
}

void check_lines(const BlockLayout& layout, const BlockRasterRequest& request, const BlockRasterSummary& summary) {
  const auto& order = layout.order(request.order);
  std::vector<BlockLine> all;
  uint64_t longest = 0;
  for (uint32_t place = 0; place < order.size(); ++place) {
    const uint64_t size = layout.segments[order[place]].totals.reserved;
    const uint64_t length = request.line_bytes ? static_cast<uint64_t>(request.line_bytes) : size;
    for (uint64_t offset = 0; offset < size; offset += length) {
      all.push_back({place, offset, std::min(length, size - offset)});
      longest = std::max(longest, all.back().bytes);
    }
  }
  CHECK_EQUAL(summary.all_lines, all.size());
  CHECK_EQUAL(summary.longest, longest);
  const size_t first = std::min(all.size(), static_cast<size_t>(request.line0));
  const size_t count = std::min(all.size() - first, static_cast<size_t>(request.lines));
  CHECK_EQUAL(summary.lines.size(), count);
  for (size_t i = 0; i < std::min(count, summary.lines.size()); ++i) {
    CHECK_EQUAL(summary.lines[i].segment, all[first + i].segment);
    CHECK_EQUAL(summary.lines[i].offset, all[first + i].offset);
    CHECK_EQUAL(summary.lines[i].bytes, all[first + i].bytes);
  }
}

void check_boxes(const BlockLayout& layout, const BlockRasterRequest& request, const BlockRasterSummary& summary) {
  size_t next = 0;
  const auto& order = layout.order(request.order);
  for (uint32_t line = 0; line < summary.lines.size(); ++line) {
    const BlockLine& part = summary.lines[line];
    const LayoutSegment& segment = layout.segments[order[part.segment]];
    const double end = std::min(request.x1, static_cast<double>(part.bytes));
    if (end <= std::max(request.x0, 0.0)) continue;  // the line ends left of the view
    visit_blocks(layout, segment, [&](const SpaceBlock& block) {
      const double offset = static_cast<double>(block.address) - static_cast<double>(segment.address + part.offset);
      if (offset >= end || offset + static_cast<double>(block.size) <= std::max(request.x0, 0.0)) return;
      CHECK(next < summary.boxes.size());
      if (next >= summary.boxes.size()) return;
      const BlockBox& box = summary.boxes[next++];
      CHECK_EQUAL(box.line, line);
      CHECK_EQUAL(box.offset, offset);
      CHECK_EQUAL(box.bytes, block.size);
      CHECK_EQUAL(int{box.state}, !block.active ? 0 : block.active->is_pending ? 2 : 1);
      CHECK_EQUAL(box.allocation, block.active ? int64_t{layout.history->index[block.active->place]} : -1);
    });
  }
  CHECK_EQUAL(next, summary.boxes.size());
  CHECK_EQUAL(next, summary.blocks);
}

void test_raster_equals_its_blocks() {
  std::mt19937 random(12);
  for (int round = 0; round < 4; ++round) {
    SpaceDevice device;
    random_space(random, 500, 40, device);
    BlockCache cache;
    for (int view = 0; view < 60; ++view) {
      Failure problem;
      const auto layout = cache.layout(device.columns, 0, static_cast<int64_t>(random() % 41) - 1, {}, problem);
      const BlockRasterRequest request = random_raster(random, *layout);
      std::vector<uint8_t> cells(request.cells(), 0xEE);
      BlockRasterSummary summary;
      CHECK(!check_block_raster(request).failed());
      CHECK(!paint_blocks(*layout, request, {}, cells.data(), summary).failed());
      check_lines(*layout, request, summary);
      check_boxes(*layout, request, summary);
      size_t wrong = 0;
      for (size_t i = 0; i < cells.size(); ++i) {
        const size_t line = i / static_cast<size_t>(request.columns);
        uint8_t expected = 0;
        if (line < summary.lines.size()) {
          const BlockLine& part = summary.lines[line];
          const LayoutSegment& segment = layout->segments[layout->order(request.order)[part.segment]];
          expected = CellCheck{*layout, request, segment, part}.cell(static_cast<int64_t>(i) % request.columns);
        }
        wrong += cells[i] != expected;
      }
      CHECK_EQUAL(wrong, size_t{0});
    }
  }
}

// Columns that no allocator makes, and views far beyond them.
void test_nonsense_is_painted() {
  std::mt19937 random(22);
  for (int round = 0; round < 300; ++round) {
    DeviceColumns columns;
    constexpr size_t kEvents = 40;
    hostile_space(random, kEvents, columns);
    BlockCache cache;
    Failure problem;
    const auto layout = cache.layout(columns, 0, static_cast<int64_t>(random() % (kEvents + 1)) - 1, {}, problem);
    for (int view = 0; view < 4; ++view) {
      BlockRasterRequest request = random_raster(random, *layout);
      request.x1 = request.x0 + std::ldexp(1, static_cast<int>(random() % 70));
      std::vector<uint8_t> cells(request.cells(), 0xEE);
      BlockRasterSummary summary;
      CHECK(!paint_blocks(*layout, request, {}, cells.data(), summary).failed());
      CHECK(summary.lines.size() <= static_cast<size_t>(request.lines));
      // 1 is free memory; every other cell has a slot and a fill.
      const auto is_sound = [](uint8_t cell) { return cell <= kFreeCell || ((cell & 31) > 0 && cell >> kFillShift > 0); };
      CHECK(std::all_of(cells.begin(), cells.end(), is_sound));
    }
  }
}

void test_impossible_rasters_are_refused() {
  BlockRasterRequest sound;
  sound.x1 = 4096;
  sound.columns = sound.lines = 10;
  CHECK(!check_block_raster(sound).failed());
  const auto refused = [&](auto change) {
    BlockRasterRequest request = sound;
    change(request);
    CHECK(check_block_raster(request).failed());
  };
  refused([](auto& r) { r.columns = 0; });
  refused([](auto& r) { r.lines = 16385; });
  refused([](auto& r) { r.columns = r.lines = 10000; });
  refused([](auto& r) { r.x1 = r.x0; });
  refused([](auto& r) { r.x1 = NAN; });
  refused([](auto& r) { r.line0 = -1; });
  refused([](auto& r) { r.line_bytes = -1; });
}

}  // namespace

void test_block_raster() {
  test_raster_equals_its_blocks();
  test_nonsense_is_painted();
  test_impossible_rasters_are_refused();
}

}  // namespace tidemark_test
