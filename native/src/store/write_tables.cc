#include <algorithm>
#include <map>

#include "store/index_writer.h"
#include "store/schema.h"

namespace tidemark {
namespace {

struct FinalTotals {
  int64_t reserved = 0, allocated = 0, active = 0, requested = 0;
  int64_t inactive_split = 0, largest_free = 0, blocks = 0;
  bool any_segment = false;
};

// Definitions: ARCHITECTURE.md; equal to torch.cuda.memory_stats().
FinalTotals final_totals(const Snapshot& snapshot, int32_t device) {
  FinalTotals out;
  for (const Segment& s : snapshot.segments) {
    if (s.device != device) continue;
    out.any_segment = true;
    out.reserved += static_cast<int64_t>(s.total_size);
    out.blocks += static_cast<int64_t>(s.blocks.size());
    for (const Block& b : s.blocks) {
      const auto size = static_cast<int64_t>(b.size);
      if (b.state == BlockState::inactive) {
        out.largest_free = std::max(out.largest_free, size);
        if (!s.is_expandable && s.blocks.size() > 1) out.inactive_split += size;
        continue;
      }
      out.active += size;
      out.requested += static_cast<int64_t>(b.requested_size);
      if (b.state == BlockState::active_allocated) out.allocated += size;
    }
  }
  return out;
}

// One annotation that has started.
struct OpenAnnotation {
  int64_t start_ns;
};

}  // namespace

void write_device(const IndexWrite& write, const Snapshot& snapshot, const DeviceSummary& summary, const EventTimes& times) {
  FinalTotals totals = final_totals(snapshot, summary.device);
  const CurveSummary& curves = summary.curves;
  if (!totals.any_segment) {  // the file has no final state here, so the curves are all there is
    totals.reserved = curves.end[kReserved];
    totals.allocated = curves.end[kAllocated];
    totals.active = curves.end[kActive];
    totals.requested = curves.end[kRequested];
    totals.inactive_split = curves.end[kInactiveSplit];
    totals.largest_free = curves.end[kLargestFree];
  }
  const auto n = static_cast<int64_t>(summary.event_count);
  std::optional<int64_t> peak_time, first_time, last_time;
  if (times.known() && n > 0) {
    first_time = times.at(0);
    last_time = times.at(static_cast<size_t>(n - 1));
    if (curves.peak_event >= 0) peak_time = times.at(static_cast<size_t>(curves.peak_event));
  }
  Insert insert(write, "INSERT INTO device VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
  insert.row(summary.device, n, totals.reserved, totals.allocated, totals.active, totals.requested,
             totals.inactive_split, totals.largest_free, curves.peak_allocated, curves.peak_event, peak_time,
             curves.peak_reserved, int{summary.exact}, summary.allocation_count, summary.never_freed_count,
             summary.no_stack_count, totals.blocks, first_time, last_time, summary.first_allocation_id,
             curves.start[kAllocated], curves.start[kActive], curves.start[kReserved], curves.start[kRequested],
             curves.start[kInactiveSplit], curves.start[kLargestFree], curves.start[kReturnable], curves.start[kFreeBlocks],
             summary.reservation_count, summary.device_type);
}

void write_annotations(const IndexWrite& write, const Snapshot& snapshot, const CaptureClock& clock, FindingLog& findings) {
  Insert insert(write, "INSERT INTO annotation VALUES (?,?,?,?,NULL,NULL)");
  std::map<std::pair<int32_t, uint32_t>, std::vector<OpenAnnotation>> open;
  uint64_t unpaired = 0;
  const auto text = [&](uint32_t name) { return name == kNone ? std::string() : clean_text(snapshot.strings.at(name)); };
  for (const Annotation& a : snapshot.annotations) {
    if (!write.goes_on()) return;
    if (a.time_us == kNoTime) continue;
    auto& stack = open[{a.device, a.name}];
    const int64_t now = clock.since_start(a.time_us);
    if (a.is_start) {
      stack.push_back({now});
    } else if (stack.empty()) {
      ++unpaired;
      insert.row(a.device, text(a.name), std::optional<int64_t>(), now);
    } else {
      insert.row(a.device, text(a.name), stack.back().start_ns, now);
      stack.pop_back();
    }
  }
  for (const auto& [key, stack] : open) {
    for (const OpenAnnotation& a : stack) {
      if (!write.goes_on()) return;
      ++unpaired;
      insert.row(key.first, text(key.second), a.start_ns, std::optional<int64_t>());
    }
  }
  if (unpaired == 0) return;
  findings.add({"snapshot/annotation_unpaired", "info", unpaired, -1,
                "Annotations without their start or end: they lay before the first event kept or had not ended."});
}

void write_capture(const IndexWrite& write, const Snapshot& snapshot, const SourceInfo& source, const CaptureClock& clock,
                   uint64_t event_count) {
  std::optional<int64_t> start, duration;
  if (clock.has_times) {
    start = clock.start;
    duration = clock.since_start(clock.end);
  }
  Insert insert(write, "INSERT INTO capture VALUES ('torch_snapshot',?,?,?,?,?,?,?,?,?)");
  insert.row(source.name, source.bytes, source.fingerprint, snapshot.format_detail, start, duration,
             static_cast<int64_t>(event_count), kSchemaVersion, source.tool_version);
  Insert metadata(write, "INSERT OR REPLACE INTO metadata SELECT key, value FROM json_each(?)");
  if (!snapshot.extra_json.empty()) metadata.row(snapshot.extra_json);
  Insert settings(write, "INSERT OR REPLACE INTO metadata VALUES ('allocator_settings', ?)");
  if (!snapshot.settings_json.empty()) settings.row(snapshot.settings_json);
}

void write_findings(const IndexWrite& write, const std::vector<Finding>& findings) {
  Insert insert(write, "INSERT INTO finding VALUES (?,?,?,?,?)");
  for (const Finding& f : findings) {
    std::optional<int64_t> at;
    if (f.first_at >= 0) at = f.first_at;
    insert.row(f.code, f.severity, static_cast<int64_t>(f.count), at, clean_text(f.message));
  }
}

}  // namespace tidemark
