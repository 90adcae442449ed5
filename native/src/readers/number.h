// Numbers with a fraction or an exponent, as text.
#pragma once

#include <string_view>

namespace tidemark::readers {

// The double nearest to the decimal `text` (an optional '-', digits with at most one point, an exponent), whatever the process' locale takes for a
// decimal point; ±infinity beyond the largest, ±0 below the smallest. False when all of it is no such number.
bool to_nearest_double(std::string_view text, double& value);

}  // namespace tidemark::readers
