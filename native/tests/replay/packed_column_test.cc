// Packing and reading back, at the limits of what the stored form can hold.
#include <limits>
#include <random>

#include "check.h"
#include "store/packed_column.h"

using namespace tidemark;

namespace {

PieceBytes bytes_of(const std::string& piece) {
  PieceBytes bytes(piece.size());
  std::memcpy(bytes.data.get(), piece.data(), piece.size());
  return bytes;
}

void check_round_trip(const std::vector<int64_t>& values, size_t width) {
  PackedColumn column;
  for (size_t first = 0; first < values.size(); first += kPackedPiece) {
    const size_t count = std::min(kPackedPiece, values.size() - first);
    PieceBytes piece = pack_piece(values.data() + first, count);
    CHECK_EQ(piece.size, kPackedHeader + count * width);
    CHECK(column.append(std::move(piece)));
  }
  CHECK_EQ(column.size(), values.size());
  std::vector<int64_t> decoded(values.size());
  column.decode(0, values.size(), decoded.data());
  CHECK(decoded == values);
  for (size_t i = 0; i < values.size(); i += 997) CHECK_EQ(column.at(i), values[i]);
}

}  // namespace

TEST(widths_follow_the_values) {
  check_round_trip(std::vector<int64_t>(70000, -5), 0);
  std::vector<int64_t> small, sizes, curve, addresses, wide;
  for (int64_t i = 0; i < 70000; ++i) {
    small.push_back(i % 200 - 100);
    sizes.push_back(0x7f0000000000 + (i % 65000) * 512);
    curve.push_back(i * 7919 % 0xFFFFFF * 512 + (i % 1000 == 0 ? 0 : 512));
    addresses.push_back(0x7f0000000000 + (i % 2 ? int64_t{0x1000000} * 512 : 0) + i * 512);
    wide.push_back(i % 2 ? std::numeric_limits<int64_t>::max() : std::numeric_limits<int64_t>::min());
  }
  check_round_trip(small, 1);
  check_round_trip(sizes, 2);
  check_round_trip(curve, 3);
  check_round_trip(addresses, 4);
  check_round_trip(wide, 8);
}

TEST(random_values_survive) {
  std::mt19937_64 random(7);
  std::vector<int64_t> values(1000);
  for (auto& value : values) value = static_cast<int64_t>(random());
  check_round_trip(values, 8);
}

TEST(damaged_pieces_are_refused) {
  const int64_t values[] = {1, 2, 300};
  const std::string piece(pack_piece(values, 3).view());
  for (size_t length = 0; length < piece.size(); ++length) CHECK(!PackedColumn().append(bytes_of(piece.substr(0, length))));
  std::string wrong_width = piece;
  wrong_width[13] = 5;
  CHECK(!PackedColumn().append(bytes_of(wrong_width)));
  std::string wrong_count = piece;
  wrong_count[8] = 4;
  CHECK(!PackedColumn().append(bytes_of(wrong_count)));
  PackedColumn column;
  CHECK(column.append(bytes_of(piece)));
  CHECK(!column.append(bytes_of(piece)));  // only the last piece may be short
}
