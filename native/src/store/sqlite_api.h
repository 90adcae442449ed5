// SQLite through the routine table of the host connection: this library links no SQLite of its own.
// Only routines of SQLite 3.40 and older may be called without asking sqlite3_libversion_number() first.
#pragma once

#include <sqlite3ext.h>

extern "C" {
SQLITE_EXTENSION_INIT3
}
