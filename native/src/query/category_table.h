// The relation `allocation_category(device)` (native/README.md, Categories).
#pragma once

#include <memory>

#include "query/query_context.h"

namespace tidemark {

// Answers an SQLite result code.
int register_category_table(sqlite3* db, const std::shared_ptr<QueryContext>& context);

}  // namespace tidemark
