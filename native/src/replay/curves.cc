#include "replay/curves.h"

#include <algorithm>

namespace tidemark {
namespace {

class CurveRun {
 public:
  CurveRun(const DeviceTrace& trace, const PairedTrace& paired, const ReservedCurve& reserved, CurveSummary& summary)
      : trace_(trace), paired_(paired), table_(paired.allocations), reserved_(reserved), summary_(summary) {
    now_[kReserved] = reserved.start;
    for (size_t i = 0; i < table_.before_count; ++i) {
      now_[kActive] += bytes(i);
      now_[kRequested] += requested(i);
      if (!paired_.pending_before[i]) now_[kAllocated] += bytes(i);
    }
    std::copy(now_, now_ + kProgramCurveCount, summary_.start);
    summary_.peak_allocated = now_[kAllocated];
    summary_.peak_reserved = now_[kReserved];
  }

  void run(const CurveSink& sink, const Progress& progress) {
    const size_t n = trace_.action.size();
    const size_t block_size = std::min(n, kCurveBlock);
    for (auto& values : values_) values.resize(block_size);
    for (size_t first = 0; first < n && !progress.cancel; first += kCurveBlock) {
      const size_t count = std::min(kCurveBlock, n - first);
      for (size_t i = 0; i < count; ++i) {
        step(first + i);
        for (int c = 0; c < kProgramCurveCount; ++c) values_[c][i] = now_[c];
        note_peak(first + i);
      }
      CurveBlock block;
      block.first_event = first;
      block.count = count;
      for (int c = 0; c < kProgramCurveCount; ++c) block.value[c] = values_[c].data();
      sink(block);
    }
    std::copy(now_, now_ + kProgramCurveCount, summary_.end);
  }

 private:
  int64_t bytes(size_t allocation) const { return static_cast<int64_t>(table_.size[allocation]); }
  int64_t requested(size_t allocation) const {
    return static_cast<int64_t>(std::min<uint64_t>(table_.requested[allocation], table_.size[allocation]));
  }

  void step(size_t event) {
    const auto action = static_cast<Action>(trace_.action[event]);
    const uint32_t allocation = paired_.event_allocation[event];
    switch (action) {
      case Action::alloc:
        now_[kAllocated] += bytes(allocation);
        now_[kActive] += bytes(allocation);
        now_[kRequested] += requested(allocation);
        break;
      case Action::free_requested: request(allocation, event); break;
      case Action::free_completed:
      case Action::free:
        request(allocation, event);
        complete(allocation, event);
        break;
      case Action::segment_alloc:
      case Action::segment_map: now_[kReserved] += static_cast<int64_t>(trace_.size[event]); break;
      case Action::segment_free:
      case Action::segment_unmap: now_[kReserved] -= static_cast<int64_t>(trace_.size[event]); break;
      default: break;
    }
    while (next_close_ < paired_.implicit_closes.size() && paired_.implicit_closes[next_close_].event == event) {
      const uint32_t closed = paired_.implicit_closes[next_close_++].allocation;
      if (action != Action::free_requested || closed != allocation) request(closed, event);
      complete(closed, event);
    }
    if (event + 1 == trace_.action.size()) add_unseen();
    if (!reserved_.after.empty()) now_[kReserved] = reserved_.after[event];
  }

  void add_unseen() {
    for (size_t i = table_.count() - paired_.unseen_count; i < table_.count(); ++i) {
      now_[kActive] += bytes(i);
      now_[kRequested] += requested(i);
      if (table_.free_requested[i] == kNoEvent) now_[kAllocated] += bytes(i);
    }
  }

  void request(uint32_t allocation, size_t event) {
    if (allocation != kNoAllocation && table_.free_requested[allocation] == event) now_[kAllocated] -= bytes(allocation);
  }

  void complete(uint32_t allocation, size_t event) {
    if (allocation == kNoAllocation || table_.free_completed[allocation] != event) return;
    now_[kActive] -= bytes(allocation);
    now_[kRequested] -= requested(allocation);
  }

  void note_peak(size_t event) {
    if (now_[kAllocated] > summary_.peak_allocated) {
      summary_.peak_allocated = now_[kAllocated];
      summary_.peak_event = static_cast<int64_t>(event);
    }
    summary_.peak_reserved = std::max(summary_.peak_reserved, now_[kReserved]);
  }

  const DeviceTrace& trace_;
  const PairedTrace& paired_;
  const AllocationTable& table_;
  const ReservedCurve& reserved_;
  CurveSummary& summary_;
  int64_t now_[kProgramCurveCount] = {};
  std::vector<int64_t> values_[kProgramCurveCount];
  size_t next_close_ = 0;
};

}  // namespace

void run_curves(const DeviceTrace& trace, const PairedTrace& paired, const ReservedCurve& reserved, const CurveSink& sink,
                const Progress& progress, CurveSummary& summary) {
  CurveRun(trace, paired, reserved, summary).run(sink, progress);
}

}  // namespace tidemark
