// One packed column read from the index piece by piece, as rows are asked for.
#pragma once

#include <array>
#include <memory>
#include <string>

#include "store/packed_column.h"
#include "store/sql.h"

namespace tidemark {

class StoredColumn {
 public:
  StoredColumn(sqlite3* db, const char* relation, int32_t device, const char* name)
      : db_(db), relation_(relation), device_(device), name_(name) {}

  // The value of `row`, or `missing` where the index has none.
  int64_t at(size_t row, int64_t missing) {
    const size_t piece = row >> kPackedPieceBits;
    if (!current_ || current_->number != piece) current_ = &load(piece);
    const size_t in_piece = row & (kPackedPiece - 1);
    return in_piece < current_->values.count ? current_->values.at(in_piece) : missing;
  }

  // A piece was there but could not be read.
  bool damaged() const { return damaged_; }

 private:
  struct Loaded {
    size_t number = SIZE_MAX;
    std::string bytes;
    PackedPiece values;
  };
  Loaded& load(size_t piece);

  sqlite3* db_;
  const char* relation_;
  int32_t device_;
  const char* name_;
  std::array<Loaded, 4> kept_;  // enough for a scan that looks back and forth
  size_t next_slot_ = 0;
  Loaded* current_ = nullptr;
  bool damaged_ = false;
};

}  // namespace tidemark
