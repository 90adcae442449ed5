#include "simulate/simulator_settings.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "model/bits.h"

namespace tidemark {
namespace {

constexpr uint64_t kMib = uint64_t{1} << 20;
constexpr uint64_t kMostMib = uint64_t{1} << 24;

Failure refused(const std::string& message) { return {"query/bad_argument", message}; }

// As it was written; of a long text the head.
std::string quoted(const std::string& text) {
  constexpr size_t kMostBytes = 80;
  if (text.size() <= kMostBytes) return "'" + text + "'";
  size_t end = kMostBytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;  // not within a character
  return "'" + text.substr(0, end) + "…'";
}

std::string without_blanks(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (!std::isspace(static_cast<unsigned char>(c))) out += c;
  }
  return out;
}

bool read_number(const std::string& text, uint64_t most, uint64_t& out) {
  if (text.empty() || text.size() > 18 || text.find_first_not_of("0123456789") != std::string::npos) return false;
  out = std::strtoull(text.c_str(), nullptr, 10);
  return out <= most;
}

// MiB of `name`, which must be more than `above`.
Failure read_mib(const std::string& name, const std::string& value, uint64_t above, uint64_t& bytes) {
  uint64_t mib = 0;
  if (!read_number(value, kMostMib, mib) || mib <= above) {
    return refused(name + " must be a whole number of MiB above " + std::to_string(above) + ", not " + quoted(value) + ".");
  }
  bytes = mib * kMib;
  return {};
}

Failure read_flag(const std::string& name, const std::string& value, bool& out) {
  if (value != "True" && value != "False") return refused(name + " must be True or False, not " + quoted(value) + ".");
  out = value == "True";
  return {};
}

Failure read_threshold(const std::string& value, double& out) {
  const bool is_number = !value.empty() && value.find_first_not_of("0123456789.") == std::string::npos;
  const double threshold = is_number ? std::strtod(value.c_str(), nullptr) : 0;
  if (!(threshold > 0 && threshold < 1)) return refused("garbage_collection_threshold must lie between 0 and 1, not " + quoted(value) + ".");
  out = threshold;
  return {};
}

bool is_power_of_two(uint64_t value) { return value != 0 && (value & (value - 1)) == 0; }

bool read_divisions(const std::string& text, uint32_t& out) {
  uint64_t value = 0;
  if (!read_number(text, 1 << 20, value) || (value != 0 && !is_power_of_two(value))) return false;
  out = static_cast<uint32_t>(value);
  return true;
}

// One item `MiB:divisions` or `>:divisions` of the list. The first number also counts for all smaller classes, `>` for all after the last; with
// none before it, for all but the smallest, as PyTorch reads it.
bool read_division_item(const std::string& item, int& last_class, uint32_t (&divisions)[kRoundupClasses]) {
  const size_t colon = item.find(':');
  uint32_t value = 0;
  if (colon == std::string::npos || !read_divisions(item.substr(colon + 1), value)) return false;
  const std::string key = item.substr(0, colon);
  uint64_t mib = 0;
  if (key == ">") {
    std::fill(divisions + std::max(last_class, 0) + 1, divisions + kRoundupClasses, value);
    return true;
  }
  if (!read_number(key, kMostMib, mib) || !is_power_of_two(mib)) return false;
  const int size_class = std::min(highest_bit(mib), kRoundupClasses - 1);
  if (last_class < 0) std::fill(divisions, divisions + size_class, value);
  divisions[size_class] = value;
  last_class = size_class;
  return true;
}

Failure read_roundup(const std::string& value, uint32_t (&divisions)[kRoundupClasses]) {
  const Failure wrong = refused("roundup_power2_divisions must be a power of two or a list such as [256:1,512:2,>:4], not " + quoted(value) + ".");
  if (value.size() < 2 || value.front() != '[') {
    uint32_t all = 0;
    if (!read_divisions(value, all)) return wrong;
    std::fill(divisions, divisions + kRoundupClasses, all);
    return {};
  }
  if (value.back() != ']') return wrong;
  std::fill(divisions, divisions + kRoundupClasses, 0);  // a list says all: what it leaves out is off, as in a program that starts
  int last_class = -1;
  size_t from = 1;
  while (from < value.size()) {
    const size_t end = std::min(value.find(',', from), value.size() - 1);
    if (!read_division_item(value.substr(from, end - from), last_class, divisions)) return wrong;
    from = end + 1;
  }
  return {};
}

bool is_without_effect(const std::string& name) {
  static const char* const kNames[] = {"release_lock_on_cudamalloc", "release_lock_on_hipmalloc", "graph_capture_record_stream_reuse",
                                       "use_uvm", "throw_on_cudamalloc_oom"};
  if (name.compare(0, 7, "pinned_") == 0) return true;
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

Failure apply_one(const std::string& name, const std::string& value, SimulatorSettings& out) {
  constexpr uint64_t kAboveSegmentMib = 10;  // it takes every request below a segment of its own
  AllocatorRules& rules = out.rules;
  if (name == "expandable_segments") return read_flag(name, value, rules.expandable_segments);
  if (name == "max_split_size_mb") return read_mib(name, value, 0, rules.max_split_size);
  if (name == "max_non_split_rounding_mb") return read_mib(name, value, 0, rules.max_non_split_rounding);
  if (name == "large_segment_size_mb") return read_mib(name, value, kAboveSegmentMib, rules.large_segment_size);
  if (name == "garbage_collection_threshold") return read_threshold(value, out.gc_threshold);
  if (name == "roundup_power2_divisions") return read_roundup(value, rules.roundup_divisions);
  if (name == "backend" && value == "native") return {};
  if (name == "backend") return refused("The simulator knows the backend native only, not " + quoted(value) + ".");
  if (name == "per_process_memory_fraction") return refused("per_process_memory_fraction needs the size of the device: give the capacity in bytes.");
  if (is_without_effect(name)) return {};
  return refused("The allocator has no setting " + quoted(name) + ".");
}

// The end of the item that begins at `from`: the next comma outside brackets.
size_t item_end(const std::string& text, size_t from) {
  int depth = 0;
  for (size_t at = from; at < text.size(); ++at) {
    if (text[at] == '[') ++depth;
    if (text[at] == ']') --depth;
    if (text[at] == ',' && depth <= 0) return at;
  }
  return text.size();
}

// What PyTorch checks once it has read all: no size may be below that of a segment.
Failure check_sizes(const AllocatorRules& rules) {
  const std::string least = " must be at least large_segment_size_mb, which is " + std::to_string(rules.large_segment_size / kMib) + ".";
  if (rules.max_split_size < rules.large_segment_size) return refused("max_split_size_mb" + least);
  if (rules.max_non_split_rounding < rules.large_segment_size) return refused("max_non_split_rounding_mb" + least);
  return {};
}

}  // namespace

Failure apply_settings(std::string_view text, SimulatorSettings& settings) {
  const std::string plain = without_blanks(text);
  AllocatorRules& rules = settings.rules;
  bool has_rounding = rules.max_non_split_rounding != rules.large_segment_size;
  for (size_t from = 0; from < plain.size();) {
    const size_t end = item_end(plain, from);
    const std::string item = plain.substr(from, end - from);
    from = end + 1;
    if (item.empty()) continue;
    if (item == "default") {
      settings = {};
      has_rounding = false;
      continue;
    }
    const size_t colon = item.find(':');
    if (colon == std::string::npos) return refused("A setting is written name:value, not " + quoted(item) + ".");
    const std::string name = item.substr(0, colon);
    const Failure problem = apply_one(name, item.substr(colon + 1), settings);
    if (problem.failed()) return problem;
    has_rounding = has_rounding || name == "max_non_split_rounding_mb";
  }
  if (!has_rounding) rules.max_non_split_rounding = rules.large_segment_size;
  return check_sizes(rules);
}

}  // namespace tidemark
