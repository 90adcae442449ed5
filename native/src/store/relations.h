// The large relations of an index as eponymous virtual tables: event, allocation, memory_curve, block, live_allocation.
#pragma once

#include "store/connection.h"

namespace tidemark {

// Registers the virtual tables on `db`; `state` outlives them. Answers an SQLite result code.
int register_relations(sqlite3* db, ConnectionState* state);

}  // namespace tidemark
