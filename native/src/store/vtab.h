// What the virtual tables that exist by their name alone have in common.
#pragma once

#include <cstring>
#include <exception>
#include <new>
#include <string>

#include "store/connection.h"
#include "store/sqlite_api.h"

namespace tidemark::vtab {

// Fails with `text`, which is that of an SQLite error.
inline int refuse(sqlite3_vtab* table, const std::string& text) {
  sqlite3_free(table->zErrMsg);
  table->zErrMsg = sqlite3_mprintf("%s", text.c_str());
  return SQLITE_ERROR;
}

// The result code of work(); SQLite's C code cannot be thrown through.
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

// What differs from table to table, as sqlite3_module has it.
struct Methods {
  decltype(sqlite3_module::xConnect) connect;
  decltype(sqlite3_module::xBestIndex) best_index;
  decltype(sqlite3_module::xFilter) filter;
  decltype(sqlite3_module::xNext) next;
  decltype(sqlite3_module::xEof) eof;
  decltype(sqlite3_module::xColumn) column;
  decltype(sqlite3_module::xRowid) row_id;
};

// A module whose cursors are `Cursor`, and whose connect() makes a `Table`.
template <typename Table, typename Cursor>
sqlite3_module module_of(const Methods& methods) {
  sqlite3_module out;
  std::memset(&out, 0, sizeof out);  // no xCreate: the table exists by its name alone
  out.xConnect = methods.connect;
  out.xBestIndex = methods.best_index;
  out.xFilter = methods.filter;
  out.xNext = methods.next;
  out.xEof = methods.eof;
  out.xColumn = methods.column;
  out.xRowid = methods.row_id;
  out.xDisconnect = [](sqlite3_vtab* table) {
    delete static_cast<Table*>(table);
    return SQLITE_OK;
  };
  out.xOpen = [](sqlite3_vtab*, sqlite3_vtab_cursor** cursor) {
    *cursor = new (std::nothrow) Cursor();
    return *cursor ? SQLITE_OK : SQLITE_NOMEM;
  };
  out.xClose = [](sqlite3_vtab_cursor* cursor) {
    delete static_cast<Cursor*>(cursor);
    return SQLITE_OK;
  };
  return out;
}

}  // namespace tidemark::vtab
