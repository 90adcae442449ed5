#include "query/batch_reader.h"

namespace tidemark {
namespace {

constexpr char kMagic[4] = {'T', 'M', 'B', '1'};
constexpr size_t kHeaderBytes = 8;
constexpr size_t kEntryBytes = 40;
constexpr size_t kNameBytes = 24;
constexpr uint32_t kF64 = 3;

uint32_t u32(const uint8_t* at) {
  uint32_t value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

bool has_name(const uint8_t* entry, const char* name) {
  const size_t length = std::strlen(name);
  return length < kNameBytes && std::memcmp(entry, name, length) == 0 && entry[length] == 0;
}

}  // namespace

bool read_numbers(const uint8_t* batch, size_t size, const char* name, NumberColumn& out) {
  if (!batch || size < kHeaderBytes || std::memcmp(batch, kMagic, sizeof kMagic) != 0) return false;
  const size_t columns = u32(batch + sizeof kMagic);
  if (columns > (size - kHeaderBytes) / kEntryBytes) return false;
  for (size_t i = 0; i < columns; ++i) {
    const uint8_t* entry = batch + kHeaderBytes + i * kEntryBytes;
    if (!has_name(entry, name) || u32(entry + kNameBytes) != kF64) continue;
    const size_t count = u32(entry + kNameBytes + 8);
    const size_t offset = u32(entry + kNameBytes + 12);
    if (offset > size || count > (size - offset) / sizeof(double)) return false;
    out = NumberColumn(batch + offset, count);
    return true;
  }
  return false;
}

}  // namespace tidemark
