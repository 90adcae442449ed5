// The binary answer of the timeline functions (native/README.md, Batches): named columns in one BLOB that the renderer reads
// in place. Built directly in the memory that SQLite takes over, so large columns are never copied.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tidemark {

class BatchWriter {
 public:
  // `columns`: exactly how many will be added, at most 64. `payload`: bytes expected in them; more is possible, less is cheap.
  BatchWriter(uint32_t columns, size_t payload);
  ~BatchWriter();
  BatchWriter(const BatchWriter&) = delete;
  BatchWriter& operator=(const BatchWriter&) = delete;

  // Adds a column and answers its items to fill, valid until the next add; nullptr when out of memory.
  // `name`: at most 23 ASCII characters.
  uint8_t* add_u8(const char* name, size_t count);
  void add_f64(const char* name, const std::vector<double>& values);
  void add_json(const char* name, const std::string& text);

  // The finished BLOB, to be freed with std::free; nullptr when memory ran out. The writer is empty afterwards.
  uint8_t* release(size_t& size);

 private:
  enum Type : uint32_t { kU8 = 1, kF64 = 3, kJson = 4 };
  uint8_t* add(const char* name, Type type, size_t count, size_t item_bytes);

  uint8_t* data_ = nullptr;
  size_t capacity_ = 0;
  size_t size_ = 0;
  uint32_t columns_ = 0;
  uint32_t added_ = 0;
};

}  // namespace tidemark
