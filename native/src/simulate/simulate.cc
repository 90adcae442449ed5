#include "simulate/simulate.h"

#include <algorithm>

#include "simulate/caching_allocator.h"
#include "simulate/layout_shape.h"

namespace tidemark {
namespace {

constexpr size_t kStepsPerLook = size_t{1} << 14;

class Simulation {
 public:
  Simulation(const Recording& recording, const Program& program, const SimulationOptions& options, SimulationOutcome& out)
      : recording_(recording),
        program_(program),
        failed_bytes_(options.failed_bytes),
        allocator_(options.settings, Driver(options.limit, options.capacity)),
        blocks_(recording.allocations.size(), nullptr),
        out_(out) {}

  Failure run(const StopSignal& stop) {
    adopt_layout(recording_.start, allocator_, blocks_);
    const auto& steps = program_.steps;
    for (size_t at = 0; at < steps.size() && !is_over_; ++at) {
      if (at % kStepsPerLook == 0 && stop()) return query_cancelled();
      compare_until(steps[at].event);
      take(steps[at]);
    }
    if (!is_over_) compare_until(recording_.event_count);
    note_end();
    return {};
  }

 private:
  void take(const Step& step) {
    switch (step.kind) {
      case StepKind::request_free: return request_free(step.subject);
      case StepKind::complete_free: return complete_free(step.subject);
      case StepKind::abandon_pool: return allocator_.abandon_pool(recording_.calls[step.subject].pool);
      case StepKind::empty_pool: return allocator_.empty_pool(recording_.calls[step.subject].pool);
      case StepKind::empty_cache: return allocator_.empty_cache();
      case StepKind::allocate: return allocate(step);
      case StepKind::fail: return fail(step);
    }
  }

  void request_free(uint32_t allocation) {
    Block* block = blocks_[allocation];
    if (block != nullptr && block->use == BlockUse::allocated) allocator_.request_free(block);
  }

  // Synchronising may have completed it before; the block can be another's by then.
  void complete_free(uint32_t allocation) {
    Block* block = blocks_[allocation];
    blocks_[allocation] = nullptr;
    if (block == nullptr) return;
    if (allocator_.holds(block, allocation, BlockUse::allocated)) allocator_.request_free(block);
    if (allocator_.holds(block, allocation, BlockUse::pending)) allocator_.complete_free(block);
  }

  void allocate(const Step& step) {
    take_back();
    const RecordedAllocation& allocation = recording_.allocations[step.subject];
    const SegmentPlace recorded = follows_ ? program_.segments[step.subject] : SegmentPlace();
    const uint64_t taken = allocator_.driver().take_count();
    blocks_[step.subject] =
        allocator_.allocate({allocation.requested, allocation.stream, allocation.pool, recorded, step.subject});
    const bool has_taken = allocator_.driver().take_count() > taken;
    if ((has_taken ? allocator_.driver().last_taken() : 0) != recorded.bytes) follows_ = false;
    if (blocks_[step.subject] == nullptr) note_failure(step.event, allocation.requested);
    is_over_ = blocks_[step.subject] == nullptr;
  }

  void fail(const Step& step) {
    take_back();
    const DriverCall& call = recording_.calls[step.subject];
    const uint64_t bytes = bytes_of(program_.failed_requests.at(step.subject));
    avoided_ = allocator_.allocate({bytes, call.stream, call.pool, {}, kNoOwner});
    if (avoided_ == nullptr) note_failure(step.event, bytes);
  }

  uint64_t bytes_of(const FailedRequest& request) const {
    if (failed_bytes_ == FailedBytes::likely) return request.likely;
    return failed_bytes_ == FailedBytes::least ? request.least : request.most;
  }

  // What the recorded program did not get, it does not hold on to.
  void take_back() {
    if (avoided_ == nullptr) return;
    allocator_.request_free(avoided_);
    allocator_.complete_free(avoided_);
    avoided_ = nullptr;
  }

  void note_failure(uint32_t event, uint64_t bytes) {
    if (out_.failures++ > 0) return;
    out_.failing_event = event;
    out_.failing_bytes = bytes;
  }

  // The state is that before `event` now.
  void compare_until(uint32_t event) {
    out_.last_event = std::max<int64_t>(out_.last_event, int64_t{event} - 1);
    if (out_.first_difference >= 0 || event <= compared_) return;
    const auto allocated = static_cast<int64_t>(allocator_.totals().allocated);
    const uint32_t end = std::min<uint32_t>(event, static_cast<uint32_t>(recording_.allocated.size()));
    for (; compared_ < end; ++compared_) {
      if (recording_.allocated[compared_] == allocated) continue;
      out_.first_difference = compared_;
      return;
    }
  }

  void note_end() {
    if (is_over_) out_.last_event = std::max(out_.last_event, out_.failing_event);
    const AllocatorTotals& totals = allocator_.totals();
    out_.reserved_peak = allocator_.driver().peak();
    out_.reserved = allocator_.driver().reserved();
    out_.allocated_peak = totals.allocated_peak;
    out_.allocated = totals.allocated;
    out_.active = totals.active;
    out_.retries = totals.retries;
    allocator_.blocks().each([&](const Block& block) {
      if (block.use == BlockUse::free && block.is_mapped) out_.largest_free = std::max(out_.largest_free, block.size);
    });
    out_.is_same_layout = shape_of(recording_.end) == shape_of(allocator_.blocks());
  }

  const Recording& recording_;
  const Program& program_;
  const FailedBytes failed_bytes_;
  CachingAllocator allocator_;
  std::vector<Block*> blocks_;  // by allocation
  Block* avoided_ = nullptr;    // what the recorded program failed to get
  bool is_over_ = false;
  bool follows_ = true;         // every segment so far is one of the recording, so that addresses are those of the recording too
  uint32_t compared_ = 0;       // events whose allocated bytes were compared
  SimulationOutcome& out_;
};

}  // namespace

Failure simulate(const Recording& recording, const Program& program, const SimulationOptions& options, const StopSignal& stop,
                 SimulationOutcome& out) {
  out = {};
  return Simulation(recording, program, options, out).run(stop);
}

}  // namespace tidemark
