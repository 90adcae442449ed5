#include "query/category_table.h"

#include <new>

#include "query/categories.h"
#include "query/sql_arguments.h"
#include "store/vtab.h"

namespace tidemark {
namespace {

enum Column { kAllocationId, kCategory, kRule, kConfidence, kDevice };
enum Plan { kAll, kOne };

struct Table : sqlite3_vtab {
  std::shared_ptr<QueryContext> context;
};

struct Cursor : sqlite3_vtab_cursor {
  std::shared_ptr<const Categories> categories;  // nullptr = no rows
  int64_t device = 0;
  int64_t first_id = 0;
  size_t row = 0;
  size_t end = 0;
};

int connect(sqlite3* db, void* aux, int, const char* const*, sqlite3_vtab** out, char**) {
  const int result = sqlite3_declare_vtab(
      db, "CREATE TABLE relation(allocation_id INTEGER, category TEXT, rule TEXT, confidence REAL, device INTEGER HIDDEN)");
  if (result != SQLITE_OK) return result;
  auto* table = new (std::nothrow) Table{{}, *static_cast<std::shared_ptr<QueryContext>*>(aux)};
  if (!table) return SQLITE_NOMEM;
  *out = table;
  return sqlite3_vtab_config(db, SQLITE_VTAB_INNOCUOUS);
}

// The device must be given; an allocation_id narrows to its row.
int best_index(sqlite3_vtab*, sqlite3_index_info* info) {
  int device = -1, allocation = -1;
  for (int i = 0; i < info->nConstraint; ++i) {
    const auto& constraint = info->aConstraint[i];
    if (!constraint.usable || constraint.op != SQLITE_INDEX_CONSTRAINT_EQ) continue;
    if (constraint.iColumn == kDevice) device = i;
    if (constraint.iColumn == kAllocationId) allocation = i;
  }
  if (device < 0) return SQLITE_CONSTRAINT;
  info->aConstraintUsage[device].argvIndex = 1;
  info->aConstraintUsage[device].omit = 1;
  info->idxNum = allocation < 0 ? kAll : kOne;
  if (allocation >= 0) info->aConstraintUsage[allocation].argvIndex = 2;
  info->estimatedCost = allocation < 0 ? 1e6 : 1;
  info->estimatedRows = allocation < 0 ? 1'000'000 : 1;
  return SQLITE_OK;
}

int start(Cursor& cursor, Plan plan, sqlite3_value** values) {
  cursor.categories = nullptr;
  cursor.row = cursor.end = 0;
  if (sqlite3_value_type(values[0]) == SQLITE_NULL) return SQLITE_OK;
  SqlArguments arguments(values, 1);
  cursor.device = arguments.integer("device");
  std::string error;
  QueryContext& context = *static_cast<Table*>(cursor.pVtab)->context;
  Failure failure = arguments.error();
  const Lifetimes* lifetimes = failure.failed() ? nullptr : context.device(cursor.device, kAllocationsPart, error);
  if (lifetimes) cursor.categories = context.shared_categories(*lifetimes->columns, failure);
  if (failure.failed()) error = error_text(failure.code, failure.message);
  if (!cursor.categories) return vtab::refuse(cursor.pVtab, error);
  cursor.first_id = lifetimes->columns->first_allocation_id;
  cursor.end = cursor.categories->category.size();
  if (plan == kAll) return SQLITE_OK;
  // SQLite compares again, so that a value which is no whole number finds nothing.
  const int64_t wanted = sqlite3_value_int64(values[1]) - cursor.first_id;
  const bool is_there = wanted >= 0 && wanted < static_cast<int64_t>(cursor.end);
  cursor.row = is_there ? static_cast<size_t>(wanted) : cursor.end;
  if (is_there) cursor.end = cursor.row + 1;
  return SQLITE_OK;
}

int filter(sqlite3_vtab_cursor* base, int plan, const char*, int, sqlite3_value** values) {
  return vtab::guarded(base->pVtab, [&] { return start(*static_cast<Cursor*>(base), static_cast<Plan>(plan), values); });
}

int next(sqlite3_vtab_cursor* base) {
  ++static_cast<Cursor*>(base)->row;
  return SQLITE_OK;
}

int eof(sqlite3_vtab_cursor* base) {
  const auto& cursor = *static_cast<Cursor*>(base);
  return cursor.row >= cursor.end;
}

// Of static texts and those of rules that the cursor holds.
void answer_static(sqlite3_context* sql, std::string_view text, void (*keep)(void*)) {
  sqlite3_result_text(sql, text.data(), static_cast<int>(text.size()), keep);
}

int column(sqlite3_vtab_cursor* base, sqlite3_context* sql, int index) {
  const auto& cursor = *static_cast<Cursor*>(base);
  const Categories& of = *cursor.categories;
  const uint16_t rule = of.rule[cursor.row];
  switch (index) {
    case kAllocationId: sqlite3_result_int64(sql, cursor.first_id + static_cast<int64_t>(cursor.row)); break;
    case kCategory: answer_static(sql, category_name(of.category[cursor.row]), SQLITE_STATIC); break;
    case kRule:
      if (rule != kNoRule) answer_static(sql, of.rules->rules[rule].id, SQLITE_TRANSIENT);
      break;
    case kConfidence: sqlite3_result_double(sql, rule == kNoRule ? 0 : of.rules->rules[rule].confidence); break;
    default: sqlite3_result_int64(sql, cursor.device);
  }
  return SQLITE_OK;
}

int row_id(sqlite3_vtab_cursor* base, sqlite3_int64* out) {
  *out = static_cast<sqlite3_int64>(static_cast<const Cursor*>(base)->row);
  return SQLITE_OK;
}

}  // namespace

int register_category_table(sqlite3* db, const std::shared_ptr<QueryContext>& context) {
  static const sqlite3_module module = vtab::module_of<Table, Cursor>({connect, best_index, filter, next, eof, column, row_id});
  auto* share = new (std::nothrow) std::shared_ptr<QueryContext>(context);
  if (!share) return SQLITE_NOMEM;
  return sqlite3_create_module_v2(db, "allocation_category", &module, share,
                                  [](void* kept) { delete static_cast<std::shared_ptr<QueryContext>*>(kept); });
}

}  // namespace tidemark
