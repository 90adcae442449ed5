// Patterns over "filename:name" of frames and over names of annotations (resources/categories/README.md).
#pragma once

#include <string_view>

namespace tidemark {

// Whether all of `text` is what `pattern` says: `*` stands for any run of characters, none included, and `/` for `\` too, so that
// paths of Windows match.
bool matches_glob(std::string_view pattern, std::string_view text);

}  // namespace tidemark
