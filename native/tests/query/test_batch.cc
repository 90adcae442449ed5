// The bytes of a batch, read back by the layout of native/README.md.
#include <cstdlib>
#include <cstring>
#include <string>

#include "check.h"
#include "query/batch.h"
#include "tests.h"

namespace tidemark_test {
namespace {

using tidemark::BatchWriter;

uint32_t word(const uint8_t* data, size_t at) {
  uint32_t value;
  std::memcpy(&value, data + at, 4);
  return value;
}

void check_layout(size_t expected_payload) {
  BatchWriter batch(3, expected_payload);
  uint8_t* cells = batch.add_u8("cells", 5);
  CHECK(cells != nullptr);
  std::memset(cells, 9, 5);
  batch.add_f64("label_y0", {1.5, -2.5});
  batch.add_json("meta", "{\"shown\":1}");
  size_t size = 0;
  uint8_t* data = batch.release(size);
  CHECK(data != nullptr);
  CHECK_EQUAL(std::string(reinterpret_cast<char*>(data), 4), "TMB1");
  CHECK_EQUAL(word(data, 4), 3u);
  const struct { const char* name; uint32_t type, count; } expected[] = {{"cells", 1, 5}, {"label_y0", 3, 2}, {"meta", 4, 11}};
  size_t end = 8 + 3 * 40;
  for (size_t i = 0; i < 3; ++i) {
    const size_t entry = 8 + i * 40;
    CHECK_EQUAL(std::string(reinterpret_cast<char*>(data + entry)), expected[i].name);
    CHECK_EQUAL(word(data, entry + 24), expected[i].type);
    CHECK_EQUAL(word(data, entry + 28), 0u);
    CHECK_EQUAL(word(data, entry + 32), expected[i].count);
    CHECK_EQUAL(word(data, entry + 36) % 8, 0u);
    CHECK(word(data, entry + 36) >= end);
    end = word(data, entry + 36) + expected[i].count * (i == 1 ? 8 : 1);
  }
  CHECK_EQUAL(size, end);
  CHECK_EQUAL(int{data[word(data, 8 + 36) + 4]}, 9);
  double value;
  std::memcpy(&value, data + word(data, 8 + 40 + 36) + 8, 8);
  CHECK_EQUAL(value, -2.5);
  CHECK_EQUAL(std::string(reinterpret_cast<char*>(data) + word(data, 8 + 80 + 36), 11), "{\"shown\":1}");
  std::free(data);
}

}  // namespace

void test_batch() {
  check_layout(0);     // grows
  check_layout(4096);  // fits
  BatchWriter unfinished(2, 0);
  unfinished.add_f64("y0", {});
  size_t size = 0;
  CHECK(unfinished.release(size) == nullptr);
}

}  // namespace tidemark_test
