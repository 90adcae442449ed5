// SQL function ingest_profile(path, options): a profile of another tool becomes a complete index in the caller's empty database.
#pragma once

#include "store/connection.h"

namespace tidemark {

// Registers ingest_profile on `db`; `state` outlives it. Answers an SQLite result code.
int register_profile_ingest(sqlite3* db, ConnectionState* state);

}  // namespace tidemark
