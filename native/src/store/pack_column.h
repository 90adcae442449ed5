// Packs a column given by a function of the row into pieces and hands them on.
#pragma once

#include <algorithm>
#include <vector>

#include "model/progress.h"
#include "model/snapshot.h"
#include "store/packed_column.h"

namespace tidemark {

// value_at(row) → int64_t for rows [0, count); emit(piece number, bytes) for every piece, until `progress.cancel` is set. Nothing when count is 0.
template <typename ValueAt, typename Emit>
void pack_column(size_t count, const Progress& progress, ValueAt value_at, Emit emit) {
  std::vector<int64_t> values(std::min(count, kPackedPiece));
  for (size_t first = 0; first < count && !progress.cancel; first += kPackedPiece) {
    const size_t n = std::min(kPackedPiece, count - first);
    for (size_t i = 0; i < n; ++i) values[i] = value_at(first + i);
    emit(static_cast<int64_t>(first / kPackedPiece), pack_piece(values.data(), n));
  }
}

// "No such thing" in the model is stored as −1.
static_assert(kNoStream == kNoPool, "stored_index() knows one value");
inline int64_t stored_id(uint32_t id) { return id == kNone ? -1 : static_cast<int64_t>(id); }
inline int64_t stored_index(uint16_t index) { return index == kNoPool ? -1 : static_cast<int64_t>(index); }

}  // namespace tidemark
