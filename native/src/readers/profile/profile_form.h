// Which of the formats of profiles a file is in, from its beginning.
#pragma once

#include <string>
#include <string_view>

namespace tidemark::readers::profile {

enum class ProfileForm { none, folded, d3, speedscope, pprof, heapprofile };

// The word of `format_detail`.
const char* word_of(ProfileForm form);

// What the first keys of a JSON object say. `other`: the name of a tool's file that is recognised and not read, else "".
ProfileForm form_of_json(const std::string& text, std::string& other);

// The name of a tool's file that is recognised by its first bytes and not read, else "".
const char* other_tool(std::string_view text);

}  // namespace tidemark::readers::profile
