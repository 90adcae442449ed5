#include "query/what_if.h"

#include <set>

#include "query/json.h"

namespace tidemark {
namespace {

const char* limit_word(Limit limit) {
  if (limit == Limit::none) return "none";
  return limit == Limit::fraction ? "fraction" : "device";
}

std::string bytes_or_null(uint64_t bytes) { return bytes == kUnlimited ? "null" : std::to_string(bytes); }
std::string event_or_null(int64_t event) { return event < 0 ? "null" : std::to_string(event); }
const char* truth(bool value) { return value ? "true" : "false"; }

std::string real_json(double value) {
  std::string text = std::to_string(value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string settings_json(const SimulatorSettings& settings) {
  const AllocatorRules& rules = settings.rules;
  std::string divisions = "[";
  for (int i = 0; i < kRoundupClasses; ++i) divisions += (i > 0 ? "," : "") + std::to_string(rules.roundup_divisions[i]);
  JsonObject out;
  out.json("expandable_segments", truth(rules.expandable_segments))
      .json("max_split_size_bytes", bytes_or_null(rules.max_split_size))
      .json("roundup_power2_divisions", divisions + "]")
      .json("garbage_collection_threshold", real_json(settings.gc_threshold))
      .number("large_segment_size_bytes", rules.large_segment_size)
      .number("max_non_split_rounding_bytes", rules.max_non_split_rounding);
  return out.take();
}

std::string capacity_json(const WhatIf& answer) {
  const bool is_range = !answer.is_given && answer.limit == Limit::fraction;
  JsonObject out;
  out.text("source", answer.is_given ? "given" : limit_word(answer.limit)).json("bytes", bytes_or_null(answer.capacity));
  out.json("least_bytes", is_range ? std::to_string(answer.recorded.least) : "null");
  return out.json("most_bytes", is_range ? std::to_string(answer.recorded.below - 1) : "null").take();
}

// The part of the free memory that is not in the largest free block.
std::string fragmentation_json(const SimulationOutcome& outcome) {
  const uint64_t free = outcome.reserved - outcome.active;
  return free == 0 ? "0" : real_json(1 - static_cast<double>(outcome.largest_free) / static_cast<double>(free));
}

// Simulates again whatever else explains the recording.
Failure check_certainty(const Recording& recording, const Program& program, SimulationOptions options, const StopSignal& stop, WhatIf& out) {
  std::set<uint64_t> capacities{out.capacity};
  if (!out.is_given && out.limit == Limit::fraction) capacities.insert({program.capacity.least, program.capacity.below - 1});
  for (const uint64_t capacity : capacities) {
    for (const bool has_least_requests : {false, true}) {
      const bool is_known = has_least_requests ? !program.has_loose_requests : capacity == out.capacity;
      if (is_known) continue;
      options.capacity = capacity;
      options.has_least_requests = has_least_requests;
      SimulationOutcome other;
      const Failure error = simulate(recording, program, options, stop, other);
      if (error.failed()) return error;
      out.is_certain = out.is_certain && other.failing_event == out.outcome.failing_event;
    }
  }
  return {};
}

}  // namespace

Failure what_if(const Recording& recording, const SimulatorSettings& own, const SimulatorSettings& settings, std::optional<uint64_t> given,
                const StopSignal& stop, WhatIf& out) {
  out = {};
  out.settings = settings;
  Program program;
  Failure error = read_program(recording, own, stop, program);
  if (error.failed()) return error;
  out.recorded = program.capacity;
  out.is_given = given.has_value();
  out.limit = given ? Limit::fraction : program.capacity.limit;
  out.capacity = given ? *given : program.capacity.bytes;
  SimulationOptions options{settings, out.limit, out.capacity};
  error = simulate(recording, program, options, stop, out.outcome);
  if (error.failed() || out.limit == Limit::none) return error;
  return check_certainty(recording, program, options, stop, out);
}

std::string to_json(const WhatIf& answer) {
  const SimulationOutcome& outcome = answer.outcome;
  const bool fails = outcome.failures > 0;
  JsonObject out;
  out.number("reserved_peak_bytes", outcome.reserved_peak)
      .number("allocated_peak_bytes", outcome.allocated_peak)
      .number("largest_free_bytes", outcome.largest_free)
      .number("retries", outcome.retries)
      .json("fails", truth(fails))
      .json("failing_event", event_or_null(outcome.failing_event))
      .json("failing_bytes", fails ? std::to_string(outcome.failing_bytes) : "null")
      .json("is_certain", truth(answer.is_certain))
      .number("reserved_bytes", outcome.reserved)
      .number("allocated_bytes", outcome.allocated)
      .number("free_bytes", outcome.reserved - outcome.active)
      .json("fragmentation", fragmentation_json(outcome))
      .json("last_event", event_or_null(outcome.last_event))
      .json("same_layout", truth(outcome.is_same_layout))
      .json("first_difference", event_or_null(outcome.first_difference))
      .json("capacity", capacity_json(answer))
      .json("settings", settings_json(answer.settings));
  return out.take();
}

}  // namespace tidemark
