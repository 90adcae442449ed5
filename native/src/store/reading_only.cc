#include "store/reading_only.h"

#include <algorithm>
#include <string_view>

#include "store/sqlite_api.h"

namespace tidemark {
namespace {

template <size_t N>
bool is_one_of(const char* word, const std::string_view (&words)[N]) {
  return word != nullptr && std::any_of(words, words + N, [word](std::string_view each) { return sqlite3_stricmp(word, each.data()) == 0; });
}

// Functions that do more than answer: they fill an index, name the file that arguments of events are read from, or load code.
constexpr std::string_view kActing[] = {"ingest_snapshot", "ingest_trace", "ingest_profile", "trace_source", "source_text",
                                        "load_extension",  "fts3_tokenizer", "reading_only"};

// Pragmas that tell of the schema, whatever their argument.
constexpr std::string_view kTellingPragmas[] = {"table_info",    "table_xinfo", "table_list",  "index_list",     "index_info",
                                                "index_xinfo",   "function_list", "module_list", "pragma_list",
                                                "collation_list", "compile_options"};

// Pragmas that tell a value as long as none is given.
constexpr std::string_view kValuePragmas[] = {"page_count", "page_size", "freelist_count", "user_version", "schema_version", "encoding"};

constexpr std::string_view kAnswerView[] = {"answer"};
constexpr std::string_view kTemporarySchema[] = {"sqlite_temp_master", "sqlite_temp_schema"};

bool is_allowed(int action, const char* first, const char* second) {
  switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE:
      return true;
    case SQLITE_FUNCTION:
      return !is_one_of(second, kActing);
    case SQLITE_PRAGMA:
      return is_one_of(first, kTellingPragmas) || (second == nullptr && is_one_of(first, kValuePragmas));
    case SQLITE_CREATE_TEMP_VIEW:
    case SQLITE_DROP_TEMP_VIEW:
      return is_one_of(first, kAnswerView);
    case SQLITE_INSERT:
    case SQLITE_UPDATE:
    case SQLITE_DELETE:
      // What making and dropping the view does; SQLite itself refuses it in statements of others.
      return is_one_of(first, kTemporarySchema) || (action == SQLITE_DELETE && is_one_of(first, kAnswerView));
    default:
      return false;
  }
}

int authorize(void*, int action, const char* first, const char* second, const char*, const char*) {
  return is_allowed(action, first, second) ? SQLITE_OK : SQLITE_DENY;
}

void reading_only_function(sqlite3_context* context, int, sqlite3_value**) {
  const int result = sqlite3_set_authorizer(sqlite3_context_db_handle(context), authorize, nullptr);
  if (result != SQLITE_OK) return sqlite3_result_error_code(context, result);
  sqlite3_result_int(context, 1);
}

}  // namespace

int register_reading_only(sqlite3* db) {
  return sqlite3_create_function_v2(db, "reading_only", 0, SQLITE_UTF8 | SQLITE_DIRECTONLY, nullptr, reading_only_function, nullptr, nullptr,
                                    nullptr);
}

}  // namespace tidemark
