// The rows of a column by value: 8 bytes a row, made when a column is searched again and again (a join does that).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace tidemark {

class ValueIndex {
 public:
  // nullptr when values and row numbers together need more than 64 bits, which no address of a real device does.
  static std::unique_ptr<ValueIndex> make(const std::vector<int64_t>& values);

  // The first row in [from, to) that holds `value`; `to` when there is none.
  size_t next(int64_t value, size_t from, size_t to) const;

 private:
  ValueIndex() = default;
  void sort_by_key();

  int64_t base_ = 0;         // smallest value
  unsigned shift_ = 0;       // low bits that all distances to base_ lack
  unsigned key_bits_ = 0;
  unsigned row_bits_ = 0;
  std::vector<uint64_t> entries_;  // (value − base) >> shift, then the row in the low row_bits_, ascending
};

}  // namespace tidemark
