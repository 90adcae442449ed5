// Numbers that differ from run to run, so that a file cannot choose its values to collide in our tables.
#pragma once

#include <chrono>
#include <cstdint>
#include <exception>
#include <random>

namespace tidemark {

// A random number of this process; from the clock and the address space's layout where the system has no other source.
inline uint64_t hash_seed() {
  static const uint64_t seed = [] {
    static const char place = 0;
    const auto now = static_cast<uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
    uint64_t out = now ^ reinterpret_cast<uintptr_t>(&place);
    try {
      std::random_device source;
      out ^= static_cast<uint64_t>(source()) << 32 | source();
    } catch (const std::exception&) {
      return out;
    }
    return out;
  }();
  return seed;
}

}  // namespace tidemark
