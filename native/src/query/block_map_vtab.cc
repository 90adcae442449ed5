#include "query/block_map_vtab.h"

#include <cstring>
#include <new>

#include "query/block_answers.h"
#include "query/sql_arguments.h"
#include "store/index_writer.h"

namespace tidemark {
namespace {

// Columns of a layout's rows. Both relations end in the hidden arguments device and event.
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
  device,
  event,
};

struct MapRelation {
  const char* name;
  const char* declaration;
  std::vector<MapColumn> columns;
  bool of_blocks;  // else one row a segment
};

const MapRelation& block_map() {
  static const MapRelation relation{
      "block_map",
      "CREATE TABLE relation(address TEXT, size_bytes INTEGER, requested_bytes INTEGER, state TEXT, allocation_id INTEGER, "
      "segment_address TEXT, stack_id INTEGER, stream INTEGER, pool TEXT, segment_type TEXT, is_expandable INTEGER, "
      "device INTEGER HIDDEN, event INTEGER HIDDEN)",
      {MapColumn::address, MapColumn::size_bytes, MapColumn::requested_bytes, MapColumn::state, MapColumn::allocation_id,
       MapColumn::segment_address, MapColumn::stack_id, MapColumn::stream, MapColumn::pool, MapColumn::segment_type,
       MapColumn::is_expandable, MapColumn::device, MapColumn::event},
      true};
  return relation;
}

const MapRelation& segment_map() {
  static const MapRelation relation{
      "segment_map",
      "CREATE TABLE relation(address TEXT, total_bytes INTEGER, allocated_bytes INTEGER, active_bytes INTEGER, "
      "requested_bytes INTEGER, free_bytes INTEGER, largest_free_bytes INTEGER, returnable_bytes INTEGER, block_count INTEGER, "
      "free_block_count INTEGER, stream INTEGER, pool TEXT, segment_type TEXT, is_expandable INTEGER, "
      "device INTEGER HIDDEN, event INTEGER HIDDEN)",
      {MapColumn::segment_address, MapColumn::total_bytes, MapColumn::allocated_bytes, MapColumn::active_bytes,
       MapColumn::active_requested_bytes, MapColumn::free_bytes, MapColumn::largest_free_bytes, MapColumn::returnable_bytes,
       MapColumn::block_count, MapColumn::free_block_count, MapColumn::stream, MapColumn::pool, MapColumn::segment_type,
       MapColumn::is_expandable, MapColumn::device, MapColumn::event},
      false};
  return relation;
}

// For the planner: rows of one event.
constexpr double kUsualBlocks = 1e4;
constexpr double kUsualSegments = 100;

struct Binding {
  const MapRelation* relation;
  std::shared_ptr<QueryContext> context;
};

struct MapTable : sqlite3_vtab {
  Binding binding;
};

struct MapCursor : sqlite3_vtab_cursor {
  std::shared_ptr<const BlockLayout> layout;  // nullptr = no rows
  uint64_t generation = 0;                    // of the connection's columns that the layout is of
  int64_t device = 0;
  size_t segment = 0;
  std::vector<SpaceBlock> blocks;  // of the segment at hand
  size_t block = 0;
  int64_t row = 0;

  const Binding& binding() const { return static_cast<const MapTable*>(pVtab)->binding; }
};

int refuse(sqlite3_vtab* table, const std::string& text) {
  sqlite3_free(table->zErrMsg);
  table->zErrMsg = sqlite3_mprintf("%s", text.c_str());
  return SQLITE_ERROR;
}

template <typename Work>
int guarded(sqlite3_vtab* table, Work work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return SQLITE_NOMEM;
  } catch (const std::exception& error) {
    return refuse(table, error_text("engine/internal", error.what()));
  }
}

int connect(sqlite3* db, void* aux, int, const char* const*, sqlite3_vtab** out, char**) {
  const auto* binding = static_cast<const Binding*>(aux);
  const int result = sqlite3_declare_vtab(db, binding->relation->declaration);
  if (result != SQLITE_OK) return result;
  auto* table = new (std::nothrow) MapTable{{}, *binding};
  if (!table) return SQLITE_NOMEM;
  *out = table;
  return sqlite3_vtab_config(db, SQLITE_VTAB_INNOCUOUS);
}

int disconnect(sqlite3_vtab* table) {
  delete static_cast<MapTable*>(table);
  return SQLITE_OK;
}

// Both arguments must be given; nothing else narrows.
int best_index(sqlite3_vtab* vtab, sqlite3_index_info* info) {
  const MapRelation& relation = *static_cast<MapTable*>(vtab)->binding.relation;
  const int device = static_cast<int>(relation.columns.size()) - 2;
  bool given[2] = {};
  for (int i = 0; i < info->nConstraint; ++i) {
    const auto& constraint = info->aConstraint[i];
    const int argument = constraint.iColumn - device;
    if (!constraint.usable || constraint.op != SQLITE_INDEX_CONSTRAINT_EQ || argument < 0 || given[argument]) continue;
    given[argument] = true;
    info->aConstraintUsage[i].argvIndex = argument + 1;
    info->aConstraintUsage[i].omit = 1;
  }
  if (!given[0] || !given[1]) return SQLITE_CONSTRAINT;
  info->estimatedCost = relation.of_blocks ? kUsualBlocks : kUsualSegments;
  info->estimatedRows = static_cast<sqlite3_int64>(info->estimatedCost);
  return SQLITE_OK;
}

int open(sqlite3_vtab*, sqlite3_vtab_cursor** out) {
  auto* cursor = new (std::nothrow) MapCursor();
  if (!cursor) return SQLITE_NOMEM;
  *out = cursor;
  return SQLITE_OK;
}

int close(sqlite3_vtab_cursor* cursor) {
  delete static_cast<MapCursor*>(cursor);
  return SQLITE_OK;
}

void enter_segment(MapCursor& cursor) {
  cursor.blocks.clear();
  cursor.block = 0;
  if (!cursor.binding().relation->of_blocks || cursor.segment >= cursor.layout->segments.size()) return;
  visit_blocks(*cursor.layout, cursor.layout->segments[cursor.segment],
               [&](const SpaceBlock& block) { cursor.blocks.push_back(block); });
}

int start(MapCursor& cursor, sqlite3_value** values) {
  cursor.layout = nullptr;
  cursor.row = 0;
  cursor.segment = 0;
  if (sqlite3_value_type(values[0]) == SQLITE_NULL || sqlite3_value_type(values[1]) == SQLITE_NULL) return SQLITE_OK;
  SqlArguments arguments(values, 2);
  cursor.device = arguments.integer("device");
  const int64_t event = arguments.integer("event");
  if (arguments.error().failed()) {
    return refuse(cursor.pVtab, error_text(arguments.error().code, arguments.error().message));
  }
  std::string error;
  QueryContext& context = *cursor.binding().context;
  cursor.layout = context.layout(cursor.device, event, 0, error);
  if (!cursor.layout) return refuse(cursor.pVtab, error);
  cursor.generation = context.state().generation();
  enter_segment(cursor);
  return SQLITE_OK;
}

int filter(sqlite3_vtab_cursor* base, int, const char*, int, sqlite3_value** values) {
  return guarded(base->pVtab, [&] { return start(*static_cast<MapCursor*>(base), values); });
}

int next(sqlite3_vtab_cursor* base) {
  auto& cursor = *static_cast<MapCursor*>(base);
  return guarded(base->pVtab, [&] {
    ++cursor.row;
    if (++cursor.block < cursor.blocks.size()) return SQLITE_OK;
    ++cursor.segment;
    enter_segment(cursor);
    return SQLITE_OK;
  });
}

int eof(sqlite3_vtab_cursor* base) {
  const auto& cursor = *static_cast<MapCursor*>(base);
  return !cursor.layout || cursor.segment >= cursor.layout->segments.size();
}

void result_text(sqlite3_context* sql, const std::string& text) {
  sqlite3_result_text(sql, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
}

void result_bytes(sqlite3_context* sql, uint64_t bytes) { sqlite3_result_int64(sql, static_cast<sqlite3_int64>(bytes)); }

void result_block(sqlite3_context* sql, const MapCursor& cursor, MapColumn column) {
  const SpaceBlock& block = cursor.blocks[cursor.block];
  const BlockHistory& history = *cursor.layout->history;
  const DeviceColumns& columns = cursor.layout->columns();
  switch (column) {
    case MapColumn::address: return result_text(sql, hex_address(block.address));
    case MapColumn::size_bytes: return result_bytes(sql, block.size);
    case MapColumn::requested_bytes: return result_bytes(sql, requested_bytes(*cursor.layout, block));
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

void result_segment(sqlite3_context* sql, const MapCursor& cursor, MapColumn column) {
  const LayoutSegment& segment = cursor.layout->segments[cursor.segment];
  const SpaceTotals& totals = segment.totals;
  RelationNames& names = cursor.binding().context->state().names();
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
    case MapColumn::free_block_count: return result_bytes(sql, totals.free_blocks);
    case MapColumn::device: return sqlite3_result_int64(sql, cursor.device);
    default: return sqlite3_result_int64(sql, cursor.layout->event);
  }
}

int column(sqlite3_vtab_cursor* base, sqlite3_context* sql, int index) {
  const auto& cursor = *static_cast<MapCursor*>(base);
  return guarded(base->pVtab, [&] {
    const Binding& binding = cursor.binding();
    if (cursor.generation != binding.context->state().generation()) {
      return refuse(base->pVtab, error_text("index/not_an_index", "The index changed while it was read."));
    }
    const MapColumn column = binding.relation->columns[static_cast<size_t>(index)];
    const bool of_block = column <= MapColumn::allocation_id || column == MapColumn::stack_id;
    if (of_block) result_block(sql, cursor, column);
    else result_segment(sql, cursor, column);
    return SQLITE_OK;
  });
}

int row_id(sqlite3_vtab_cursor* base, sqlite3_int64* out) {
  *out = static_cast<const MapCursor*>(base)->row;
  return SQLITE_OK;
}

sqlite3_module make_module() {
  sqlite3_module out;
  std::memset(&out, 0, sizeof out);
  out.xConnect = connect;  // no xCreate: the table exists by its name alone
  out.xBestIndex = best_index;
  out.xDisconnect = disconnect;
  out.xOpen = open;
  out.xClose = close;
  out.xFilter = filter;
  out.xNext = next;
  out.xEof = eof;
  out.xColumn = column;
  out.xRowid = row_id;
  return out;
}

void delete_binding(void* binding) { delete static_cast<Binding*>(binding); }

}  // namespace

int register_block_maps(sqlite3* db, const std::shared_ptr<QueryContext>& context) {
  static const sqlite3_module module = make_module();
  for (const MapRelation* relation : {&block_map(), &segment_map()}) {
    auto* binding = new (std::nothrow) Binding{relation, context};
    if (!binding) return SQLITE_NOMEM;
    const int result = sqlite3_create_module_v2(db, relation->name, &module, binding, delete_binding);
    if (result != SQLITE_OK) return result;
  }
  return SQLITE_OK;
}

}  // namespace tidemark
