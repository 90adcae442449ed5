#include "query/glob.h"

namespace tidemark {
namespace {

bool is_same(char of_pattern, char of_text) { return of_pattern == of_text || (of_pattern == '/' && of_text == '\\'); }

// Whether the text ends in what follows the last star. Nearly every frame fails here, at its last letter.
bool has_end_of(std::string_view pattern, std::string_view text) {
  for (size_t i = 1; i <= pattern.size() && pattern[pattern.size() - i] != '*'; ++i) {
    if (i > text.size() || !is_same(pattern[pattern.size() - i], text[text.size() - i])) return false;
  }
  return true;
}

}  // namespace

bool matches_glob(std::string_view pattern, std::string_view text) {
  if (!has_end_of(pattern, text)) return false;
  // After a star only the last one has to be tried again: what an earlier one covers never helps a later part.
  size_t p = 0, t = 0, after_star = std::string_view::npos, retry = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      after_star = ++p;
      retry = t;
    } else if (p < pattern.size() && is_same(pattern[p], text[t])) {
      ++p;
      ++t;
    } else if (after_star != std::string_view::npos) {
      p = after_star;
      t = ++retry;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace tidemark
