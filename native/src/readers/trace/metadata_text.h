// The values of a file's top-level keys as text that any parser of JSON reads, whatever the file has there.
#pragma once

#include <cstdint>
#include <string>

#include "readers/trace/finding_code.h"

namespace tidemark::readers::trace {

// The value from `begin` to `end`, which check_value() accepted, at `offset` in the text. What JSON does not have is replaced and counted:
// numbers that are not finite and words that mean nothing become null, numbers in odd forms are written as JSON does, a backslash that escapes
// nothing is doubled, control characters are escaped, bytes that are no UTF-8 become U+FFFD.
std::string valid_json(const uint8_t* begin, const uint8_t* end, uint64_t offset, FindingCounts& findings);

}  // namespace tidemark::readers::trace
