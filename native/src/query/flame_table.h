// The relation flame(device, event): the call tree of the memory allocated after an event, as rows.
#pragma once

#include <memory>

#include "query/query_context.h"

namespace tidemark {

// Registers it as an eponymous virtual table. Answers an SQLite result code.
int register_flame_table(sqlite3* db, const std::shared_ptr<QueryContext>& context);

}  // namespace tidemark
