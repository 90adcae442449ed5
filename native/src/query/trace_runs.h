// Packed columns of a trace read where a view needs them. A view of a large trace touches a few hundred rows in each of many lanes, so
// columns are kept in runs of 4,096 values, up to a limit: reading whole pieces would move a hundred times as much.
#pragma once

#include <array>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "query/query_error.h"
#include "store/packed_column.h"
#include "store/sqlite_api.h"

namespace tidemark {

inline constexpr size_t kRunBits = 12;
inline constexpr size_t kRun = size_t{1} << kRunBits;

class TraceReader;

// One packed column: what is known of its pieces, and the runs that are in memory.
class TraceColumn {
 public:
  // Values in all pieces.
  size_t size() const { return size_; }

 private:
  friend class TraceColumns;
  friend class TraceReader;

  struct Run;
  using Place = std::pair<TraceColumn*, size_t>;
  struct Run {
    PieceBytes bytes;
    PackedPiece values;
    std::list<Place>::iterator use;  // place in the order of use
  };
  struct First {
    int64_t value = 0;
    bool is_known = false;
  };

  std::vector<int64_t> rows_;               // of column_piece, by piece
  std::vector<PackedPiece> headers_;        // by piece; raw is not set; width kUnread before it was read
  std::vector<std::shared_ptr<Run>> runs_;  // by run number
  std::vector<First> firsts_;               // first value of a run, by run number: what searches look at
  size_t size_ = 0;
  std::shared_ptr<Run> current_;            // the run read last
  size_t current_number_ = SIZE_MAX;
};

// The columns of one connection's index.
class TraceColumns {
 public:
  explicit TraceColumns(sqlite3* db) : db_(db) {}
  TraceColumns(const TraceColumns&) = delete;
  TraceColumns& operator=(const TraceColumns&) = delete;

 private:
  friend class TraceReader;
  void keep(TraceColumn& column, size_t number, std::shared_ptr<TraceColumn::Run> run);

  sqlite3* db_;
  std::map<std::pair<std::string, std::string>, std::unique_ptr<TraceColumn>> columns_;
  std::list<TraceColumn::Place> uses_;  // latest first
  size_t bytes_ = 0;
};

// Reads columns while one question is answered. Holds an SQLite blob handle, hence a read transaction, until it is destroyed. The first
// failure is kept; what is read afterwards is 0.
class TraceReader {
 public:
  explicit TraceReader(TraceColumns& columns) : columns_(columns) {}
  ~TraceReader() { sqlite3_blob_close(blob_); }
  TraceReader(const TraceReader&) = delete;
  TraceReader& operator=(const TraceReader&) = delete;

  // A column; one without values where the index has none of this name. Valid as long as the TraceColumns.
  TraceColumn& column(const char* relation, const char* name);

  // The value of a row.
  int64_t at(TraceColumn& column, size_t row) {
    if (row >> kRunBits != column.current_number_ && !turn_to(column, row)) return 0;
    const size_t in_run = row & (kRun - 1);
    return in_run < column.current_->values.count ? column.current_->values.at(in_run) : missing();
  }

  // Loads what is missing of rows [from, to), which lie in one piece: cheaper than run after run of several columns in turn, since SQLite
  // has to follow the pages of a piece from its beginning each time it turns to it.
  void prefetch(TraceColumn& column, size_t from, size_t to);

  // Writes the values of rows [from, from + count) to out.
  void decode(TraceColumn& column, size_t from, size_t count, int64_t* out);

  // The first row of [from, to), whose values never fall, with a value of at least `value`; `to` without one.
  size_t lower_bound(TraceColumn& column, size_t from, size_t to, int64_t value);

  // Reads a whole piece past the cache, for passes over everything.
  bool read_piece(TraceColumn& column, size_t piece, PieceBytes& bytes, PackedPiece& values);

  const Failure& failure() const { return failure_; }
  bool failed() const { return failure_.failed(); }

 private:
  bool turn_to(TraceColumn& column, size_t row);
  bool open(TraceColumn& column, size_t piece);
  bool header(TraceColumn& column, size_t piece);
  bool read(void* out, size_t bytes, size_t offset);
  bool load(TraceColumn& column, size_t number);
  int64_t first_of(TraceColumn& column, size_t number);
  int64_t missing();
  void refuse(int result);

  TraceColumns& columns_;
  sqlite3_blob* blob_ = nullptr;
  int64_t open_row_ = -1;
  Failure failure_;
};

}  // namespace tidemark
