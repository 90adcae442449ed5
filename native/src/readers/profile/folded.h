// Lines of folded stacks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tidemark::readers::profile {

// A longer line is left out.
constexpr size_t kLongestLine = size_t{16} << 20;

// `root;…;leaf N`, or `root;…;leaf N M` of two profiles.
struct FoldedLine {
  std::string_view stack;  // without the blanks around it
  double value = 0;        // the last number
  double before = 0;       // of two, the first
  bool has_two = false;
};

// False: no number ends the line, or there is nothing before it.
bool parse_folded(std::string_view line, FoldedLine& out);

// What a line of comment or nothing is.
bool is_folded_remark(std::string_view line);

// Whether the text consists of such lines; `is_strict`: all of them, since the text might be something else too.
bool looks_folded(std::string_view text, bool is_strict);

}  // namespace tidemark::readers::profile
