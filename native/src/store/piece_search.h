// Finds values in a stored piece where they lie, many at a time: passing over a row takes well under a nanosecond.
#pragma once

#include "store/packed_column.h"

namespace tidemark {

// The first place in [from, to) of the piece with a value equal to (above) `value`; `to` when there is none. to ≤ piece.count.
size_t find_equal(const PackedPiece& piece, size_t from, size_t to, int64_t value);
size_t find_above(const PackedPiece& piece, size_t from, size_t to, int64_t value);

}  // namespace tidemark
