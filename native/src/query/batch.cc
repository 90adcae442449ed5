#include "query/batch.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace tidemark {
namespace {

constexpr char kMagic[4] = {'T', 'M', 'B', '1'};
constexpr size_t kHeaderBytes = 8;
constexpr size_t kEntryBytes = 40;
constexpr size_t kNameBytes = 24;

constexpr size_t aligned(size_t size) { return (size + 7) & ~size_t{7}; }

void put_u32(uint8_t* at, size_t value) {
  const uint32_t word = static_cast<uint32_t>(value);
  std::memcpy(at, &word, sizeof word);
}

}  // namespace

BatchWriter::BatchWriter(uint32_t columns, size_t payload) : columns_(columns) {
  size_ = kHeaderBytes + columns * kEntryBytes;
  // Each column may need up to 7 bytes to the next aligned offset.
  capacity_ = aligned(size_ + payload + columns * 7);
  data_ = static_cast<uint8_t*>(std::malloc(capacity_));
  if (!data_) return;
  std::memset(data_, 0, size_);
  std::memcpy(data_, kMagic, sizeof kMagic);
  put_u32(data_ + 4, columns);
}

BatchWriter::~BatchWriter() { std::free(data_); }

uint8_t* BatchWriter::add(const char* name, Type type, size_t count, size_t item_bytes) {
  const size_t offset = aligned(size_);
  const size_t end = offset + count * item_bytes;
  if (!data_ || added_ == columns_) return nullptr;
  if (end > capacity_) {
    uint8_t* grown = static_cast<uint8_t*>(std::realloc(data_, std::max(end, capacity_ * 2)));
    if (!grown) {
      std::free(data_);
      data_ = nullptr;
      return nullptr;
    }
    data_ = grown;
    capacity_ = std::max(end, capacity_ * 2);
  }
  std::memset(data_ + size_, 0, offset - size_);
  uint8_t* entry = data_ + kHeaderBytes + added_ * kEntryBytes;
  std::memcpy(entry, name, std::min(std::strlen(name), kNameBytes - 1));
  put_u32(entry + kNameBytes, type);
  put_u32(entry + kNameBytes + 8, count);
  put_u32(entry + kNameBytes + 12, offset);
  size_ = end;
  ++added_;
  return data_ + offset;
}

uint8_t* BatchWriter::add_u8(const char* name, size_t count) { return add(name, kU8, count, 1); }

void BatchWriter::add_f64(const char* name, const std::vector<double>& values) {
  uint8_t* at = add(name, kF64, values.size(), sizeof(double));
  if (at && !values.empty()) std::memcpy(at, values.data(), values.size() * sizeof(double));
}

void BatchWriter::add_json(const char* name, const std::string& text) {
  uint8_t* at = add(name, kJson, text.size(), 1);
  if (at) std::memcpy(at, text.data(), text.size());
}

uint8_t* BatchWriter::release(size_t& size) {
  uint8_t* data = added_ == columns_ ? data_ : nullptr;
  if (data) data_ = nullptr;
  size = size_;
  return data;
}

}  // namespace tidemark
