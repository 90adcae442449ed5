// The tables of an index. Their public columns are the contract of ARCHITECTURE.md.
#pragma once

namespace tidemark {

// Raised whenever an older index can no longer be read by this code.
inline constexpr int kSchemaVersion = 5;

// DDL of every table and view of the index.
extern const char* const kSchema;

}  // namespace tidemark
