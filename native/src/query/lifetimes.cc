#include "query/lifetimes.h"

#include "query/event_range.h"

namespace tidemark {
namespace {

bool level_is_sound(const CurveLevel& level, unsigned parts, size_t least, size_t event_count) {
  for (int curve = 0; curve < kCurveCount; ++curve) {
    if (!(parts & (curve < kProgramCurveCount ? kAllocatedPart : kSpaceCurvesPart))) continue;
    if (level.min[curve].size() < least || level.max[curve].size() < least) return false;
  }
  if ((parts & kAllocatedPart) && level.rep.size() < least) return false;
  return std::all_of(level.rep.begin(), level.rep.end(), [&](uint32_t event) { return event < event_count; });
}

bool curves_are_sound(const DeviceColumns& columns) {
  const size_t events = columns.event_count;
  if (events > INT32_MAX) return false;  // alloc_event is 32 bits wide
  if ((columns.parts & kTimesPart) && columns.has_times && columns.time_ns.size() != events) return false;
  for (int curve = 0; curve < kCurveCount; ++curve) {
    const unsigned part = curve == kAllocated ? kAllocatedPart : curve < kProgramCurveCount ? kCurvesPart : kSpaceCurvesPart;
    if ((columns.parts & part) && columns.curve[curve].size() != events) return false;
  }
  return columns.peak_event >= kBefore && columns.peak_event < static_cast<int64_t>(events);
}

bool levels_are_sound(const DeviceColumns& columns) {
  const size_t events = columns.event_count;
  if (columns.levels.size() > 6) return false;
  for (size_t k = 0; k < columns.levels.size(); ++k) {
    // Only items that lie wholly inside the events are ever read.
    if (!level_is_sound(columns.levels[k], columns.parts, events >> ((k + 1) * kLevelBits), events)) return false;
  }
  return true;
}

bool allocations_are_sound(const DeviceColumns& columns) {
  const auto& made = columns.alloc_event;
  const size_t count = made.size();
  if (count > UINT32_MAX || columns.free_requested.size() != count || columns.size.size() != count) return false;
  if (columns.stack.size() != count || columns.stream.size() != count || columns.pool.size() != count) return false;
  if (count == 0) return true;
  if (made.front() < kBefore || made.back() >= static_cast<int64_t>(columns.event_count)) return false;
  return std::is_sorted(made.begin(), made.end());
}

}  // namespace

Failure derive_lifetimes(const DeviceColumns& columns, Lifetimes& out) {
  const bool sound = curves_are_sound(columns) && levels_are_sound(columns) &&
                     (!(columns.parts & kAllocationsPart) || allocations_are_sound(columns));
  if (!sound) {
    return {"index/not_an_index", "The stored columns of device " + std::to_string(columns.device) + " contradict each other."};
  }
  out.columns = &columns;
  // What a failed read left of a part is not of it.
  const size_t count = columns.parts & kAllocationsPart ? columns.alloc_event.size() : 0;
  out.last_free.assign((count + kLifetimeGroup - 1) / kLifetimeGroup, 0);
  for (size_t i = 0; i < count; ++i) {
    uint32_t& last = out.last_free[i / kLifetimeGroup];
    last = std::max(last, columns.free_requested[i]);
  }
  return {};
}

}  // namespace tidemark
