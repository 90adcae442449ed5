// What the compilers have beyond C++17, under one name each. C++20's <bit> would do for the first two.
#pragma once

#include <cstdint>
#include <limits>

#if defined(_MSC_VER)
#include <intrin.h>
#endif

// For what runs for every value of a file and is called from few places.
#if defined(__GNUC__)
#define TIDEMARK_HOT inline __attribute__((always_inline))
#else
#define TIDEMARK_HOT inline
#endif

namespace tidemark {

// Places of the lowest and the highest set bit; `bits` must not be 0. The highest is ⌊log2 bits⌋.
inline int lowest_bit(uint64_t bits) {
#if defined(_MSC_VER)
  unsigned long at;
  _BitScanForward64(&at, bits);
  return static_cast<int>(at);
#else
  return __builtin_ctzll(bits);
#endif
}

inline int highest_bit(uint64_t bits) {
#if defined(_MSC_VER)
  unsigned long at;
  _BitScanReverse64(&at, bits);
  return static_cast<int>(at);
#else
  return 63 - __builtin_clzll(bits);
#endif
}

// out = a + b or a − b, modulo 2^64; true where the result does not fit.
inline bool add_overflows(int64_t a, int64_t b, int64_t& out) {
#if defined(_MSC_VER)
  out = static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
  return (a < 0) == (b < 0) && (a < 0) != (out < 0);
#else
  return __builtin_add_overflow(a, b, &out);
#endif
}

inline bool subtract_overflows(int64_t a, int64_t b, int64_t& out) {
#if defined(_MSC_VER)
  out = static_cast<int64_t>(static_cast<uint64_t>(a) - static_cast<uint64_t>(b));
  return (a < 0) != (b < 0) && (a < 0) != (out < 0);
#else
  return __builtin_sub_overflow(a, b, &out);
#endif
}

// a + b, or the number nearest to it that there is.
inline int64_t saturating_add(int64_t a, int64_t b) {
  int64_t out;
  if (!add_overflows(a, b, out)) return out;
  return b < 0 ? std::numeric_limits<int64_t>::min() : std::numeric_limits<int64_t>::max();
}

// Says that what `address` points to will be read soon.
inline void prefetch(const void* address) {
#if defined(_MSC_VER)
  _mm_prefetch(static_cast<const char*>(address), _MM_HINT_T0);
#else
  __builtin_prefetch(address);
#endif
}

}  // namespace tidemark
