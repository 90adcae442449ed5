// Reads stored pieces from the index straight into memory of their own: one copy, where a column of a statement takes two.
#pragma once

#include <vector>

#include "store/packed_column.h"
#include "store/sqlite_api.h"

namespace tidemark {

// Holds an SQLite blob handle, hence a read transaction, from the first read() until it is destroyed: keep it short-lived.
class PieceReader {
 public:
  explicit PieceReader(sqlite3* db) : db_(db) {}
  ~PieceReader() { sqlite3_blob_close(blob_); }
  PieceReader(const PieceReader&) = delete;
  PieceReader& operator=(const PieceReader&) = delete;

  // The rows of column_piece that hold a column, by piece number; none when the index has no such column. Answers
  // SQLITE_OK or why not: SQLITE_CORRUPT when pieces are missing in between.
  int locate(const char* relation, int32_t device, const char* name, std::vector<int64_t>& rows) const;

  // Reads the piece in `row` of column_piece. SQLITE_OK, or why not: SQLITE_CORRUPT when its bytes are damaged.
  int read(int64_t row, PieceBytes& bytes, PackedPiece& values);

 private:
  sqlite3* db_;
  sqlite3_blob* blob_ = nullptr;
};

}  // namespace tidemark
