// A data-only machine for Python pickles, protocols 0 to 5 (opcodes: Python's pickletools module; the C++ writer:
// torch/csrc/jit/serialization/pickler.cpp). It streams, builds no objects and refuses every opcode that could run
// code.
#pragma once

#include <cstdint>
#include <string>

#include "readers/assembler.h"
#include "readers/byte_source.h"

namespace tidemark::readers {

class PickleReader {
 public:
  PickleReader(ByteSource& source, Assembler& assembler) : source_(source), assembler_(assembler) {}

  // Reads one pickle up to STOP or to the end of the bytes (then truncated() is true and the assembler was salvaged).
  Failure read();
  bool truncated() const { return truncated_; }
  // The highest protocol that the file names; 0 when it names none.
  int protocol() const { return protocol_; }

 private:
  enum class Step { more, stop, failed, cut };

  bool run_scalars();
  Step run_structure();
  Step step();
  Step container_op(uint8_t op);
  Step scalar_op(uint8_t op);
  Step memo_op(uint8_t op);
  Step text_op(uint8_t op);
  Step refuse(uint8_t op);
  Step number_line(uint8_t op);
  Step memo_line(uint8_t op);
  Step unicode_line();
  Step quoted_line();
  Step sized_text(uint64_t length, bool is_bytes);
  Step long_integer(uint64_t length);
  Step push_long(const uint8_t* digits, size_t length);
  Step fail(const char* code, std::string message);
  Step check(bool done) { return done ? Step::more : Step::failed; }
  Failure finish(Step last);

  ByteSource& source_;
  Assembler& assembler_;
  uint64_t op_offset_ = 0;
  int protocol_ = 0;
  bool truncated_ = false;
  std::string line_;
  std::string long_text_;
  Failure error_;
};

}  // namespace tidemark::readers
