#include "synthetic_device.h"

#include <algorithm>

namespace tidemark_test {
namespace {

using tidemark::CurveLevel;
using tidemark::DeviceColumns;
using tidemark::kCurveCount;

constexpr size_t kFan = 64;

// The pyramid's level above `below`, which has `count` items.
CurveLevel level_above(const CurveLevel& below, size_t count) {
  CurveLevel level;
  for (size_t first = 0; first < count; first += kFan) {
    const size_t end = std::min(count, first + kFan);
    for (int curve = 0; curve < kCurveCount; ++curve) {
      level.min[curve].push_back(*std::min_element(&below.min[curve][first], &below.min[curve][0] + end));
      level.max[curve].push_back(*std::max_element(&below.max[curve][first], &below.max[curve][0] + end));
    }
    const int64_t* allocated = below.max[tidemark::kAllocated].data();
    level.rep.push_back(below.rep[static_cast<size_t>(std::max_element(allocated + first, allocated + end) - allocated)]);
  }
  return level;
}

void build_levels(const std::vector<int64_t> (&curves)[kCurveCount], size_t event_count, DeviceColumns& out) {
  CurveLevel events;
  for (int curve = 0; curve < kCurveCount; ++curve) events.min[curve] = events.max[curve] = curves[curve];
  for (size_t event = 0; event < event_count; ++event) events.rep.push_back(static_cast<uint32_t>(event));
  const CurveLevel* below = &events;
  out.levels.reserve(8);
  for (size_t count = event_count; count > 1; count = out.levels.back().rep.size()) {
    out.levels.push_back(level_above(*below, count));
    below = &out.levels.back();
  }
}

void build_curves(const DeviceParts& parts, DeviceColumns& out) {
  std::vector<int64_t> change(parts.event_count + 1, 0);  // item e + 1 is event e, item 0 is the start
  for (const Lifetime& lifetime : parts.lifetimes) {
    if (lifetime.is_pending_before) continue;
    change[static_cast<size_t>(lifetime.alloc_event + 1)] += static_cast<int64_t>(lifetime.size);
    if (lifetime.free_requested < parts.event_count) change[lifetime.free_requested + 1] -= static_cast<int64_t>(lifetime.size);
  }
  std::vector<int64_t> curves[kCurveCount];
  int64_t allocated = 0;
  int64_t reserved = 0;
  for (size_t i = 0; i <= parts.event_count; ++i) {
    allocated += change[i];
    reserved = std::max(reserved, allocated);
    const int64_t values[kCurveCount] = {allocated, allocated + static_cast<int64_t>(i % 7) * 512, reserved,
                                         allocated - allocated / 3 - static_cast<int64_t>(i % 5)};
    for (int curve = 0; curve < kCurveCount; ++curve) {
      if (i == 0) out.start[curve] = values[curve];
      else curves[curve].push_back(values[curve]);
    }
  }
  const auto& of_events = curves[tidemark::kAllocated];
  if (!of_events.empty()) out.peak_event = std::max_element(of_events.begin(), of_events.end()) - of_events.begin();
  for (int curve = 0; curve < kCurveCount; ++curve) out.curve[curve] = pack(curves[curve]);
  build_levels(curves, parts.event_count, out);
}

uint64_t heavy_tailed_size(std::mt19937& random) {
  const int exponent = std::uniform_int_distribution<int>(0, 15)(random);
  return 512 * (1 + random() % (uint64_t{1} << exponent));
}

}  // namespace

tidemark::PackedColumn pack(const std::vector<int64_t>& values) {
  tidemark::PackedColumn column;
  for (size_t first = 0; first < values.size(); first += tidemark::kPackedPiece) {
    column.append(tidemark::pack_piece(&values[first], std::min(tidemark::kPackedPiece, values.size() - first)));
  }
  return column;
}

void build_device(const DeviceParts& parts, DeviceColumns& out) {
  out.event_count = parts.event_count;
  out.has_times = !parts.times.empty();
  out.time_ns = pack(parts.times);
  std::vector<int64_t> stack, stream, pool, requested;
  for (const Lifetime& lifetime : parts.lifetimes) {
    out.alloc_event.push_back(lifetime.alloc_event);
    out.free_requested.push_back(lifetime.free_requested);
    out.pending_before.push_back(lifetime.is_pending_before ? 1 : 0);
    out.size.push_back(lifetime.size);
    stack.push_back(lifetime.stack);
    stream.push_back(lifetime.stream);
    pool.push_back(lifetime.pool);
    requested.push_back(static_cast<int64_t>(lifetime.size - lifetime.size / 9));
    out.address.push_back(lifetime.address);
    out.free_completed.push_back(lifetime.free_completed);
  }
  out.stack = pack(stack);
  out.stream = pack(stream);
  out.pool = pack(pool);
  out.requested = pack(requested);
  out.reservations = parts.reservations;
  out.stack_slot = parts.stack_slots;
  build_curves(parts, out);
}

DeviceParts random_parts(std::mt19937& random, size_t event_count, size_t allocation_count, bool with_times) {
  DeviceParts parts;
  parts.event_count = event_count;
  int64_t time = 0;
  for (size_t event = 0; with_times && event < event_count; ++event) {
    time += random() % 3 == 0 ? 0 : static_cast<int64_t>(random() % 5000);
    parts.times.push_back(time);
  }
  const size_t stacks = 40;
  for (size_t stack = 0; stack < stacks; ++stack) parts.stack_slots.push_back(static_cast<uint8_t>(1 + stack % 25));
  for (size_t i = 0; i < allocation_count; ++i) {
    Lifetime lifetime;
    const bool before = event_count == 0 || random() % 4 == 0;
    lifetime.alloc_event = before ? -1 : static_cast<int32_t>(random() % event_count);
    const uint64_t room = event_count - static_cast<uint64_t>(lifetime.alloc_event + 1);
    const uint64_t longest = random() % 2 == 0 ? std::min<uint64_t>(room, 8) : room;
    if (longest > 0 && random() % 5 != 0) {
      lifetime.free_requested = static_cast<uint32_t>(static_cast<uint64_t>(lifetime.alloc_event + 1) + random() % longest);
    }
    lifetime.size = random() % 8 == 0 ? 0 : random() % 3 == 0 ? 512 : heavy_tailed_size(random);
    lifetime.stack = static_cast<int64_t>(random() % (stacks + 1)) - 1;
    lifetime.stream = static_cast<int64_t>(random() % 3);
    lifetime.pool = static_cast<int64_t>(random() % 60);
    parts.lifetimes.push_back(lifetime);
  }
  std::stable_sort(parts.lifetimes.begin(), parts.lifetimes.end(),
                   [](const Lifetime& a, const Lifetime& b) { return a.alloc_event < b.alloc_event; });
  return parts;
}

void add_places(std::mt19937& random, DeviceParts& parts) {
  constexpr uint64_t kBase = 0x7f0000000000;
  constexpr uint64_t kSlot = uint64_t{1} << 25;  // holds the largest size that random_parts makes
  const uint64_t slots = 1 + random() % 6;
  for (uint64_t slot = 0; slot < slots; ++slot) {
    const bool is_expandable = random() % 3 == 0;
    const uint64_t step = random() % 2 == 0 ? kSlot : kSlot / 4;  // touches the next, or leaves a gap
    for (uint64_t life = 0; life < 1 + random() % 3; ++life) {
      tidemark::Reservation piece;
      piece.address = kBase + slot * kSlot + random() % 2 * step / 2;
      piece.size = step;
      piece.map_event = parts.event_count == 0 ? -1 : static_cast<int64_t>(random() % (parts.event_count + 1)) - 1;
      const uint64_t last = parts.event_count + 1;
      const uint64_t unmap_event = static_cast<uint64_t>(piece.map_event + 1) + random() % last;
      piece.unmap_event = random() % 2 ? 0xFFFFFFFFu : static_cast<uint32_t>(unmap_event);
      piece.is_expandable = is_expandable;
      parts.reservations.push_back(piece);
    }
  }
  std::sort(parts.reservations.begin(), parts.reservations.end(), [](const auto& a, const auto& b) {
    return a.address != b.address ? a.address < b.address : a.map_event < b.map_event;
  });
  for (Lifetime& lifetime : parts.lifetimes) {
    lifetime.address = kBase + random() % (slots * 4) * (kSlot / 4) + random() % 1000 * 512;
    lifetime.is_pending_before = lifetime.alloc_event == -1 && random() % 3 == 0;
    if (lifetime.is_pending_before) lifetime.free_requested = 0;
    if (lifetime.free_requested == 0xFFFFFFFFu || random() % 7 == 0) continue;
    lifetime.free_completed = lifetime.free_requested + static_cast<uint32_t>(random() % 20);
  }
}

DeviceParts training_parts(std::mt19937& random, size_t event_count, size_t resident) {
  DeviceParts parts;
  const size_t stacks = 4000;
  for (size_t stack = 0; stack < stacks; ++stack) parts.stack_slots.push_back(static_cast<uint8_t>(1 + stack % 25));
  std::vector<size_t> saved;
  size_t event = 0;
  const auto make = [&](uint32_t free_event) {
    parts.lifetimes.push_back({static_cast<int32_t>(event++), free_event, heavy_tailed_size(random),
                               static_cast<int64_t>(random() % stacks), 0, 0});
  };
  const auto free_saved = [&] {
    parts.lifetimes[saved.back()].free_requested = static_cast<uint32_t>(event);
    saved.pop_back();
    event += 2;  // requested and completed
  };
  for (size_t i = 0; i < resident; ++i) make(0xFFFFFFFFu);
  while (event + 8 < event_count) {
    const size_t depth = 500 + random() % 3000;
    for (size_t i = 0; i < depth && event + 8 < event_count; ++i) {
      make(0xFFFFFFFFu);
      saved.push_back(parts.lifetimes.size() - 1);
      make(static_cast<uint32_t>(event + 1));  // a temporary, gone at once
      event += 2;
    }
    while (!saved.empty() && event + 8 < event_count) {
      free_saved();
      make(static_cast<uint32_t>(event + 1));
      event += 2;
      if (random() % 1000 == 0) break;  // now and then some of a step stay: caches, metrics, leaks
    }
  }
  parts.event_count = event_count;
  for (size_t i = 0; i < event_count; ++i) parts.times.push_back(static_cast<int64_t>(i * 3000 + random() % 3000));
  return parts;
}

DeviceParts many_live_parts(std::mt19937& random, size_t event_count, size_t live) {
  DeviceParts parts;
  parts.stack_slots = {1, 2, 3, 25};
  for (size_t i = 0; i < live; ++i) parts.lifetimes.push_back({-1, 0xFFFFFFFFu, 512, static_cast<int64_t>(i % 4), 0, 0});
  for (size_t event = 0; event < event_count; event += 2) {
    Lifetime& old = parts.lifetimes[random() % live];
    if (old.free_requested != 0xFFFFFFFFu) continue;
    old.free_requested = static_cast<uint32_t>(event);
    parts.lifetimes.push_back({static_cast<int32_t>(event + 1), 0xFFFFFFFFu, 512, 2, 0, 0});
  }
  parts.event_count = event_count;
  return parts;
}

}  // namespace tidemark_test
