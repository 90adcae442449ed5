// The stored form of an integer column: pieces of 65,536 values as base + (raw << shift), raw in 0, 1, 2, 3, 4 or 8 bytes, so a
// value can be read where it lies. Sizes and curves (multiples of 512) take 3 bytes, addresses 4, small codes 1.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

namespace tidemark {

inline constexpr size_t kPackedPieceBits = 16;
inline constexpr size_t kPackedPiece = size_t{1} << kPackedPieceBits;

// Layout of one stored piece (little endian): i64 base, u32 count, u8 shift, u8 width, u16 zero, then count × width bytes.
// Of width 3 all low halves (u16) come first, then all high bytes, so that vector instructions can read them.
inline constexpr size_t kPackedHeader = 16;

// The bytes of one stored piece. Not set to zero before they are filled: that would cost as much as the filling.
struct PieceBytes {
  std::unique_ptr<uint8_t[]> data;
  size_t size = 0;

  PieceBytes() = default;
  explicit PieceBytes(size_t bytes) : data(new uint8_t[bytes]), size(bytes) {}
  std::string_view view() const { return {reinterpret_cast<const char*>(data.get()), size}; }
};

// Packs `count` ≤ kPackedPiece values. Any int64 values are representable (width 8, wrapping arithmetic).
PieceBytes pack_piece(const int64_t* values, size_t count);

struct PackedPiece {
  int64_t base = 0;
  uint32_t count = 0;
  uint8_t shift = 0;
  uint8_t width = 0;
  const uint8_t* raw = nullptr;

  // The raw value i of a piece of width 3.
  uint32_t halves_at(size_t i) const {
    uint16_t low;
    std::memcpy(&low, raw + i * 2, 2);
    return low | static_cast<uint32_t>(raw[size_t{count} * 2 + i]) << 16;
  }

  int64_t at(size_t i) const {
    uint64_t v = 0;
    switch (width) {
      case 0: break;
      case 1: v = raw[i]; break;
      case 2: { uint16_t t; std::memcpy(&t, raw + i * 2, 2); v = t; break; }
      case 3: v = halves_at(i); break;
      case 4: { uint32_t t; std::memcpy(&t, raw + i * 4, 4); v = t; break; }
      default: std::memcpy(&v, raw + i * 8, 8);
    }
    return static_cast<int64_t>(static_cast<uint64_t>(base) + (v << shift));
  }
};

// Reads the header of one stored piece; `piece.raw` points into `data`. False when header, count or length are damaged.
bool parse_piece(const void* data, size_t length, PackedPiece& piece);

// Writes values [from, from + count) of a piece that has them to out.
void decode_piece(const PackedPiece& piece, size_t from, size_t count, int64_t* out);

// A whole column held in memory in its packed form. Owns the bytes.
class PackedColumn {
 public:
  // Checks header, count and length; false when the bytes are damaged. All pieces but the last must be full.
  bool append(PieceBytes bytes);
  size_t size() const { return size_; }
  int64_t at(size_t i) const { return pieces_[i >> kPackedPieceBits].at(i & (kPackedPiece - 1)); }
  size_t pieces() const { return pieces_.size(); }
  const PackedPiece& piece(size_t p) const { return pieces_[p]; }
  // Writes values [from, from + count) to out; faster than at() for runs.
  void decode(size_t from, size_t count, int64_t* out) const;

 private:
  std::vector<PackedPiece> pieces_;
  std::vector<PieceBytes> bytes_;
  size_t size_ = 0;
};

}  // namespace tidemark
