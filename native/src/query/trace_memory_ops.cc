#include "query/trace_memory_ops.h"

#include <algorithm>
#include <map>

#include "query/stoppable.h"

namespace tidemark {
namespace {

// One run of an op in which memory was got or given back.
struct Call {
  uint32_t slice = kNoOp;
  uint32_t parent = kNoOp;  // index of the call it was made in
  int64_t self = 0;
  int64_t total = 0;
  int64_t freed = 0;
  uint64_t allocations = 0;
  int64_t kept = 0;
  int64_t largest = 0;
};

class OpSums {
 public:
  OpSums(const SliceTree& tree, const MemoryEvents& events) : tree_(tree), events_(events), call_of_slice_(tree.size(), kNoOp) {}

  Failure add_events(size_t from, size_t to, const StopSignal& stop) {
    for (size_t event = from; event < to; ++event) {
      if (is_stopped_at(event - from, stop)) return query_cancelled();
      const int64_t bytes = events_.bytes[event];
      if (bytes == 0) continue;
      const uint32_t call = call_at(event);
      if (call == kNoOp) {
        outside_ += bytes;
        continue;
      }
      calls_[call].self += bytes;
      if (bytes < 0) calls_[call].freed -= bytes;
      else {
        ++calls_[call].allocations;
        calls_[call].largest = std::max(calls_[call].largest, bytes);
      }
    }
    return {};
  }

  // What was allocated in the range and is alive after it.
  Failure add_kept(const DeviceColumns& device, size_t from, size_t to, const StopSignal& stop) {
    for (size_t i = 0; i < device.alloc_event.size(); ++i) {
      if (is_stopped_at(i, stop)) return query_cancelled();
      const int64_t event = device.alloc_event[i];
      if (event < static_cast<int64_t>(from) || event >= static_cast<int64_t>(to)) continue;
      if (device.free_requested[i] < to) continue;
      const uint32_t call = call_at(static_cast<size_t>(event));
      if (call != kNoOp) calls_[call].kept += static_cast<int64_t>(device.size[i]);
    }
    return {};
  }

  OpMemories answer() {
    add_children();
    OpMemories out;
    out.outside_bytes = outside_;
    std::map<int64_t, OpMemory> by_name;
    for (const Call& call : calls_) {
      OpMemory& row = by_name[tree_.name[call.slice]];
      ++row.calls;
      row.allocations += call.allocations;
      row.self_bytes += call.self;
      row.total_bytes += call.total;
      row.freed_inside_bytes += call.freed;
      row.kept_bytes += call.kept;
      row.largest_bytes = std::max(row.largest_bytes, call.largest);
    }
    for (auto& [name, row] : by_name) {
      row.name = name;
      out.rows.push_back(row);
    }
    std::stable_sort(out.rows.begin(), out.rows.end(), [](const OpMemory& a, const OpMemory& b) {
      return a.self_bytes != b.self_bytes ? a.self_bytes > b.self_bytes : a.total_bytes > b.total_bytes;
    });
    return out;
  }

 private:
  // The call around an event, made with all calls around it; kNoOp outside any.
  uint32_t call_at(size_t event) {
    const int64_t slice = events_.slice[event];
    if (slice < 0 || slice >= static_cast<int64_t>(tree_.size())) return kNoOp;
    uint32_t op = tree_.op[static_cast<size_t>(slice)];
    path_.clear();
    for (; op != kNoOp && call_of_slice_[op] == kNoOp; op = tree_.parent_op[op]) path_.push_back(op);
    uint32_t call = op == kNoOp ? kNoOp : call_of_slice_[op];
    for (size_t i = path_.size(); i-- > 0;) {
      Call made;
      made.slice = path_[i];
      made.parent = call;
      call = static_cast<uint32_t>(calls_.size());
      call_of_slice_[path_[i]] = call;
      calls_.push_back(made);
    }
    return call;
  }

  // A call is made after the one it lies in, so from the last to the first every child is whole before it is added.
  void add_children() {
    for (Call& call : calls_) call.total = call.self;
    for (size_t i = calls_.size(); i-- > 0;) {
      if (calls_[i].parent == kNoOp) continue;
      calls_[calls_[i].parent].total += calls_[i].total;
      calls_[calls_[i].parent].freed += calls_[i].freed;
    }
  }

  const SliceTree& tree_;
  const MemoryEvents& events_;
  std::vector<Call> calls_;
  std::vector<uint32_t> call_of_slice_;  // index of the call, kNoOp = none yet
  std::vector<uint32_t> path_;
  int64_t outside_ = 0;
};

}  // namespace

Failure op_memory(const SliceTree& tree, const MemoryEvents& events, const DeviceColumns& device, size_t from, size_t to,
                  const StopSignal& stop, OpMemories& out) {
  OpSums sums(tree, events);
  Failure failure = sums.add_events(from, to, stop);
  if (!failure.failed()) failure = sums.add_kept(device, from, to, stop);
  if (failure.failed()) return failure;
  out = sums.answer();
  return {};
}

}  // namespace tidemark
