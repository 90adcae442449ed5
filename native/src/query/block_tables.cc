#include "query/block_tables.h"

#include <iterator>
#include <vector>

#include "query/block_answers.h"
#include "query/event_table.h"
#include "store/index_writer.h"

namespace tidemark {
namespace {

void result_text(sqlite3_context* sql, const std::string& text) {
  sqlite3_result_text(sql, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
}

void result_bytes(sqlite3_context* sql, uint64_t bytes) { sqlite3_result_int64(sql, static_cast<sqlite3_int64>(bytes)); }

// Columns of a layout's rows.
enum class MapColumn {
  address,
  size_bytes,
  requested_bytes,
  state,
  allocation_id,
  segment_address,
  stack_id,
  stream,
  pool,
  segment_type,
  is_expandable,
  total_bytes,
  allocated_bytes,
  active_bytes,
  active_requested_bytes,
  free_bytes,
  largest_free_bytes,
  returnable_bytes,
  block_count,
  free_block_count,
};

constexpr MapColumn kBlockColumns[] = {MapColumn::address,       MapColumn::size_bytes,      MapColumn::requested_bytes,
                                       MapColumn::state,         MapColumn::allocation_id,   MapColumn::segment_address,
                                       MapColumn::stack_id,      MapColumn::stream,          MapColumn::pool,
                                       MapColumn::segment_type,  MapColumn::is_expandable};
constexpr MapColumn kSegmentColumns[] = {
    MapColumn::segment_address, MapColumn::total_bytes,        MapColumn::allocated_bytes,  MapColumn::active_bytes,
    MapColumn::active_requested_bytes, MapColumn::free_bytes,  MapColumn::largest_free_bytes, MapColumn::returnable_bytes,
    MapColumn::block_count,     MapColumn::free_block_count,   MapColumn::stream,           MapColumn::pool,
    MapColumn::segment_type,    MapColumn::is_expandable};

// Segment after segment; what both relations say of the segment at hand.
class LayoutRows : public EventRows {
 public:
  LayoutRows(QueryContext& context, std::shared_ptr<const BlockLayout> layout) : context_(context), layout_(std::move(layout)) {}

  bool at_end() const override { return segment_ >= layout_->segments.size(); }

 protected:
  const LayoutSegment& segment() const { return layout_->segments[segment_]; }
  void result_segment(sqlite3_context* sql, MapColumn column) const;

  QueryContext& context_;
  std::shared_ptr<const BlockLayout> layout_;
  size_t segment_ = 0;
};

void LayoutRows::result_segment(sqlite3_context* sql, MapColumn column) const {
  const LayoutSegment& segment = this->segment();
  const SpaceTotals& totals = segment.totals;
  RelationNames& names = context_.state().names();
  switch (column) {
    case MapColumn::segment_address: return result_text(sql, hex_address(segment.address));
    case MapColumn::stream:
      if (const auto handle = names.stream(segment.stream)) sqlite3_result_int64(sql, *handle);
      return;
    case MapColumn::pool:
      if (const std::string* name = names.pool(segment.pool)) result_text(sql, *name);
      return;
    case MapColumn::segment_type: return sqlite3_result_text(sql, segment.is_small ? "small" : "large", -1, SQLITE_STATIC);
    case MapColumn::is_expandable: return sqlite3_result_int(sql, segment.is_expandable);
    case MapColumn::total_bytes: return result_bytes(sql, totals.reserved);
    case MapColumn::allocated_bytes: return result_bytes(sql, totals.allocated);
    case MapColumn::active_bytes: return result_bytes(sql, totals.active);
    case MapColumn::active_requested_bytes: return result_bytes(sql, totals.requested);
    case MapColumn::free_bytes: return result_bytes(sql, totals.free);
    case MapColumn::largest_free_bytes: return result_bytes(sql, totals.largest_free);
    case MapColumn::returnable_bytes: return result_bytes(sql, totals.returnable);
    case MapColumn::block_count: return result_bytes(sql, totals.blocks);
    default: return result_bytes(sql, totals.free_blocks);
  }
}

class SegmentRows : public LayoutRows {
 public:
  using LayoutRows::LayoutRows;
  void next() override { ++segment_; }
  void result(sqlite3_context* sql, int column) const override { result_segment(sql, kSegmentColumns[column]); }
};

class BlockRows : public LayoutRows {
 public:
  BlockRows(QueryContext& context, std::shared_ptr<const BlockLayout> layout) : LayoutRows(context, std::move(layout)) { enter_segment(); }

  void next() override {
    if (++block_ < blocks_.size()) return;
    ++segment_;
    enter_segment();
  }
  void result(sqlite3_context* sql, int column) const override {
    const MapColumn of = kBlockColumns[column];
    const bool is_of_block = of <= MapColumn::allocation_id || of == MapColumn::stack_id;
    if (is_of_block) result_block(sql, of);
    else result_segment(sql, of);
  }

 private:
  void enter_segment() {
    blocks_.clear();
    block_ = 0;
    if (at_end()) return;
    visit_blocks(*layout_, segment(), [&](const SpaceBlock& block) { blocks_.push_back(block); });
  }
  void result_block(sqlite3_context* sql, MapColumn column) const;

  std::vector<SpaceBlock> blocks_;  // of the segment at hand
  size_t block_ = 0;
};

void BlockRows::result_block(sqlite3_context* sql, MapColumn column) const {
  const SpaceBlock& block = blocks_[block_];
  const BlockHistory& history = *layout_->history;
  const DeviceColumns& columns = layout_->columns();
  switch (column) {
    case MapColumn::address: return result_text(sql, hex_address(block.address));
    case MapColumn::size_bytes: return result_bytes(sql, block.size);
    case MapColumn::requested_bytes: return result_bytes(sql, requested_bytes(*layout_, block));
    case MapColumn::state: return sqlite3_result_text(sql, state_word(block), -1, SQLITE_STATIC);
    case MapColumn::allocation_id:
      if (block.active) sqlite3_result_int64(sql, columns.first_allocation_id + history.index[block.active->place]);
      return;
    default: {
      const int64_t stack = block.active ? columns.stack.at(history.index[block.active->place]) : -1;
      if (stack >= 0) sqlite3_result_int64(sql, stack);
    }
  }
}

template <class Rows>
std::unique_ptr<EventRows> rows_of(QueryContext& context, int64_t device, int64_t event, std::string& error) {
  auto layout = context.layout(device, event, 0, error);
  return layout ? std::make_unique<Rows>(context, std::move(layout)) : nullptr;
}

constexpr EventTable kBlockMap{
    "block_map",
    "CREATE TABLE relation(address TEXT, size_bytes INTEGER, requested_bytes INTEGER, state TEXT, allocation_id INTEGER, "
    "segment_address TEXT, stack_id INTEGER, stream INTEGER, pool TEXT, segment_type TEXT, is_expandable INTEGER, "
    "device INTEGER HIDDEN, event INTEGER HIDDEN)",
    static_cast<int>(std::size(kBlockColumns)), 1e4, rows_of<BlockRows>};

constexpr EventTable kSegmentMap{
    "segment_map",
    "CREATE TABLE relation(address TEXT, total_bytes INTEGER, allocated_bytes INTEGER, active_bytes INTEGER, "
    "requested_bytes INTEGER, free_bytes INTEGER, largest_free_bytes INTEGER, returnable_bytes INTEGER, block_count INTEGER, "
    "free_block_count INTEGER, stream INTEGER, pool TEXT, segment_type TEXT, is_expandable INTEGER, "
    "device INTEGER HIDDEN, event INTEGER HIDDEN)",
    static_cast<int>(std::size(kSegmentColumns)), 100, rows_of<SegmentRows>};

}  // namespace

int register_block_maps(sqlite3* db, const std::shared_ptr<QueryContext>& context) {
  const int result = register_event_table(db, kBlockMap, context);
  return result == SQLITE_OK ? register_event_table(db, kSegmentMap, context) : result;
}

}  // namespace tidemark
