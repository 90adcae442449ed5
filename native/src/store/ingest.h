// SQL function ingest_snapshot(path, options): a snapshot file becomes a complete index in the caller's empty database.
#pragma once

#include "store/connection.h"

namespace tidemark {

// Registers ingest_snapshot on `db`; `state` outlives it. Answers an SQLite result code.
int register_ingest(sqlite3* db, ConnectionState* state);

}  // namespace tidemark
