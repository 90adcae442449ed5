// The program behind a recording: what it asked of the allocator, without what the allocator did on its own account.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "simulate/driver.h"
#include "simulate/recording.h"
#include "simulate/simulator_settings.h"

namespace tidemark {

enum class StepKind : uint8_t { request_free, complete_free, abandon_pool, empty_pool, empty_cache, allocate, fail };

struct Step {
  uint32_t event = 0;
  uint32_t subject = 0;  // of frees and allocate: the allocation; of fail: the call; of abandon_pool and empty_pool: the call, for its pool
  StepKind kind = StepKind::allocate;
};

// What the recording says of the memory that could be had.
struct Capacity {
  Limit limit = Limit::none;
  uint64_t bytes = kUnlimited;
  // Every value in [least, below) explains the recording; only `least` bounds it where limit is none.
  uint64_t least = 0;
  uint64_t below = kUnlimited;
};

// Bytes that a request which failed may have been for: an `oom` has what they were rounded to.
struct FailedRequest {
  uint64_t likely = 0;
  uint64_t least = 0;
  uint64_t most = 0;  // the rounded bytes

  // Whether more than the unit of rounding lies between.
  bool is_loose() const { return most - least > kMinBlock; }
};

struct Program {
  std::vector<Step> steps;             // by event, within one in the order of StepKind
  std::vector<SegmentPlace> segments;  // by allocation: the new segment that it got
  std::map<uint32_t, FailedRequest> failed_requests;  // by the call of the `oom`
  Capacity capacity;

  // The first request whose bytes are not known; nullptr where all are.
  const FailedRequest* loose_request() const {
    for (const auto& [call, request] : failed_requests) {
      if (request.is_loose()) return &request;
    }
    return nullptr;
  }
};

// Reads the program out of the recording.
// - A burst of segment_free and segment_unmap right before new memory, or before an `oom`, is the allocator's own doing (a retry, garbage
//   collection, max_split_size) and is left out: the simulator has its own reasons. Any other burst is torch.cuda.empty_cache(). Before new
//   memory the stacks decide: those of one request are the same. Without stacks it is the allocator's own only in a recording that ran out
//   of memory (or collects garbage), where nothing of the burst would have served the request, and it and what was reserved were more than
//   ever was.
// - A private pool whose memory the burst gives back is one that nothing uses any more, from then on.
// - Capacity: at least the largest reserved bytes, and too little for every attempt that failed. With an `oom` for which the device had
//   too little free, it is what was reserved plus what was free; else the roundest number (most trailing zero bits) that explains all
//   failures, since caps are chosen by people. Without a failed attempt there is no limit.
// - What a failure asked for: programs ask for the same sizes again, so it is the request before it that was rounded to as much and came
//   last; without one, the rounded bytes. This matters under roundup_power2_divisions only.
// `query/cancelled` when stopped.
Failure read_program(const Recording& recording, const SimulatorSettings& own, const StopSignal& stop, Program& out);

}  // namespace tidemark
