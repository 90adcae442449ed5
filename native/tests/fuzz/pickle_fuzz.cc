// Fuzz entry of the pickle reader: whatever the bytes are, it must answer with data or with a code of the closed list.
#include "fuzz/fuzz_read.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz_read(tidemark::readers::Family::pickle, data, size);
  return 0;
}
