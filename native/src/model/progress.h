// How far a load has come, and whether it is to stop: shared by the threads that work on it and the one that watches.
#pragma once

#include <atomic>
#include <cstdint>

namespace tidemark {

struct Progress {
  std::atomic<uint32_t> stage{0};  // 0 read, 1 replay, 2 index, 3 summarise
  std::atomic<uint64_t> done{0};   // while reading: bytes of the file on disk (compressed ones of .gz); else values
  std::atomic<uint64_t> total{0};
  std::atomic<bool> cancel{false};
};

}  // namespace tidemark
