#include "simulate/program.h"

#include <algorithm>

#include "simulate/caching_allocator.h"

namespace tidemark {
namespace {

bool gives_back(const DriverCall& call) { return call.action == DriverAction::free || call.action == DriverAction::unmap; }

bool reserves(const DriverCall& call) { return call.action == DriverAction::alloc || call.action == DriverAction::map; }

uint64_t start_reserved(const Recording& recording) {
  uint64_t bytes = 0;
  for (const RecordedSegment& segment : recording.start) bytes += segment.size;
  return bytes;
}

// The number in [least, below) that ends in the most zero bits.
uint64_t roundest(uint64_t least, uint64_t below) {
  uint64_t best = least;
  for (int bit = 0; bit < 63; ++bit) {
    const uint64_t unit = uint64_t{1} << bit;
    if (least > UINT64_MAX - unit) break;
    const uint64_t multiple = (least + unit - 1) / unit * unit;
    if (multiple >= below) break;
    best = multiple;
  }
  return best;
}

class ProgramReader {
 public:
  ProgramReader(const Recording& recording, const SimulatorSettings& own, Program& out)
      : recording_(recording), own_(own), out_(out) {}

  Failure read(const StopSignal& stop) {
    note_program_events();
    note_reserved();
    note_failed_requests();
    out_.segments.assign(recording_.allocations.size(), {});
    for (size_t at = 0; at < recording_.calls.size();) at = read_call(at);
    add_requests();
    if (stop()) return query_cancelled();
    sort_steps();
    settle_capacity();
    return stop() ? query_cancelled() : Failure();
  }

 private:
  // Events by which the program, not the allocator, spoke.
  void note_program_events() {
    for (const RecordedAllocation& allocation : recording_.allocations) {
      if (!allocation.is_early) program_events_.push_back(allocation.alloc_event);
      if (!allocation.is_freed_early && allocation.free_requested != UINT32_MAX) program_events_.push_back(allocation.free_requested);
    }
    std::sort(program_events_.begin(), program_events_.end());
    const auto is_late = [](const RecordedAllocation& allocation) { return !allocation.is_early; };
    first_made_ = std::find_if(recording_.allocations.begin(), recording_.allocations.end(), is_late);
  }

  void note_reserved() {
    uint64_t reserved = start_reserved(recording_);
    largest_ = reserved;
    for (const DriverCall& call : recording_.calls) {
      before_.push_back(reserved);
      ran_out_ = ran_out_ || call.action == DriverAction::oom;
      if (reserves(call)) reserved += call.bytes;
      if (gives_back(call)) reserved -= std::min(reserved, call.bytes);
      largest_ = std::max(largest_, reserved);
    }
    out_.capacity.least = start_reserved(recording_);
  }

  void note_failed_requests() {
    std::map<uint64_t, uint64_t> asked_last;  // by rounded bytes, of those that a failure has
    for (const DriverCall& call : recording_.calls) {
      if (call.action == DriverAction::oom) asked_last[call.bytes] = call.bytes;
    }
    auto next = recording_.allocations.begin();
    for (size_t at = 0; at < recording_.calls.size(); ++at) {
      const DriverCall& call = recording_.calls[at];
      if (call.action != DriverAction::oom) continue;
      for (; next != recording_.allocations.end() && (next->is_early || next->alloc_event < call.event); ++next) {
        const auto asked = asked_last.find(own_.rules.round_size(next->requested));
        if (asked != asked_last.end()) asked->second = next->requested;
      }
      FailedRequest request{call.bytes, own_.rules.least_request(call.bytes), call.bytes};
      if (request.is_loose()) request.likely = asked_last[call.bytes];
      out_.failed_requests[static_cast<uint32_t>(at)] = request;
    }
  }

  bool speaks_between(uint32_t from, uint32_t to) const {
    const auto next = std::upper_bound(program_events_.begin(), program_events_.end(), from);
    return next != program_events_.end() && *next < to;
  }

  // The allocation that a call at `event` was made for: the next one. None: the end of the allocations.
  std::vector<RecordedAllocation>::const_iterator request_of(uint32_t event) const {
    const auto earlier = [](const RecordedAllocation& allocation, uint32_t at) { return allocation.alloc_event < at; };
    return std::lower_bound(first_made_, recording_.allocations.end(), event, earlier);
  }

  // Bytes that the cap was asked for when the memory of `call` was.
  uint64_t asked_by(const DriverCall& call) const {
    if (call.action == DriverAction::alloc) return call.bytes;
    if (call.action == DriverAction::oom) return segment_bytes_for(own_.rules, call.bytes);
    const auto request = request_of(call.event);
    if (request == recording_.allocations.end()) return call.bytes;
    return segment_bytes_for(own_.rules, own_.rules.round_size(request->requested));
  }

  void fail_at(uint64_t reserved, const DriverCall& call) {
    uint64_t needed = asked_by(call);
    if (call.action == DriverAction::map) {
      const uint64_t page = needed == kSmallPage ? kSmallPage : own_.rules.large_segment_size;
      needed = (needed + page - 1) / page * page;
    }
    out_.capacity.below = std::min(out_.capacity.below, reserved + needed);
  }

  // One call with those that belong to it. Answers the place of the next.
  size_t read_call(size_t at) {
    const DriverCall& call = recording_.calls[at];
    if (gives_back(call)) return read_burst(at);
    if (call.action == DriverAction::oom) {
      add({call.event, static_cast<uint32_t>(at), StepKind::fail});
      fail_at(before_[at], call);
      note_device(at);
      return at + 1;
    }
    // Pages may go beyond a cap, which is asked for the bytes of a segment.
    const uint64_t held = std::min(before_[at] + call.bytes, before_[at] + asked_by(call));
    out_.capacity.least = std::max(out_.capacity.least, held);
    const auto request = request_of(call.event);
    if (call.action == DriverAction::alloc && request != recording_.allocations.end()) {
      out_.segments[static_cast<size_t>(request - recording_.allocations.begin())] = {call.address, call.bytes};
    }
    return at + 1;
  }

  void note_device(size_t at) {
    const DriverCall& call = recording_.calls[at];
    if (call.device_free < 0 || static_cast<uint64_t>(call.device_free) >= asked_by(call)) return;
    device_bytes_ = before_[at] + static_cast<uint64_t>(call.device_free);
  }

  size_t read_burst(size_t first) {
    const auto& calls = recording_.calls;
    size_t end = first + 1;
    while (end < calls.size() && gives_back(calls[end]) && !speaks_between(calls[end - 1].event, calls[end].event)) ++end;
    bool is_of_default = false;
    for (size_t at = first; at < end; ++at) {
      is_of_default = is_of_default || calls[at].pool == 0;
      if (calls[at].pool != 0) add({calls[first].event, static_cast<uint32_t>(at), StepKind::abandon_pool});
    }
    if (is_own_doing(first, end)) {
      note_failed_attempt(first, calls[end]);
      return end;
    }
    if (is_of_default) {
      add({calls[first].event, static_cast<uint32_t>(first), StepKind::empty_cache});
      return end;
    }
    for (size_t at = first; at < end; ++at) add({calls[first].event, static_cast<uint32_t>(at), StepKind::empty_pool});
    return end;
  }

  // Whether the allocator emptied its cache for the request that the call at `next` was made for.
  bool is_own_doing(size_t first, size_t next) const {
    const auto& calls = recording_.calls;
    if (next == calls.size() || gives_back(calls[next]) || speaks_between(calls[next - 1].event, calls[next].event)) return false;
    if (calls[next].action == DriverAction::oom) return true;
    if (calls[first].stack >= 0 && calls[next].stack >= 0) return calls[first].stack == calls[next].stack;
    if (keeps_cache(calls[next]) || had_served(first, next)) return false;
    return own_.gc_threshold > 0 || (ran_out_ && before_[first] + asked_by(calls[next]) > largest_);
  }

  // Requests of private pools empty the cache for no reason but these settings.
  bool keeps_cache(const DriverCall& call) const {
    const auto request = request_of(call.event);
    const bool is_private = request != recording_.allocations.end() && request->pool != 0;
    return is_private && own_.rules.max_split_size == UINT64_MAX && own_.gc_threshold == 0;
  }

  // Whether something of the burst would have served the request that the call at `next` was made for.
  bool had_served(size_t first, size_t next) const {
    const auto request = request_of(recording_.calls[next].event);
    if (request == recording_.allocations.end()) return false;
    const uint64_t rounded = own_.rules.round_size(request->requested);
    for (size_t at = first; at < next; ++at) {
      const DriverCall& call = recording_.calls[at];
      const bool is_small = call.bytes == kSmallPage;
      const bool is_right = call.stream == request->stream && call.pool == request->pool && is_small == (rounded <= kSmallLimit);
      if (is_right && call.bytes >= rounded && own_.rules.serves(rounded, call.bytes)) return true;
    }
    return false;
  }

  // The attempt failed, or, where garbage is collected, more than its share was reserved.
  void note_failed_attempt(size_t first, const DriverCall& next) {
    if (own_.gc_threshold > 0) {
      const double collected_at = static_cast<double>(before_[first]) / own_.gc_threshold;
      const uint64_t bound = std::max(static_cast<uint64_t>(collected_at), before_[first] + asked_by(next));
      out_.capacity.below = std::min(out_.capacity.below, bound);
      return;
    }
    fail_at(before_[first], next);
  }

  void add_requests() {
    for (size_t i = 0; i < recording_.allocations.size(); ++i) {
      const RecordedAllocation& allocation = recording_.allocations[i];
      const auto at = static_cast<uint32_t>(i);
      if (!allocation.is_early) add({allocation.alloc_event, at, StepKind::allocate});
      const bool is_requested = allocation.free_requested != UINT32_MAX;
      if (is_requested && !allocation.is_freed_early) add({allocation.free_requested, at, StepKind::request_free});
      if (allocation.free_completed != UINT32_MAX) add({allocation.free_completed, at, StepKind::complete_free});
    }
  }

  void add(const Step& step) { out_.steps.push_back(step); }

  void sort_steps() {
    std::stable_sort(out_.steps.begin(), out_.steps.end(), [](const Step& a, const Step& b) {
      return a.event != b.event ? a.event < b.event : a.kind < b.kind;
    });
  }

  void settle_capacity() {
    Capacity& capacity = out_.capacity;
    if (capacity.below == kUnlimited) return;
    // Where the memory that others hold changed meanwhile, no one number explains all.
    capacity.below = std::max(capacity.below, capacity.least + 1);
    capacity.limit = device_bytes_ > 0 ? Limit::device : Limit::fraction;
    capacity.bytes = device_bytes_ > 0 ? std::clamp(device_bytes_, capacity.least, capacity.below - 1)
                                       : roundest(capacity.least, capacity.below);
  }

  const Recording& recording_;
  const SimulatorSettings& own_;
  Program& out_;
  std::vector<uint32_t> program_events_;
  std::vector<RecordedAllocation>::const_iterator first_made_;
  std::vector<uint64_t> before_;  // by call: reserved before it
  uint64_t largest_ = 0;          // largest reserved
  bool ran_out_ = false;          // the recording has a failure
  uint64_t device_bytes_ = 0;     // what the last `oom` says of a device without enough memory; 0 = none said so
};

}  // namespace

Failure read_program(const Recording& recording, const SimulatorSettings& own, const StopSignal& stop, Program& out) {
  out = {};
  return ProgramReader(recording, own, out).read(stop);
}

}  // namespace tidemark
