// A streaming JSON reader (RFC 8259, and NaN/Infinity as Python writes them) that drives the same Assembler as the
// pickle reader.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "readers/assembler.h"
#include "readers/byte_source.h"

namespace tidemark::readers {

class JsonReader {
 public:
  JsonReader(ByteSource& source, Assembler& assembler) : source_(source), assembler_(assembler) {}

  // Reads one document. A Chrome trace is refused as soon as it shows (snapshot/not_a_snapshot).
  Failure read();
  bool truncated() const { return truncated_; }

 private:
  // What may come next.
  enum class Expect { value, value_or_end, key, key_or_end, colon, comma_or_end };
  enum class Step { more, end, failed, cut };

  Step step();
  Step value(uint8_t c);
  Step open(bool object);
  Step close(uint8_t c);
  Step key();
  Step separator(uint8_t c);
  Step number();
  Step integer(std::string_view digits);
  Step literal(uint8_t c);
  Step string(Value& result);
  Step escaped_string(Value& result);
  Step escape(std::string& text);
  Step hex4(uint32_t& number);
  Step after_value();
  bool skip_blanks();
  Step fail(const char* code, const char* message);
  Step check(bool done) { return done ? Step::more : Step::failed; }
  Failure finish(Step last);

  ByteSource& source_;
  Assembler& assembler_;
  std::vector<bool> objects_;  // the open containers, outermost first
  Expect expect_ = Expect::value;
  bool truncated_ = false;
  std::string scratch_;
  Failure error_;
};

}  // namespace tidemark::readers
