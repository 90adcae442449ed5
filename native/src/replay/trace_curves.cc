#include <algorithm>

#include "replay/trace_memory.h"

namespace tidemark {
namespace {

class TraceCurves {
 public:
  TraceCurves(const Trace& trace, TraceMemoryDevice& device, FindingLog& findings)
      : trace_(trace), device_(device), paired_(device.replay.paired), findings_(findings) {
    const AllocationTable& table = paired_.allocations;
    for (size_t i = 0; i < table.before_count; ++i) held_ += static_cast<int64_t>(table.size[i]);
    for (size_t i = 0; i < device.total_reserved.size() && reserved_ < 0; ++i) reserved_ = device.total_reserved[i];
    reserved_ = std::max<int64_t>(reserved_, 0);
    CurveSummary& summary = device.replay.curves;
    put(summary.start);
    summary.peak_allocated = held_;
    summary.peak_reserved = reserved_;
  }

  void run(const CurveSink& sink, const Progress& progress) {
    const size_t n = device_.bytes.size();
    for (auto& values : values_) values.resize(std::min(n, kCurveBlock));
    for (size_t first = 0; first < n && !progress.cancel; first += kCurveBlock) {
      CurveBlock block;
      block.first_event = first;
      block.count = std::min(kCurveBlock, n - first);
      for (size_t i = 0; i < block.count; ++i) {
        step(static_cast<uint32_t>(first + i));
        int64_t now[kCurveCount] = {};
        put(now);
        for (int c = 0; c < kCurveCount; ++c) values_[c][i] = now[c];
      }
      for (int c = 0; c < kCurveCount; ++c) block.value[c] = values_[c].data();
      sink(block);
    }
    put(device_.replay.curves.end);
    device_.replay.exact = is_exact_;
  }

 private:
  // The curves of free memory stay 0: a trace does not say where free memory lies.
  void put(int64_t* out) const {
    out[kAllocated] = out[kActive] = out[kRequested] = held_;
    out[kReserved] = reserved_;
  }

  void step(uint32_t event) {
    held_ += change(event);
    while (next_close_ < paired_.implicit_closes.size() && paired_.implicit_closes[next_close_].event == event) {
      held_ -= size_of(paired_.implicit_closes[next_close_++].allocation);
    }
    if (device_.total_reserved[event] >= 0) reserved_ = device_.total_reserved[event];
    CurveSummary& summary = device_.replay.curves;
    if (held_ > summary.peak_allocated) {
      summary.peak_allocated = held_;
      summary.peak_event = event;
    }
    summary.peak_reserved = std::max(summary.peak_reserved, reserved_);
    check(event);
  }

  int64_t size_of(uint32_t allocation) const { return static_cast<int64_t>(paired_.allocations.size[allocation]); }

  int64_t change(uint32_t event) const {
    if (static_cast<Action>(device_.events.action[event]) == Action::oom) return 0;
    if (device_.events.address[event] == 0) return device_.bytes[event];
    const uint32_t allocation = paired_.event_allocation[event];
    if (allocation == kNoAllocation) return 0;
    return device_.bytes[event] > 0 ? size_of(allocation) : -size_of(allocation);
  }

  // Events are missing wherever the file's total and the sum drift apart.
  void check(uint32_t event) {
    const int64_t total = device_.total_allocated[event];
    is_exact_ = is_exact_ && total == held_;
    if (total < 0 || total - held_ == drift_) return;
    drift_ = total - held_;
    const SourceSpan& source = trace_.memory_events[device_.rows[event]].source;
    findings_.count("trace/memory_lost", "warning", source.length > 0 ? static_cast<int64_t>(source.offset) : -1,
                    "The totals in the file do not add up with its memory events: some are missing.");
  }

  const Trace& trace_;
  TraceMemoryDevice& device_;
  const PairedTrace& paired_;
  FindingLog& findings_;
  int64_t held_ = 0;
  int64_t reserved_ = -1;
  int64_t drift_ = 0;
  bool is_exact_ = true;
  size_t next_close_ = 0;
  std::vector<int64_t> values_[kCurveCount];
};

}  // namespace

void run_trace_curves(const Trace& trace, TraceMemoryDevice& device, const CurveSink& sink, const Progress& progress,
                      FindingLog& findings) {
  TraceCurves(trace, device, findings).run(sink, progress);
}

}  // namespace tidemark
