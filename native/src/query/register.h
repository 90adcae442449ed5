// Entry of the query functions (timeline_*, range_stats, top_stacks, event_at_time): registered on one connection.
#pragma once

#include "store/connection.h"

namespace tidemark {

// Registers every query function on `db`; `state` outlives them. Answers an SQLite result code.
int register_queries(sqlite3* db, ConnectionState* state);

}  // namespace tidemark
