// How far a load has come, and whether it is to stop: shared by the threads that work on it and the one that watches.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace tidemark {

struct Progress {
  std::atomic<uint32_t> stage{0};  // 0 read, 1 replay, 2 index, 3 summarise
  std::atomic<uint64_t> done{0};   // while reading: bytes of the file on disk (compressed ones of .gz); else values
  std::atomic<uint64_t> total{0};
  std::atomic<bool> cancel{false};
};

// Whether a loop has to end at its item `i`: the cancel is looked for once every few thousand items.
inline bool is_cancelled_at(size_t i, const Progress& progress) { return i % (size_t{1} << 14) == 0 && progress.cancel; }

}  // namespace tidemark
