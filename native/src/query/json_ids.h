// Arrays of ids in the arguments of query functions.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace tidemark {

// Reads a JSON array of at most `most` integers ≥ 0. False where the text is anything else.
bool read_ids(std::string_view json, size_t most, std::vector<int64_t>& out);

}  // namespace tidemark
