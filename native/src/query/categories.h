// The category of every allocation of a device, by the rules of the connection (resources/categories/README.md).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "query/category_rules.h"
#include "query/lifetimes.h"
#include "query/stack_frames.h"

struct sqlite3;

namespace tidemark {

inline constexpr uint16_t kNoRule = 0xFFFF;

struct Categories {
  std::shared_ptr<const CategoryRules> rules;
  std::vector<uint8_t> category;  // by allocation: 1 … kCategoryCount
  std::vector<uint16_t> rule;     // by allocation: place in rules->rules; kNoRule where none matched, and the category is unknown
};

// The parts of a device that classify() reads.
unsigned category_parts(const DeviceColumns& device);

// `device` has category_parts(); `frames` are those of its capture. `index/not_an_index`, `query/cancelled`.
Failure classify(sqlite3* db, const DeviceColumns& device, const StackFrames& frames, const std::shared_ptr<const CategoryRules>& rules,
                 const StopSignal& stop, Categories& out);

}  // namespace tidemark
