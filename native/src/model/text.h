// UTF-8 (RFC 3629): checking and writing; JSON strings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tidemark {

// Length of the character that `text` begins with; 0 when it is not strict UTF-8 (surrogates and overlong forms
// included).
size_t utf8_length(std::string_view text);
bool is_utf8(std::string_view text);
// Appends a code point; a lone surrogate is written in the three-byte form, as Python's "surrogatepass" does.
void append_utf8(std::string& out, uint32_t code_point);
// Appends `text` as a JSON string. Bytes that are not UTF-8 become U+FFFD, so the result is always valid JSON.
void append_json_string(std::string& out, std::string_view text);
// Stands for bytes that are not UTF-8.
inline constexpr const char* kReplacement = "\xEF\xBF\xBD";

}  // namespace tidemark
