// What the categories of a device hold after an event, and which rules said so.
#pragma once

#include <cstdint>
#include <string>

#include "query/categories.h"

namespace tidemark {

// JSON array of the categories that hold something (native/README.md, category_totals); together they hold the allocated bytes.
std::string category_totals(const Lifetimes& lifetimes, const Categories& categories, int64_t event);

}  // namespace tidemark
