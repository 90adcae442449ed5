#include "store/packed_column.h"

#include <algorithm>

#include "model/bits.h"

namespace tidemark {
namespace {

template <typename T>
void write_raw(const int64_t* values, size_t count, int64_t base, unsigned shift, uint8_t* out) {
  for (size_t i = 0; i < count; ++i) {
    const auto raw = static_cast<T>((static_cast<uint64_t>(values[i]) - static_cast<uint64_t>(base)) >> shift);
    std::memcpy(out + i * sizeof(T), &raw, sizeof(T));
  }
}

void write_halves(const int64_t* values, size_t count, int64_t base, unsigned shift, uint8_t* out) {
  for (size_t i = 0; i < count; ++i) {
    const uint64_t raw = (static_cast<uint64_t>(values[i]) - static_cast<uint64_t>(base)) >> shift;
    const auto low = static_cast<uint16_t>(raw);
    std::memcpy(out + i * 2, &low, 2);
    out[count * 2 + i] = static_cast<uint8_t>(raw >> 16);
  }
}

void read_halves(const PackedPiece& piece, size_t from, size_t count, int64_t* out) {
  for (size_t i = 0; i < count; ++i) {
    out[i] = static_cast<int64_t>(static_cast<uint64_t>(piece.base) + (uint64_t{piece.halves_at(from + i)} << piece.shift));
  }
}

template <typename Raw>
void read_raw(const PackedPiece& piece, size_t from, size_t count, int64_t* out) {
  for (size_t i = 0; i < count; ++i) {
    Raw raw;
    std::memcpy(&raw, piece.raw + (from + i) * sizeof(Raw), sizeof(Raw));
    out[i] = static_cast<int64_t>(static_cast<uint64_t>(piece.base) + (static_cast<uint64_t>(raw) << piece.shift));
  }
}

uint8_t width_of(uint64_t largest) {
  if (largest == 0) return 0;
  if (largest <= 0xFF) return 1;
  if (largest <= 0xFFFF) return 2;
  if (largest <= 0xFFFFFF) return 3;
  return largest <= 0xFFFFFFFFu ? 4 : 8;
}

}  // namespace

PieceBytes pack_piece(const int64_t* values, size_t count) {
  const int64_t first = count ? values[0] : 0;
  int64_t base = first;
  int64_t top = first;
  uint64_t bits = 0;  // those below its lowest are alike in all values, hence 0 in every difference
  for (size_t i = 1; i < count; ++i) {
    base = std::min(base, values[i]);
    top = std::max(top, values[i]);
    bits |= static_cast<uint64_t>(values[i]) ^ static_cast<uint64_t>(first);
  }
  const unsigned shift = bits ? static_cast<unsigned>(lowest_bit(bits)) : 0;
  const uint8_t width = width_of((static_cast<uint64_t>(top) - static_cast<uint64_t>(base)) >> shift);

  PieceBytes out(kPackedHeader + count * width);
  uint8_t* header = out.data.get();
  const auto stored_count = static_cast<uint32_t>(count);
  std::memcpy(header, &base, 8);
  std::memcpy(header + 8, &stored_count, 4);
  header[12] = static_cast<uint8_t>(shift);
  header[13] = width;
  header[14] = header[15] = 0;
  uint8_t* raw = header + kPackedHeader;
  switch (width) {
    case 0: break;
    case 1: write_raw<uint8_t>(values, count, base, shift, raw); break;
    case 2: write_raw<uint16_t>(values, count, base, shift, raw); break;
    case 3: write_halves(values, count, base, shift, raw); break;
    case 4: write_raw<uint32_t>(values, count, base, shift, raw); break;
    default: write_raw<uint64_t>(values, count, base, shift, raw);
  }
  return out;
}

bool parse_piece(const void* data, size_t length, PackedPiece& piece) {
  if (length < kPackedHeader) return false;
  const auto* bytes = static_cast<const uint8_t*>(data);
  std::memcpy(&piece.base, bytes, 8);
  std::memcpy(&piece.count, bytes + 8, 4);
  piece.shift = bytes[12];
  piece.width = bytes[13];
  piece.raw = bytes + kPackedHeader;
  const bool known_width = piece.width <= 4 || piece.width == 8;
  return known_width && piece.shift < 64 && piece.count <= kPackedPiece &&
         length == kPackedHeader + size_t{piece.count} * piece.width;
}

void decode_piece(const PackedPiece& piece, size_t from, size_t count, int64_t* out) {
  switch (piece.width) {
    case 0: std::fill(out, out + count, piece.base); break;
    case 1: read_raw<uint8_t>(piece, from, count, out); break;
    case 2: read_raw<uint16_t>(piece, from, count, out); break;
    case 3: read_halves(piece, from, count, out); break;
    case 4: read_raw<uint32_t>(piece, from, count, out); break;
    default: read_raw<uint64_t>(piece, from, count, out);
  }
}

bool PackedColumn::append(PieceBytes bytes) {
  if (!pieces_.empty() && pieces_.back().count != kPackedPiece) return false;
  PackedPiece piece;
  if (!parse_piece(bytes.data.get(), bytes.size, piece)) return false;
  size_ += piece.count;
  pieces_.push_back(piece);
  bytes_.push_back(std::move(bytes));
  return true;
}

void PackedColumn::decode(size_t from, size_t count, int64_t* out) const {
  while (count > 0) {
    const size_t in_piece = from & (kPackedPiece - 1);
    const size_t run = std::min(count, kPackedPiece - in_piece);
    decode_piece(pieces_[from >> kPackedPieceBits], in_piece, run, out);
    from += run;
    out += run;
    count -= run;
  }
}

}  // namespace tidemark
