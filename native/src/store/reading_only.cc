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

// Functions of SQLite that make a value of their arguments. Left out: load_extension, sqlite_log, and those of FTS and R-tree, which work on tables
// that an index does not have.
constexpr std::string_view kValueFunctions[] = {
    // texts and bytes
    "char", "concat", "concat_ws", "format", "glob", "hex", "instr", "length", "like", "lower", "ltrim", "octet_length", "printf", "quote",
    "replace", "rtrim", "soundex", "substr", "substring", "trim", "unhex", "unicode", "unistr", "unistr_quote", "upper", "zeroblob",
    // numbers
    "abs", "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "ceil", "ceiling", "cos", "cosh", "degrees", "exp", "floor", "ln", "log",
    "log10", "log2", "mod", "pi", "pow", "power", "radians", "random", "randomblob", "round", "sign", "sin", "sinh", "sqrt", "tan", "tanh",
    "trunc",
    // choices
    "coalesce", "if", "ifnull", "iif", "likelihood", "likely", "nullif", "subtype", "typeof", "unlikely",
    // times
    "current_date", "current_time", "current_timestamp", "date", "datetime", "julianday", "strftime", "time", "timediff", "unixepoch",
    // sums over rows, and windows
    "avg", "count", "cume_dist", "dense_rank", "first_value", "group_concat", "lag", "last_value", "lead", "max", "median", "min", "nth_value",
    "ntile", "percent_rank", "percentile", "percentile_cont", "percentile_disc", "rank", "row_number", "string_agg", "sum", "total",
    // JSON
    "->", "->>", "json", "json_array", "json_array_insert", "json_array_length", "json_error_position", "json_extract", "json_group_array",
    "json_group_object", "json_insert", "json_object", "json_patch", "json_pretty", "json_quote", "json_remove", "json_replace", "json_set",
    "json_type", "json_valid", "jsonb", "jsonb_array", "jsonb_array_insert", "jsonb_extract", "jsonb_group_array", "jsonb_group_object",
    "jsonb_insert", "jsonb_object", "jsonb_patch", "jsonb_remove", "jsonb_replace", "jsonb_set",
    // what SQLite is, and what the connection did
    "changes", "last_insert_rowid", "sqlite_compileoption_get", "sqlite_compileoption_used", "sqlite_source_id", "sqlite_version",
    "total_changes"};

// Our functions that answer a question. Left out: those that fill an index, choose the rules of categories or the file that arguments of events
// are read from, or read that file from any place.
constexpr std::string_view kQuestions[] = {
    "allocation_keys", "allocation_list",  "allocation_list_place", "allocation_passes", "block_at",         "block_raster",
    "block_segments",  "category_of",      "category_totals",       "counter_curve",     "counter_stack",    "event_at_time",
    "flame_match",     "flame_stacks",     "flame_tree",            "instant_marks",     "lifetime_bars",    "lifetime_list",
    "lifetime_pick",   "lifetime_place",   "lifetime_raster",       "lifetime_space",    "match_allocations", "op_memory",
    "range_stats",     "same_stack",       "slice_at",              "slice_links",       "space_curves",     "space_report",
    "tidemark_version", "timeline_curves", "timeline_outline",      "timeline_pick",     "timeline_raster",  "top_stacks",
    "trace_names",     "trace_next",       "trace_pick",            "trace_raster",      "trace_selection",  "trace_steps",
    "what_if",         "would_fit"};

// Pragmas that tell of the schema, whatever their argument.
constexpr std::string_view kTellingPragmas[] = {"table_info",    "table_xinfo", "table_list",  "index_list",     "index_info",
                                                "index_xinfo",   "function_list", "module_list", "pragma_list",
                                                "collation_list", "compile_options"};

// Pragmas that tell a value as long as none is given.
constexpr std::string_view kValuePragmas[] = {"page_count", "page_size", "freelist_count", "user_version", "schema_version", "encoding"};

constexpr std::string_view kAnswerView[] = {"answer"};
constexpr std::string_view kTemporarySchema[] = {"sqlite_temp_master", "sqlite_temp_schema"};

// What reading needs is allowed by name, everything else refused: an action, a function or a pragma that a later SQLite adds is refused until it
// is named here. `first`, `second`: as SQLite gives them to an authorizer for this action.
bool is_allowed(int action, const char* first, const char* second) {
  switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE:
      return true;
    case SQLITE_FUNCTION:
      return is_one_of(second, kValueFunctions) || is_one_of(second, kQuestions);
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
