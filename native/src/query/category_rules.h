// The rules that give allocations a category (resources/categories/README.md), read from JSON.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "query/query_error.h"

struct sqlite3;

namespace tidemark {

// Categories are color slots: 1 … kCategoryCount, in this order.
inline constexpr size_t kCategoryCount = 10;
inline constexpr std::string_view kCategoryNames[kCategoryCount] = {"parameter", "gradient", "optimizer_state", "activation", "temporary",
                                                                    "input", "kv_cache", "autograd_detail", "workspace", "unknown"};
inline constexpr uint8_t kUnknownCategory = kCategoryCount;

// The slot of a category's name; 0 where there is none of that name.
uint8_t category_slot_of(std::string_view name);
inline std::string_view category_name(uint8_t slot) { return kCategoryNames[slot - 1]; }

// What the program was doing. `program` is everything that is neither of the others: building, loading, the forward pass.
enum class Phase : uint8_t { program, backward, optimizer };

// When an allocation ended, seen from the stretch of one phase in which it was made.
enum class Life : uint8_t {
  within,  // given back before that stretch was over
  beyond,  // held when it was over
  open,    // held at the end of the capture, with that stretch still going on
};

// Conditions; all that are given must hold. Of the sets of Phase, Life and categories, as bits, 0 = any.
struct RuleMatch {
  std::vector<std::string> frames;         // one of the stack's frames matches one of them
  std::vector<std::string> innermost;      // its innermost Python frame does
  std::vector<std::string> without_frames; // no frame matches any
  int8_t python_stack = -1;                // 1: the stack has a Python frame within the innermost entry of a phase, 0: it has none
  unsigned made_in = 0;                    // Phase; what was made before the first event was made in none
  unsigned freed_in = 0;                   // Phase
  unsigned life = 0;                       // Life; what was made before the first event has none
  unsigned size_of = 0;                    // bit category − 1: as many bytes asked for as for an allocation of that category
  int8_t made_before = -1;                 // 1: before the first event, 0: by an event
  int8_t never_freed = -1;                 // 1: not given back in the capture, 0: given back
  int64_t most_events = -1;                // given back, and held for at most so many events
  int64_t least_events = -1;               // held for at least so many, to the end of the capture where it was not given back
  int64_t least_steps = -1;                // as many steps begin while it is held
  int64_t most_steps = -1;                 // no more begin, in a capture whose steps are known
  uint64_t min_bytes = 0;                  // asked for
  uint64_t max_bytes = UINT64_MAX;
  std::vector<uint64_t> bytes;             // one of these sizes
};

struct CategoryRule {
  std::string id;
  uint8_t category = kUnknownCategory;
  double confidence = 0;
  RuleMatch match;
};

// Marks what the program was doing: an allocation by its stack, or a stretch of time by its annotation.
struct PhaseRule {
  Phase phase = Phase::program;
  std::vector<std::string> frames;
  std::vector<std::string> entry;      // frames too; those that called one of them are of what was before the phase
  std::vector<std::string> outermost;  // the outermost Python frame
  std::vector<std::string> annotations;
  bool without_python = false;  // stacks without a Python frame, in a capture that has Python frames
};

struct CategoryRules {
  std::vector<CategoryRule> rules;   // the first that matches decides
  std::vector<PhaseRule> phases;     // likewise
  std::vector<std::string> steps;    // annotations of which each is one step
};

// Reads `{"rules": […], "phases": […], "steps": […]}`; `format` and, in rules, `title` and `why` are the reader's. `query/bad_argument`
// says where what does not fit is. `db`: a connection, whose JSON functions do the reading.
Failure read_category_rules(sqlite3* db, const std::string& json, CategoryRules& out);

}  // namespace tidemark
