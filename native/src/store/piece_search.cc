#include "store/piece_search.h"

namespace tidemark {
namespace {

// Blocks of a fixed length without an early way out: the compiler turns them into vector instructions.
constexpr size_t kBlock = 64;

// The first row of [from, to) whose raw value at(row) is wanted, or `to`.
template <typename Raw, typename At, typename Wanted>
size_t find_raw(size_t from, size_t to, At at, Wanted wanted) {
  while (from + kBlock <= to) {
    Raw any = 0;
    for (size_t i = 0; i < kBlock; ++i) any = static_cast<Raw>(any | static_cast<Raw>(wanted(at(from + i))));
    if (any) break;
    from += kBlock;
  }
  while (from < to && !wanted(at(from))) ++from;
  return from;
}

template <typename Raw, typename Wanted>
size_t find_in(const PackedPiece& piece, size_t from, size_t to, Wanted wanted) {
  const uint8_t* raw = piece.raw;
  return find_raw<Raw>(from, to, [raw](size_t i) {
    Raw value;
    std::memcpy(&value, raw + i * sizeof(Raw), sizeof(Raw));
    return value;
  }, wanted);
}

// Of width 3.
template <typename Wanted>
size_t find_in_halves(const PackedPiece& piece, size_t from, size_t to, Wanted wanted) {
  return find_raw<uint32_t>(from, to, [piece](size_t i) { return piece.halves_at(i); }, wanted);
}

constexpr uint64_t kMostHalves = 0xFFFFFF;

template <typename Raw>
size_t find_equal_raw(const PackedPiece& piece, size_t from, size_t to, uint64_t wanted) {
  if (wanted > static_cast<Raw>(~Raw{0})) return to;
  const Raw raw = static_cast<Raw>(wanted);
  return find_in<Raw>(piece, from, to, [raw](Raw value) { return value == raw; });
}

template <typename Raw>
size_t find_above_raw(const PackedPiece& piece, size_t from, size_t to, uint64_t limit) {
  if (limit >= static_cast<Raw>(~Raw{0})) return to;
  const Raw raw = static_cast<Raw>(limit);
  return find_in<Raw>(piece, from, to, [raw](Raw value) { return value > raw; });
}

}  // namespace

size_t find_equal(const PackedPiece& piece, size_t from, size_t to, int64_t value) {
  const uint64_t above_base = static_cast<uint64_t>(value) - static_cast<uint64_t>(piece.base);
  const uint64_t wanted = above_base >> piece.shift;
  if (piece.width < 8 && (value < piece.base || wanted << piece.shift != above_base)) return to;
  switch (piece.width) {
    case 0: return value == piece.base ? from : to;
    case 1: return find_equal_raw<uint8_t>(piece, from, to, wanted);
    case 2: return find_equal_raw<uint16_t>(piece, from, to, wanted);
    case 3:
      if (wanted > kMostHalves) return to;
      return find_in_halves(piece, from, to, [raw = static_cast<uint32_t>(wanted)](uint32_t value) { return value == raw; });
    case 4: return find_equal_raw<uint32_t>(piece, from, to, wanted);
    default:
      while (from < to && piece.at(from) != value) ++from;
      return from;
  }
}

size_t find_above(const PackedPiece& piece, size_t from, size_t to, int64_t value) {
  if (piece.width < 8 && value < piece.base) return from;
  const uint64_t limit = (static_cast<uint64_t>(value) - static_cast<uint64_t>(piece.base)) >> piece.shift;
  switch (piece.width) {
    case 0: return to;
    case 1: return find_above_raw<uint8_t>(piece, from, to, limit);
    case 2: return find_above_raw<uint16_t>(piece, from, to, limit);
    case 3:
      if (limit >= kMostHalves) return to;
      return find_in_halves(piece, from, to, [raw = static_cast<uint32_t>(limit)](uint32_t value) { return value > raw; });
    case 4: return find_above_raw<uint32_t>(piece, from, to, limit);
    default:
      while (from < to && piece.at(from) <= value) ++from;
      return from;
  }
}

}  // namespace tidemark
