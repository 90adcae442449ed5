#include "query/event_table.h"

#include <new>

#include "query/sql_arguments.h"
#include "store/vtab.h"

namespace tidemark {
namespace {

struct Binding {
  const EventTable* table;
  std::shared_ptr<QueryContext> context;
};

struct Table : sqlite3_vtab {
  Binding binding;
};

struct Cursor : sqlite3_vtab_cursor {
  std::unique_ptr<EventRows> rows;  // nullptr = no rows
  uint64_t generation = 0;          // of the connection's columns that the rows are of
  int64_t device = 0;
  int64_t event = 0;
  int64_t row = 0;

  const Binding& binding() const { return static_cast<const Table*>(pVtab)->binding; }
};

int connect(sqlite3* db, void* aux, int, const char* const*, sqlite3_vtab** out, char**) {
  const auto* binding = static_cast<const Binding*>(aux);
  const int result = sqlite3_declare_vtab(db, binding->table->declaration);
  if (result != SQLITE_OK) return result;
  auto* table = new (std::nothrow) Table{{}, *binding};
  if (!table) return SQLITE_NOMEM;
  *out = table;
  return sqlite3_vtab_config(db, SQLITE_VTAB_INNOCUOUS);
}

// Both arguments must be given; nothing else narrows.
int best_index(sqlite3_vtab* vtab, sqlite3_index_info* info) {
  const EventTable& table = *static_cast<Table*>(vtab)->binding.table;
  bool given[2] = {};
  for (int i = 0; i < info->nConstraint; ++i) {
    const auto& constraint = info->aConstraint[i];
    const int argument = constraint.iColumn - table.argument_column;
    if (!constraint.usable || constraint.op != SQLITE_INDEX_CONSTRAINT_EQ || argument < 0 || given[argument]) continue;
    given[argument] = true;
    info->aConstraintUsage[i].argvIndex = argument + 1;
    info->aConstraintUsage[i].omit = 1;
  }
  if (!given[0] || !given[1]) return SQLITE_CONSTRAINT;
  info->estimatedCost = table.usual_rows;
  info->estimatedRows = static_cast<sqlite3_int64>(table.usual_rows);
  return SQLITE_OK;
}

int start(Cursor& cursor, sqlite3_value** values) {
  cursor.rows = nullptr;
  cursor.row = 0;
  if (sqlite3_value_type(values[0]) == SQLITE_NULL || sqlite3_value_type(values[1]) == SQLITE_NULL) return SQLITE_OK;
  SqlArguments arguments(values, 2);
  cursor.device = arguments.integer("device");
  cursor.event = arguments.integer("event");
  if (arguments.error().failed()) {
    return vtab::refuse(cursor.pVtab, error_text(arguments.error().code, arguments.error().message));
  }
  std::string error;
  QueryContext& context = *cursor.binding().context;
  cursor.rows = cursor.binding().table->rows(context, cursor.device, cursor.event, error);
  if (!cursor.rows) return vtab::refuse(cursor.pVtab, error);
  cursor.generation = context.state().generation();
  return SQLITE_OK;
}

int filter(sqlite3_vtab_cursor* base, int, const char*, int, sqlite3_value** values) {
  return vtab::guarded(base->pVtab, [&] { return start(*static_cast<Cursor*>(base), values); });
}

int next(sqlite3_vtab_cursor* base) {
  auto& cursor = *static_cast<Cursor*>(base);
  return vtab::guarded(base->pVtab, [&] {
    ++cursor.row;
    cursor.rows->next();
    return SQLITE_OK;
  });
}

int eof(sqlite3_vtab_cursor* base) {
  const auto& cursor = *static_cast<Cursor*>(base);
  return !cursor.rows || cursor.rows->at_end();
}

int column(sqlite3_vtab_cursor* base, sqlite3_context* sql, int index) {
  const auto& cursor = *static_cast<Cursor*>(base);
  return vtab::guarded(base->pVtab, [&] {
    const Binding& binding = cursor.binding();
    if (cursor.generation != binding.context->state().generation()) {
      return vtab::refuse(base->pVtab, error_text("index/not_an_index", "The index changed while it was read."));
    }
    const int argument = index - binding.table->argument_column;
    if (argument < 0) cursor.rows->result(sql, index);
    else sqlite3_result_int64(sql, argument == 0 ? cursor.device : cursor.event);
    return SQLITE_OK;
  });
}

int row_id(sqlite3_vtab_cursor* base, sqlite3_int64* out) {
  *out = static_cast<const Cursor*>(base)->row;
  return SQLITE_OK;
}

void delete_binding(void* binding) { delete static_cast<Binding*>(binding); }

}  // namespace

int register_event_table(sqlite3* db, const EventTable& table, const std::shared_ptr<QueryContext>& context) {
  static const sqlite3_module module = vtab::module_of<Table, Cursor>({connect, best_index, filter, next, eof, column, row_id});
  auto* binding = new (std::nothrow) Binding{&table, context};
  if (!binding) return SQLITE_NOMEM;
  return sqlite3_create_module_v2(db, table.name, &module, binding, delete_binding);
}

}  // namespace tidemark
