// The part of PickleReader for the text opcodes of protocols 0 and 1 and for the refusals.
#include <charconv>
#include <limits>
#include <string_view>

#include "model/text.h"
#include "readers/number.h"
#include "readers/opcodes.h"
#include "readers/pickle_reader.h"

namespace tidemark::readers {
namespace {

constexpr size_t kNumberLine = 4096;
constexpr size_t kTextLine = 16 * 1024 * 1024;

// A float as Python's repr() writes it.
bool python_float(std::string_view text, double& value) {
  const bool negative = !text.empty() && text[0] == '-';
  const std::string_view size = text.substr(negative ? 1 : 0);
  if (size != "inf" && size != "nan") return to_nearest_double(text, value);
  value = size == "inf" ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  if (negative) value = -value;
  return true;
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// `count` hexadecimal digits at `at`; false when there are not as many.
bool read_hex(const std::string& text, size_t at, size_t count, uint32_t& number) {
  if (at + count > text.size()) return false;
  number = 0;
  for (size_t i = at; i < at + count; ++i) {
    const int digit = hex_digit(text[i]);
    if (digit < 0) return false;
    number = number << 4 | static_cast<uint32_t>(digit);
  }
  return true;
}

// Python's raw-unicode-escape: \uXXXX and \UXXXXXXXX are characters, every other byte is a Latin-1 character.
std::string decode_raw_unicode(const std::string& raw) {
  std::string text;
  for (size_t i = 0; i < raw.size(); ++i) {
    const size_t digits = raw[i] == '\\' && i + 1 < raw.size() ? (raw[i + 1] == 'u'   ? 4
                                                                  : raw[i + 1] == 'U' ? 8
                                                                                      : 0)
                                                               : 0;
    uint32_t code_point = 0;
    if (digits > 0 && read_hex(raw, i + 2, digits, code_point) && code_point <= 0x10FFFF) {
      append_utf8(text, code_point);
      i += 1 + digits;
    } else {
      append_utf8(text, static_cast<unsigned char>(raw[i]));
    }
  }
  return text;
}

// The escapes that repr() of a Python 2 str writes.
std::string decode_quoted(std::string_view quoted) {
  std::string text;
  for (size_t i = 0; i < quoted.size(); ++i) {
    if (quoted[i] != '\\' || i + 1 == quoted.size()) {
      text += quoted[i];
      continue;
    }
    const char c = quoted[++i];
    uint32_t byte = 0;
    if (c == 'x' && read_hex(std::string(quoted.substr(i + 1, 2)), 0, 2, byte)) {
      text += static_cast<char>(byte);
      i += 2;
    } else {
      text += c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c;
    }
  }
  return text;
}

}  // namespace

PickleReader::Step PickleReader::text_op(uint8_t op) {
  switch (op) {
    case op_INT:
    case op_LONG:
    case op_FLOAT: return number_line(op);
    case op_PUT:
    case op_GET: return memo_line(op);
    case op_UNICODE: return unicode_line();
    case op_STRING: return quoted_line();
    default: break;
  }
  if (forbidden_name(op)) return refuse(op);
  char message[64];
  std::snprintf(message, sizeof message, "Byte 0x%02x is not a pickle opcode.", op);
  return fail("snapshot/malformed", message);
}

PickleReader::Step PickleReader::number_line(uint8_t op) {
  if (!source_.read_line(kNumberLine, line_))
    return line_.size() < kNumberLine && source_.available() == 0 ? Step::cut
                                                                  : fail("snapshot/malformed", "A number is too long.");
  if (op == op_INT && (line_ == "01" || line_ == "00"))
    return check(assembler_.push_kind(line_ == "01" ? Kind::yes : Kind::no));
  if (op == op_FLOAT) {
    double number = 0;
    if (!python_float(line_, number)) return fail("snapshot/malformed", "A number cannot be read.");
    return check(assembler_.push_real(number));
  }
  if (!line_.empty() && line_.back() == 'L') line_.pop_back();
  const char* first = line_.data();
  const char* last = first + line_.size();
  int64_t number = 0;
  auto result = std::from_chars(first, last, number);
  if (result.ec == std::errc{} && result.ptr == last) return check(assembler_.push_integer(number));
  uint64_t large = 0;
  if (result.ec == std::errc::result_out_of_range && line_[0] != '-') result = std::from_chars(first, last, large);
  if (result.ec == std::errc{} && result.ptr == last && large != 0) return check(assembler_.push_unsigned(large));
  if (result.ec == std::errc::result_out_of_range)
    return fail("snapshot/integer_too_large", "An integer has more than 64 bits.");
  return fail("snapshot/malformed", "A number cannot be read.");
}

PickleReader::Step PickleReader::memo_line(uint8_t op) {
  if (!source_.read_line(kNumberLine, line_))
    return source_.available() == 0 ? Step::cut : fail("snapshot/malformed", "A memo index is too long.");
  uint64_t index = 0;
  const auto result = std::from_chars(line_.data(), line_.data() + line_.size(), index);
  if (result.ec != std::errc{} || result.ptr != line_.data() + line_.size())
    return fail("snapshot/malformed", "A memo index cannot be read.");
  return check(op == op_PUT ? assembler_.put(index) : assembler_.get(index));
}

PickleReader::Step PickleReader::unicode_line() {
  if (!source_.read_line(kTextLine, line_))
    return source_.available() == 0 ? Step::cut : fail("snapshot/malformed", "A text line is longer than 16 MiB.");
  return check(assembler_.push(assembler_.builder().text(decode_raw_unicode(line_))));
}

PickleReader::Step PickleReader::quoted_line() {
  if (!source_.read_line(kTextLine, line_))
    return source_.available() == 0 ? Step::cut : fail("snapshot/malformed", "A text line is longer than 16 MiB.");
  const bool quoted = line_.size() >= 2 && (line_[0] == '\'' || line_[0] == '"') && line_.back() == line_[0];
  if (!quoted) return fail("snapshot/malformed", "A text is not in quotes.");
  return check(
      assembler_.push(assembler_.builder().text(decode_quoted(std::string_view(line_).substr(1, line_.size() - 2)))));
}

// Names the opcode, the class it asks for as far as the file says, and the place.
PickleReader::Step PickleReader::refuse(uint8_t op) {
  constexpr size_t kLongestName = 200;
  std::string subject;
  std::string module;
  const StringTable& strings = assembler_.builder().strings();
  if (op == op_GLOBAL || op == op_INST) {
    if (source_.read_line(kLongestName, module) && source_.read_line(kLongestName, subject))
      subject = module + "." + subject;
  } else if (op == op_STACK_GLOBAL) {
    const Value* name = assembler_.top();
    const Value* space = assembler_.below_top();
    if (name && space && name->kind == Kind::text && space->kind == Kind::text) {
      subject = strings.at(static_cast<uint32_t>(space->bits)).substr(0, kLongestName) + "." +
                strings.at(static_cast<uint32_t>(name->bits)).substr(0, kLongestName);
    }
  }
  if (!is_utf8(subject)) subject.clear();
  return fail("snapshot/forbidden_opcode", std::string("The pickle wants to run code: opcode ") + forbidden_name(op) +
                                               (subject.empty() ? "" : " for " + subject) + " at byte " +
                                               std::to_string(op_offset_) +
                                               ". Nothing was run. A snapshot written by PyTorch holds data only.");
}

}  // namespace tidemark::readers
