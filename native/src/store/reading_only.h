// SQL function reading_only(): from then on the connection answers questions and does nothing else.
#pragma once

#include "store/connection.h"

namespace tidemark {

// Registers reading_only() on `db`. It answers 1, and no later statement of that connection can undo it: what would write, attach, load or
// read another file, or change a setting is refused when it is prepared ("not authorized", "prohibited"). A temporary view `answer` may be
// made and dropped. Answers an SQLite result code.
int register_reading_only(sqlite3* db);

}  // namespace tidemark
