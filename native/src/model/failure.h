// An expected failure as a value: nothing is thrown across a stage or into C.
#pragma once

#include <cstdint>
#include <string>

namespace tidemark {

struct Failure {
  std::string code;      // one of the closed list in native/README.md; "" = success
  std::string message;   // what, where in the file, in one English sentence
  int64_t offset = -1;   // byte offset in the inflated file; −1 = no place
  bool failed() const { return !code.empty(); }
};

}  // namespace tidemark
