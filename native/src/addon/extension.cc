// The SQLite face: what loadExtension() calls on each connection.
#include <memory>
#include <new>

#include "query/register.h"
#include "store/ingest.h"
#include "store/reading_only.h"
#include "store/relations.h"

extern "C" {
SQLITE_EXTENSION_INIT1
}

namespace tidemark {
namespace {

#if defined(_WIN32)
#define TIDEMARK_EXPORT __declspec(dllexport)
#else
#define TIDEMARK_EXPORT __attribute__((visibility("default")))
#endif

constexpr char kVersion[] = TIDEMARK_VERSION;

void version_function(sqlite3_context* context, int, sqlite3_value**) {
  sqlite3_result_text(context, kVersion, -1, SQLITE_STATIC);
}

void delete_state(void* state) { delete static_cast<ConnectionState*>(state); }

// The connection's state lives as long as tidemark_version() is registered: until the connection closes.
int register_all(sqlite3* db) {
  auto* state = new (std::nothrow) ConnectionState(db);
  if (!state) return SQLITE_NOMEM;
  int result = sqlite3_create_function_v2(db, "tidemark_version", 0, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS,
                                          state, version_function, nullptr, nullptr, delete_state);
  if (result == SQLITE_OK) result = register_ingest(db, state);
  if (result == SQLITE_OK) result = register_reading_only(db);
  if (result == SQLITE_OK) result = register_relations(db, state);
  if (result == SQLITE_OK) result = register_queries(db, state);
  return result;
}

}  // namespace
}  // namespace tidemark

// Found by SQLite under this name whatever the library file is called.
extern "C" TIDEMARK_EXPORT int sqlite3_extension_init(sqlite3* db, char** error, const sqlite3_api_routines* api) {
  SQLITE_EXTENSION_INIT2(api);
  (void)error;
  try {
    return tidemark::register_all(db);
  } catch (const std::bad_alloc&) {
    return SQLITE_NOMEM;
  }
}
