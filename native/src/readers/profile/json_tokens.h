// JSON of other tools as one token after the other, without a word about what it means. Nothing recurses: a file may nest as deep as it likes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "readers/byte_source.h"

namespace tidemark::readers::profile {

// damaged: what follows is no JSON; end: the text is over, before its document is where cut() says so.
enum class JsonToken : uint8_t { object, object_end, array, array_end, key, text, number, literal, end, damaged };

class JsonTokens {
 public:
  static constexpr size_t kLongestText = 64 * 1024;  // longer ones are cut
  static constexpr size_t kMostDepth = 1 << 20;

  explicit JsonTokens(ByteSource& source);

  JsonToken next();
  // Passes over the value that begins with `first`, which next() gave. False = the text ends or is damaged inside.
  bool skip(JsonToken first);
  bool skip_value() { return skip(next()); }

  const std::string& text() const { return text_; }  // of the last key or text
  double number() const { return number_; }          // of the last number; not finite where it is none
  size_t depth() const { return objects_.size(); }   // open containers
  uint64_t offset() const { return source_.offset(); }
  bool cut() const { return cut_; }
  bool damaged() const { return damaged_; }

 private:
  enum class Expect : uint8_t { value, value_or_end, key, key_or_end, colon, comma_or_end, nothing };

  bool skip_blanks();
  JsonToken value(uint8_t c);
  JsonToken open(bool is_object);
  JsonToken close(uint8_t c);
  JsonToken string(JsonToken kind);
  JsonToken scalar();
  JsonToken broken() {
    damaged_ = true;
    return JsonToken::damaged;
  }
  JsonToken ended() {
    cut_ = expect_ != Expect::nothing;
    return JsonToken::end;
  }
  void after_value() { expect_ = objects_.empty() ? Expect::nothing : Expect::comma_or_end; }

  ByteSource& source_;
  std::vector<bool> objects_;  // the open containers, outermost first
  Expect expect_ = Expect::value;
  bool cut_ = false;
  bool damaged_ = false;
  std::string raw_;
  std::string text_;
  double number_ = 0;
};

}  // namespace tidemark::readers::profile
