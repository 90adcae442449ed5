#include "store/stored_column.h"

#include <algorithm>

#include "store/piece_search.h"

namespace tidemark {

void StoredColumn::load(size_t piece) {
  number_ = piece;
  values_ = PackedPiece{};
  loaded_ = nullptr;
  if (!column_) return;
  int result;
  loaded_ = cache_.piece(*column_, piece, result);
  if (loaded_) values_ = loaded_->values;
  if (result_ == SQLITE_OK) result_ = result;
}

void StoredColumn::begin_search() {
  if (!column_) return;
  const int result = cache_.note_search(*column_);
  if (result_ == SQLITE_OK) result_ = result;
}

template <typename Find>
size_t StoredColumn::next(Find find, size_t from, size_t to) {
  while (from < to) {
    turn_to(from >> kPackedPieceBits);
    const size_t first = from & ~(kPackedPiece - 1);
    const size_t end = std::min(to - first, size_t{values_.count});
    const size_t in_piece = from - first < end ? find(values_, from - first, end) : end;
    if (in_piece < end) return first + in_piece;
    from = first + kPackedPiece;
  }
  return to;
}

size_t StoredColumn::next_equal(int64_t value, size_t from, size_t to) {
  if (column_ && column_->index) return column_->index->next(value, from, to);
  return next([value](const PackedPiece& piece, size_t a, size_t b) { return find_equal(piece, a, b, value); }, from, to);
}

size_t StoredColumn::next_above(int64_t value, size_t from, size_t to) {
  return next([value](const PackedPiece& piece, size_t a, size_t b) { return find_above(piece, a, b, value); }, from, to);
}

}  // namespace tidemark
