#include "query/what_if.h"

#include <algorithm>

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

std::string request_json(const WhatIf& answer) {
  if (!answer.loose_request) return "null";
  const FailedRequest& request = *answer.loose_request;
  JsonObject out;
  return out.number("bytes", request.likely).number("least_bytes", request.least).number("most_bytes", request.most).take();
}

// What the recording does not tell and another value of which would lead to another failure, or to none.
std::string doubts_json(const WhatIf& answer) {
  std::string out;
  if (answer.depends_on_capacity) out += "\"capacity\"";
  if (answer.depends_on_request) out += out.empty() ? "\"request\"" : ",\"request\"";
  return "[" + out + "]";
}

// The part of the free memory that is not in the largest free block.
std::string fragmentation_json(const SimulationOutcome& outcome) {
  const uint64_t free = outcome.reserved - outcome.active;
  return free == 0 ? "0" : real_json(1 - static_cast<double>(outcome.largest_free) / static_cast<double>(free));
}

// Capacities and bytes of failed requests that explain the recording too.
class Alternatives {
 public:
  Alternatives(const Recording& recording, const Program& program, const SimulationOptions& options, const StopSignal& stop, WhatIf& out)
      : recording_(recording), program_(program), options_(options), stop_(stop), out_(out) {}

  // Simulates them: each alone, and with many bytes asked of a low capacity, few of a high one.
  Failure try_all() {
    const bool has_range = !out_.is_given && out_.limit == Limit::fraction;
    const uint64_t least = has_range ? program_.capacity.least : out_.capacity;
    const uint64_t most = has_range ? program_.capacity.below - 1 : out_.capacity;
    Failure error;
    for (const uint64_t capacity : {least, most}) {
      if (!error.failed()) error = compare(capacity, FailedBytes::likely, out_.depends_on_capacity);
    }
    if (program_.loose_request() == nullptr) return error;
    bool depends_on_both = false;
    for (const FailedBytes bytes : {FailedBytes::least, FailedBytes::most}) {
      if (!error.failed()) error = compare(out_.capacity, bytes, out_.depends_on_request);
    }
    if (!error.failed() && has_range) error = compare(least, FailedBytes::most, depends_on_both);
    if (!error.failed() && has_range) error = compare(most, FailedBytes::least, depends_on_both);
    if (!out_.depends_on_capacity && !out_.depends_on_request) out_.depends_on_capacity = out_.depends_on_request = depends_on_both;
    return error;
  }

 private:
  Failure compare(uint64_t capacity, FailedBytes bytes, bool& depends) {
    if (capacity == out_.capacity && bytes == FailedBytes::likely) return {};
    options_.capacity = capacity;
    options_.failed_bytes = bytes;
    SimulationOutcome other;
    Failure error = simulate(recording_, program_, options_, stop_, other);
    if (error.failed()) return error;
    depends = depends || other.failing_event != out_.outcome.failing_event;
    out_.least_peak = std::min(out_.least_peak, other.reserved_peak);
    out_.most_peak = std::max(out_.most_peak, other.reserved_peak);
    return {};
  }

  const Recording& recording_;
  const Program& program_;
  SimulationOptions options_;
  const StopSignal& stop_;
  WhatIf& out_;
};

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
  out.least_peak = out.most_peak = out.outcome.reserved_peak;
  if (error.failed() || out.limit == Limit::none) return error;
  if (const FailedRequest* loose = program.loose_request()) out.loose_request = *loose;
  return Alternatives(recording, program, options, stop, out).try_all();
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
      .json("is_certain", truth(!answer.depends_on_capacity && !answer.depends_on_request))
      .json("depends_on", doubts_json(answer))
      .number("least_reserved_peak_bytes", answer.least_peak)
      .number("most_reserved_peak_bytes", answer.most_peak)
      .number("reserved_bytes", outcome.reserved)
      .number("allocated_bytes", outcome.allocated)
      .number("free_bytes", outcome.reserved - outcome.active)
      .json("fragmentation", fragmentation_json(outcome))
      .json("last_event", event_or_null(outcome.last_event))
      .json("same_layout", truth(outcome.is_same_layout))
      .json("first_difference", event_or_null(outcome.first_difference))
      .json("capacity", capacity_json(answer))
      .json("failed_request", request_json(answer))
      .json("settings", settings_json(answer.settings));
  return out.take();
}

}  // namespace tidemark
