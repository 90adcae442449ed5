#include "store/columnar_vtab.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>

#include "store/row_filter.h"
#include "store/vtab.h"

namespace tidemark {
namespace {

// For the planner: rows of a device, rows that share a value, and the cost of passing over a row that does not match (the
// search is vectorised, and has an index when it is repeated) against that of answering one.
constexpr double kUsualRows = 1e6;
constexpr double kRowsOfAddress = 16;
constexpr double kRowsOfValue = 1000;
constexpr double kScanCost = 0.05;
constexpr double kSearchCost = 0.001;
constexpr int kRowBits = 40;         // low bits of a rowid; the device's place in the list is above

struct Binding {
  const Relation* relation;
  ConnectionState* state;
};

struct Table : sqlite3_vtab {
  const Relation* relation;
  ConnectionState* state;
};

// Readers outlast a filter: a join or a list of ids filters once a row.
struct Cursor : sqlite3_vtab_cursor {
  std::unique_ptr<RowFilter> filter;
  std::vector<DeviceRows> devices;
  std::vector<std::unique_ptr<RelationReader>> readers;  // by device's place
  uint64_t generation = 0;                               // of the two above
  size_t device_at = 0;
  bool entered = false;  // `range` is of the device at hand
  RowRange range;

  const Table& table() const { return *static_cast<const Table*>(pVtab); }
  RelationReader& reader() { return *readers[device_at]; }
};

int refuse(sqlite3_vtab* table, const char* code, const char* message) { return vtab::refuse(table, error_text(code, message)); }

int connect(sqlite3* db, void* aux, int, const char* const*, sqlite3_vtab** out, char**) {
  const auto* binding = static_cast<const Binding*>(aux);
  std::string sql = "CREATE TABLE relation(";
  for (int i = 0; i < binding->relation->column_count; ++i) {
    const RelationColumn& column = binding->relation->columns[i];
    if (i > 0) sql += ", ";
    sql += std::string(column.name) + " " + column.type;
  }
  const int result = sqlite3_declare_vtab(db, (sql + ")").c_str());
  if (result != SQLITE_OK) return result;
  auto* table = new (std::nothrow) Table();
  if (!table) return SQLITE_NOMEM;
  table->relation = binding->relation;
  table->state = binding->state;
  *out = table;
  return sqlite3_vtab_config(db, SQLITE_VTAB_INNOCUOUS);
}

struct Estimate {
  double answered = kUsualRows;
  double scanned = kUsualRows;
  bool device_fixed = false;
  bool searched = false;

  void narrow(const RelationColumn& column, unsigned char op) {
    const bool equal = op == SQLITE_INDEX_CONSTRAINT_EQ;
    if (column.show == Show::device || column.show == Show::at_device) {
      device_fixed = true;
    } else if (column.show == Show::lane_track || column.show == Show::series_track) {
      scanned /= 4;
      answered /= 4;
    } else if (column.show == Show::row_id || column.ascending) {
      scanned = equal ? 1 : scanned / 4;
      answered = equal ? 1 : answered / 4;
    } else {
      answered = std::min(answered / 2, column.show == Show::address ? kRowsOfAddress : kRowsOfValue);
      searched = true;
    }
  }

  double cost() const { return answered + scanned * (searched ? kSearchCost : kScanCost); }
};

// Rows come by device, then by row number.
bool is_natural_order(const Relation& relation, const sqlite3_index_info* info, bool device_fixed) {
  const auto show = [&](int term) {
    const int column = info->aOrderBy[term].iColumn;
    return column < 0 || info->aOrderBy[term].desc ? Show::nothing : relation.columns[column].show;
  };
  if (info->nOrderBy == 1) {
    return show(0) == Show::device || (show(0) == Show::row_id && (device_fixed || relation.ids_are_global));
  }
  return info->nOrderBy == 2 && show(0) == Show::device && show(1) == Show::row_id;
}

int best_index(sqlite3_vtab* vtab, sqlite3_index_info* info) {
  const Relation& relation = *static_cast<Table*>(vtab)->relation;
  std::vector<PlannedConstraint> plan;
  Estimate estimate;
  int arguments_missing = relation.live_at_event ? 2 : 0;
  for (int i = 0; i < info->nConstraint; ++i) {
    const auto& constraint = info->aConstraint[i];
    if (!constraint.usable || constraint.iColumn < 0) continue;
    const RelationColumn& column = relation.columns[constraint.iColumn];
    // Stored values are looked up byte for byte: a text that equals others under some collation is left to SQLite.
    if (!narrows(column, constraint.op) || std::strcmp(sqlite3_vtab_collation(info, i), "BINARY") != 0) continue;
    plan.push_back({constraint.iColumn, constraint.op});
    info->aConstraintUsage[i].argvIndex = static_cast<int>(plan.size());
    if (column.show == Show::at_device || column.show == Show::at_event) {
      --arguments_missing;
      info->aConstraintUsage[i].omit = 1;
    }
    estimate.narrow(column, constraint.op);
  }
  if (arguments_missing > 0) return SQLITE_CONSTRAINT;
  info->idxStr = sqlite3_mprintf("%s", encode_plan(plan).c_str());
  if (!info->idxStr) return SQLITE_NOMEM;
  info->needToFreeIdxStr = 1;
  info->orderByConsumed = is_natural_order(relation, info, estimate.device_fixed);
  info->estimatedRows = static_cast<sqlite3_int64>(estimate.answered) + 1;
  info->estimatedCost = estimate.cost();
  return SQLITE_OK;
}

int refuse_read(sqlite3_vtab* table, int result) {
  if (result == SQLITE_INTERRUPT || result == SQLITE_NOMEM) return result;
  return refuse(table, "index/not_an_index", "The index is damaged.");
}

// Moves to the next row that matches, from range.from on, over the devices that are left.
int settle(Cursor& cursor) {
  for (; cursor.device_at < cursor.devices.size(); ++cursor.device_at, cursor.entered = false) {
    const DeviceRows& rows = cursor.devices[cursor.device_at];
    if (!cursor.filter->wants_device(rows.device)) continue;
    auto& reader = cursor.readers[cursor.device_at];
    if (!reader) reader = std::make_unique<RelationReader>(*cursor.table().state, *cursor.table().relation, rows);
    if (!cursor.entered) cursor.range = cursor.filter->rows(*reader, rows.row_count, rows.first_id);
    cursor.entered = true;
    cursor.range.from = cursor.filter->next(*reader, cursor.range.from, cursor.range.to);
    if (reader->result_code() != SQLITE_OK) return refuse_read(cursor.pVtab, reader->result_code());
    if (cursor.range.from < cursor.range.to) return SQLITE_OK;
  }
  return SQLITE_OK;
}

// Takes the devices of the relation, unless the cursor has them already.
int find_devices(Cursor& cursor) {
  ConnectionState& state = *cursor.table().state;
  if (!cursor.readers.empty() && cursor.generation == state.generation()) return SQLITE_OK;
  int result;
  const std::vector<DeviceRows>* rows = state.relation_rows(cursor.table().relation->devices_sql, result);
  if (result == SQLITE_INTERRUPT) return result;
  if (!rows) return refuse(cursor.pVtab, "index/not_an_index", "The database is not a Tidemark index.");
  cursor.devices = *rows;
  cursor.readers.clear();
  cursor.readers.resize(rows->size());
  cursor.generation = state.generation();
  return SQLITE_OK;
}

int start(Cursor& cursor, const char* plan, sqlite3_value** values) {
  const Table& table = cursor.table();
  const int result = find_devices(cursor);
  if (result != SQLITE_OK) return result;
  cursor.device_at = 0;
  cursor.entered = false;
  cursor.filter = std::make_unique<RowFilter>(*table.relation, decode_plan(plan), values, table.state->names());
  return settle(cursor);
}

int filter(sqlite3_vtab_cursor* base, int, const char* plan, int, sqlite3_value** values) {
  return vtab::guarded(base->pVtab, [&] { return start(*static_cast<Cursor*>(base), plan, values); });
}

int next(sqlite3_vtab_cursor* base) {
  auto& cursor = *static_cast<Cursor*>(base);
  ++cursor.range.from;
  return vtab::guarded(base->pVtab, [&] { return settle(cursor); });
}

int eof(sqlite3_vtab_cursor* base) {
  const auto& cursor = *static_cast<Cursor*>(base);
  return cursor.device_at >= cursor.devices.size();
}

int column(sqlite3_vtab_cursor* base, sqlite3_context* context, int index) {
  auto& cursor = *static_cast<Cursor*>(base);
  return vtab::guarded(base->pVtab, [&] {
    const Show show = cursor.table().relation->columns[index].show;
    if (show == Show::at_device) sqlite3_result_int64(context, cursor.filter->at_device());
    else if (show == Show::at_event) sqlite3_result_int64(context, cursor.filter->at_event());
    else cursor.reader().result(context, index, static_cast<size_t>(cursor.range.from));
    return SQLITE_OK;
  });
}

int row_id(sqlite3_vtab_cursor* base, sqlite3_int64* out) {
  const auto& cursor = *static_cast<Cursor*>(base);
  *out = (static_cast<sqlite3_int64>(cursor.device_at) << kRowBits) + cursor.range.from;
  return SQLITE_OK;
}

void delete_binding(void* binding) { delete static_cast<Binding*>(binding); }

}  // namespace

int register_relation(sqlite3* db, ConnectionState* state, const Relation& relation) {
  static const sqlite3_module module = vtab::module_of<Table, Cursor>({connect, best_index, filter, next, eof, column, row_id});
  auto* binding = new (std::nothrow) Binding{&relation, state};
  if (!binding) return SQLITE_NOMEM;
  return sqlite3_create_module_v2(db, relation.name, &module, binding, delete_binding);
}

}  // namespace tidemark
