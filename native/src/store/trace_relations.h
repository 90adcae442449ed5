// The public relations of a trace as eponymous virtual tables: slice, instant, counter, flow (native/TRACES.md).
#pragma once

#include "store/connection.h"

namespace tidemark {

// Registers the virtual tables on `db`; `state` outlives them. Answers an SQLite result code.
int register_trace_relations(sqlite3* db, ConnectionState* state);

}  // namespace tidemark
