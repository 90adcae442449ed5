// One packed column read from the index piece by piece, as rows are asked for.
#pragma once

#include "store/piece_cache.h"

namespace tidemark {

class StoredColumn {
 public:
  StoredColumn(PieceCache& cache, const char* relation, int32_t device, const char* name)
      : cache_(cache), column_(cache.column(relation, device, name, result_)) {}

  // The value of `row`, or `missing` where the index has none.
  int64_t at(size_t row, int64_t missing) {
    turn_to(row >> kPackedPieceBits);
    const size_t in_piece = row & (kPackedPiece - 1);
    return in_piece < values_.count ? values_.at(in_piece) : missing;
  }

  // Says that next_equal() is about to be called for a new value.
  void begin_search();

  // The first row in [from, to) whose value is equal to (above) `value`; `to` when there is none.
  size_t next_equal(int64_t value, size_t from, size_t to);
  size_t next_above(int64_t value, size_t from, size_t to);

  // SQLITE_OK, or the first failure: SQLITE_INTERRUPT, SQLITE_NOMEM, or that the index is damaged.
  int result() const { return result_; }

 private:
  void turn_to(size_t piece) {
    if (piece != number_) load(piece);
  }
  void load(size_t piece);
  template <typename Find>
  size_t next(Find find, size_t from, size_t to);

  PieceCache& cache_;
  int result_ = SQLITE_OK;
  std::shared_ptr<PieceCache::Column> column_;
  std::shared_ptr<const LoadedPiece> loaded_;  // what values_ points into
  PackedPiece values_;
  size_t number_ = SIZE_MAX;
};

}  // namespace tidemark
