// Finding values in packed pieces and by index, against looking at every row.
#include <random>

#include "check.h"
#include "store/piece_search.h"
#include "store/value_index.h"

using namespace tidemark;

namespace {

size_t first_equal(const std::vector<int64_t>& values, size_t from, size_t to, int64_t wanted) {
  while (from < to && values[from] != wanted) ++from;
  return from;
}

size_t first_above(const std::vector<int64_t>& values, size_t from, size_t to, int64_t limit) {
  while (from < to && values[from] <= limit) ++from;
  return from;
}

void check_search(const std::vector<int64_t>& values, const std::vector<int64_t>& wanted) {
  const PieceBytes packed = pack_piece(values.data(), values.size());
  PackedPiece piece;
  CHECK(parse_piece(packed.data.get(), packed.size, piece));
  const auto index = ValueIndex::make(values);
  for (const int64_t value : wanted) {
    for (const size_t from : {size_t{0}, size_t{1}, size_t{63}, size_t{64}, values.size() / 2, values.size()}) {
      for (const size_t to : {values.size(), values.size() / 2 + 3}) {
        if (from > to) continue;
        CHECK_EQ(find_equal(piece, from, to, value), first_equal(values, from, to, value));
        CHECK_EQ(find_above(piece, from, to, value), first_above(values, from, to, value));
        if (index) CHECK_EQ(index->next(value, from, to), first_equal(values, from, to, value));
      }
    }
  }
}

}  // namespace

TEST(search_finds_what_a_scan_finds) {
  std::mt19937_64 random(7);
  for (const int64_t base : {int64_t{0}, int64_t{-1}, int64_t{0x7f0000000000}, INT64_MIN}) {
    for (const int64_t step : {int64_t{0}, int64_t{1}, int64_t{512}, int64_t{1} << 21}) {
      for (const uint64_t kinds : {uint64_t{1}, uint64_t{3}, uint64_t{200}, uint64_t{60000}, uint64_t{16000000}, uint64_t{4000000000}}) {
        std::vector<int64_t> values(1000);
        for (int64_t& value : values) value = base + static_cast<int64_t>(random() % kinds) * step;
        std::vector<int64_t> wanted = {INT64_MIN, -2, -1, 0, 1, INT64_MAX, base, base + 1, base + step * 200, base + step};
        for (int i = 0; i < 10; ++i) wanted.push_back(values[random() % values.size()]);
        check_search(values, wanted);
      }
    }
  }
}

TEST(search_takes_any_value) {
  std::mt19937_64 random(8);
  std::vector<int64_t> values(500);
  for (int64_t& value : values) value = static_cast<int64_t>(random());
  check_search(values, {values[0], values[499], INT64_MIN, INT64_MAX, 0});
  CHECK(!ValueIndex::make({INT64_MIN, INT64_MAX, 0, 1}));  // values and rows do not fit into one word
  CHECK_EQ(ValueIndex::make({})->next(0, 0, 0), size_t{0});
}
