// SQL function reading_only(): from then on the connection answers questions and does nothing else.
#pragma once

#include "store/connection.h"

namespace tidemark {

// Registers reading_only() on `db`. It answers 1, and no later statement of that connection can undo it: from then on a statement may select,
// call the functions that only make a value or answer a question, ask the pragmas that describe, and make and drop a temporary view `answer`.
// Whatever else it would do — write, attach, load, read another file, change a setting — is refused when it is prepared ("not authorized",
// "prohibited"). Answers an SQLite result code.
int register_reading_only(sqlite3* db);

}  // namespace tidemark
