// A test is a function that registers itself; a failed check is printed and counted, and the test goes on.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

namespace check {

struct Test {
  const char* name;
  void (*run)();
};

inline std::vector<Test>& tests() {
  static std::vector<Test> all;
  return all;
}
inline int& failures() {
  static int count = 0;
  return count;
}
struct Registrar {
  Registrar(const char* name, void (*run)()) { tests().push_back({name, run}); }
};

inline std::string shown(const std::string& text) { return "\"" + text + "\""; }
inline std::string shown(const char* text) { return shown(std::string(text)); }
template <typename T>
std::string shown(const T& number) {
  return std::to_string(number);
}

template <typename A, typename B>
void equal(const A& got, const B& wanted, const char* text, const char* file, int line) {
  if (got == wanted) return;
  ++failures();
  std::printf("%s:%d: %s is %s, not %s\n", file, line, text, shown(got).c_str(), shown(wanted).c_str());
}

// Runs every registered test and prints "N passed, N failed" as the last line.
inline int run_all() {
  int failed = 0;
  for (const Test& test : tests()) {
    failures() = 0;
    test.run();
    if (failures() > 0) {
      std::printf("FAILED %s\n", test.name);
      ++failed;
    }
  }
  std::printf("%d passed, %d failed\n", static_cast<int>(tests().size()) - failed, failed);
  return failed > 0 ? 1 : 0;
}

}  // namespace check

#define TEST(name)                                             \
  static void name();                                          \
  static const check::Registrar name##_registrar(#name, name); \
  static void name()
#define CHECK_EQ(got, wanted) check::equal((got), (wanted), #got, __FILE__, __LINE__)
#define CHECK(condition) check::equal(static_cast<bool>(condition), true, #condition, __FILE__, __LINE__)
