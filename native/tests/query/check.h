// Checks of the C++ tests: a failed one prints where and what, the run goes on, the last line counts.
#pragma once

#include <cstdio>
#include <iostream>

namespace tidemark_test {

inline int passed = 0;
inline int failed = 0;

template <class A, class B>
void check_equal(const A& actual, const B& expected, const char* what, const char* file, int line) {
  if (actual == expected) {
    ++passed;
    return;
  }
  ++failed;
  constexpr int kMostPrinted = 40;
  if (failed > kMostPrinted) return;
  std::cout << file << ":" << line << ": " << what << " is " << actual << ", not " << expected << "\n";
}

inline int finish() {
  std::cout << passed << " passed, " << failed << " failed" << std::endl;
  return failed == 0 ? 0 : 1;
}

}  // namespace tidemark_test

#define CHECK_EQUAL(actual, expected) tidemark_test::check_equal((actual), (expected), #actual, __FILE__, __LINE__)
#define CHECK(condition) tidemark_test::check_equal(bool(condition), true, #condition, __FILE__, __LINE__)
