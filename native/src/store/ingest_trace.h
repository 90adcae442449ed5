// SQL function ingest_trace(path, options): a Chrome trace becomes a complete index in the caller's empty database.
#pragma once

#include "store/connection.h"

namespace tidemark {

// Registers ingest_trace on `db`; `state` outlives it. Answers an SQLite result code.
int register_trace_ingest(sqlite3* db, ConnectionState* state);

}  // namespace tidemark
