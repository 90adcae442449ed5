// The middle of a list.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace tidemark {

// The lower one of two in the middle. `values` must not be empty; puts them in another order.
inline double median(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace tidemark
