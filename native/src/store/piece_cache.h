// Stored pieces that the virtual tables of one connection read, kept up to a limit: the next statement finds them in memory.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "store/piece_reader.h"
#include "store/value_index.h"

namespace tidemark {

struct LoadedPiece {
  PieceBytes bytes;
  PackedPiece values;
};

class PieceCache {
 public:
  explicit PieceCache(sqlite3* db) : db_(db) {}
  PieceCache(const PieceCache&) = delete;
  PieceCache& operator=(const PieceCache&) = delete;

  struct Kept {
    std::shared_ptr<const LoadedPiece> piece;
    uint64_t used = 0;  // when, by the count of uses
  };
  // A column as the cache knows it. Holders of a share may go on reading after clear().
  struct Column {
    std::vector<int64_t> rows;  // of column_piece, by piece number
    std::vector<Kept> pieces;   // as many
    uint32_t searches = 0;      // for an equal value
    bool indexed = false;       // `index` was made, or cannot be
    std::unique_ptr<ValueIndex> index;
  };

  // The column, located at the first call; nullptr on failure, `result` is then an SQLite result code.
  std::shared_ptr<Column> column(const char* relation, int32_t device, const char* name, int& result);

  // A piece of it; nullptr where the index has none (`result` is SQLITE_OK) or on failure.
  std::shared_ptr<const LoadedPiece> piece(Column& column, size_t number, int& result);

  // Notes that the column is searched for an equal value, and makes its index when that goes on. Answers a result code.
  int note_search(Column& column);

  void clear() {
    columns_.clear();
    bytes_ = 0;
  }

 private:
  void evict_oldest();
  int make_index(Column& column);

  sqlite3* db_;
  std::map<std::tuple<std::string, int32_t, std::string>, std::shared_ptr<Column>> columns_;
  size_t bytes_ = 0;
  uint64_t uses_ = 0;
};

}  // namespace tidemark
