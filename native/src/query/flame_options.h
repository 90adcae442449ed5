// The JSON options of the flame functions (native/README.md, Flame graphs).
#pragma once

#include <string>

#include "query/call_tree.h"

namespace tidemark {

// An empty text has none. `query/bad_argument` for what is no object, for unknown keys and for values that do not fit. `db`: a connection,
// whose JSON functions do the reading.
Failure read_call_tree_options(sqlite3* db, const std::string& json, CallTreeOptions& out);

}  // namespace tidemark
