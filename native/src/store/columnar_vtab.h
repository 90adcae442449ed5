// The virtual table module that serves every declared relation.
#pragma once

#include "store/connection.h"
#include "store/relation.h"

namespace tidemark {

// Registers `relation`, which must outlive the connection, as an eponymous virtual table. Answers an SQLite result code.
int register_relation(sqlite3* db, ConnectionState* state, const Relation& relation);

}  // namespace tidemark
