// The part of JsonReader that reads strings.
#include <algorithm>

#include "model/text.h"
#include "readers/json_reader.h"

namespace tidemark::readers {
namespace {

// Longer texts are cut: nothing in a snapshot comes near.
constexpr size_t kTextLimit = 1024 * 1024;
constexpr size_t kUsualText = 4096;

}  // namespace

// The usual string lies in the window as a whole and has no escapes: it is interned without a copy.
JsonReader::Step JsonReader::string(Value& result) {
  source_.ensure(std::min<size_t>(kUsualText, source_.available() + 1));
  const uint8_t* const first = source_.cursor() + 1;
  const uint8_t* at = first;
  while (at < source_.end() && *at != '"' && *at != '\\') ++at;
  if (at == source_.end() || *at == '\\') return escaped_string(result);
  result = assembler_.builder().text({reinterpret_cast<const char*>(first), static_cast<size_t>(at - first)});
  source_.set_cursor(at + 1);
  return Step::more;
}

JsonReader::Step JsonReader::escaped_string(Value& result) {
  source_.set_cursor(source_.cursor() + 1);
  std::string text;
  bool cut = false;
  for (;;) {
    if (!source_.ensure(1)) return Step::cut;
    const uint8_t* const first = source_.cursor();
    const uint8_t* at = first;
    while (at < source_.end() && *at != '"' && *at != '\\') ++at;
    cut |= text.size() > kTextLimit;
    if (!cut) text.append(reinterpret_cast<const char*>(first), static_cast<size_t>(at - first));
    source_.set_cursor(at);
    if (at == source_.end()) continue;
    if (*at == '"') break;
    const Step read = escape(text);
    if (read != Step::more) return read;
  }
  source_.set_cursor(source_.cursor() + 1);
  if (cut || text.size() > kTextLimit) {
    text.resize(std::min(text.size(), kTextLimit));
    assembler_.builder().damaged("A text longer than 1 MiB was cut.");
  }
  result = assembler_.builder().text(text);
  return Step::more;
}

JsonReader::Step JsonReader::hex4(uint32_t& number) {
  number = 0;
  const uint8_t* digits = source_.cursor() + 2;
  for (size_t i = 0; i < 4; ++i) {
    const uint8_t c = digits[i];
    const int digit = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : -1;
    if (digit < 0) return fail("snapshot/malformed", "A text has an escape that cannot be read.");
    number = number << 4 | static_cast<uint32_t>(digit);
  }
  source_.set_cursor(source_.cursor() + 6);
  return Step::more;
}

// One escape at the cursor. Two \u escapes that form a surrogate pair are one character; a lone one keeps its three
// bytes.
JsonReader::Step JsonReader::escape(std::string& text) {
  if (!source_.ensure(2)) return Step::cut;
  const uint8_t c = source_.cursor()[1];
  if (c != 'u') {
    constexpr std::string_view kNames = "\"\\/bfnrt";
    constexpr std::string_view kBytes = "\"\\/\b\f\n\r\t";
    const size_t at = kNames.find(static_cast<char>(c));
    if (at == std::string_view::npos) return fail("snapshot/malformed", "A text has an escape that cannot be read.");
    text += kBytes[at];
    source_.set_cursor(source_.cursor() + 2);
    return Step::more;
  }
  if (!source_.ensure(6)) return Step::cut;
  uint32_t unit = 0;
  const Step read = hex4(unit);
  if (read != Step::more) return read;
  if (unit >= 0xD800 && unit < 0xDC00 && source_.ensure(6) && source_.cursor()[0] == '\\' &&
      source_.cursor()[1] == 'u') {
    uint32_t low = 0;
    const ByteSource& source = source_;
    const uint8_t* before = source.cursor();
    const Step second = hex4(low);
    if (second != Step::more) return second;
    if (low >= 0xDC00 && low < 0xE000) {
      unit = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
    } else {
      source_.set_cursor(before);  // an escape of its own
    }
  }
  append_utf8(text, unit);
  return Step::more;
}

}  // namespace tidemark::readers
