// Reads a batch that comes back as an argument (native/README.md, Batches). It may be anything: every length and place is checked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace tidemark {

// A column of numbers, read where it lies; the batch must outlive it.
class NumberColumn {
 public:
  NumberColumn() = default;
  NumberColumn(const uint8_t* values, size_t count) : values_(values), count_(count) {}

  size_t size() const { return count_; }
  double operator[](size_t item) const {
    double value;
    std::memcpy(&value, values_ + item * sizeof value, sizeof value);
    return value;
  }

 private:
  const uint8_t* values_ = nullptr;
  size_t count_ = 0;
};

// The f64 column of that name; false where the bytes are no batch or have no such column.
bool read_numbers(const uint8_t* batch, size_t size, const char* name, NumberColumn& out);

}  // namespace tidemark
