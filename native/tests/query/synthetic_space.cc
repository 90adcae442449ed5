#include "synthetic_space.h"

#include <algorithm>

#include "synthetic_device.h"

namespace tidemark_test {
namespace {

using tidemark::DeviceColumns;
using tidemark::Reservation;

constexpr size_t kUnits = 24 * 4096;  // of the address space: 48 MiB
constexpr size_t kSmallPageUnits = 4096;
constexpr size_t kLargePageUnits = 40960;
constexpr uint64_t kBase = 0x7f2000000000;
constexpr uint32_t kOpen = tidemark::kNoEvent;

size_t below(std::mt19937& random, size_t end) { return std::uniform_int_distribution<size_t>(0, end - 1)(random); }

// One life of some units.
struct WalkAllocation {
  size_t first = 0;
  size_t count = 0;
  uint64_t requested = 0;
  int64_t made = -1;
  int64_t requested_free = kOpen;  // −1 = before the first event
  int64_t freed = kOpen;
};

struct WalkReservation {
  size_t first = 0;
  size_t count = 0;
  int32_t place = 0;
  int64_t mapped = -1;
  int64_t unmapped = kOpen;
};

class SpaceWalk {
 public:
  SpaceWalk(std::mt19937& random, SpaceDevice& out) : random_(random), out_(out) {
    now_.owner.assign(kUnits, -1);
    now_.reservation.assign(kUnits, -1);
    now_.is_pending.assign(kUnits, false);
  }

  void run(size_t start, size_t event_count) {
    for (size_t i = 0; i < start; ++i) step(-1);
    forget_the_gone();
    out_.moments.push_back(now_);
    for (size_t event = 0; event < event_count; ++event) {
      step(static_cast<int64_t>(event));
      out_.moments.push_back(now_);
    }
    write(event_count);
  }

 private:
  void step(int64_t event) {
    switch (below(random_, 12)) {
      case 0: reserve_plain(event); break;
      case 1:
      case 2: reserve_pages(event); break;
      case 3: unreserve(event); break;
      case 4:
      case 5: request_free(event); break;
      case 6:
      case 7: complete_free(event); break;
      default: allocate(event);
    }
  }

  bool all_unreserved(size_t first, size_t count) const {
    return std::all_of(&now_.reservation[first], &now_.reservation[0] + first + count, [](int32_t r) { return r < 0; });
  }

  void reserve(size_t first, size_t count, const SpacePlace& place, int64_t event) {
    if (first + count > kUnits || !all_unreserved(first, count)) return;
    reservations_.push_back({first, count, static_cast<int32_t>(out_.places.size()), event, kOpen});
    out_.places.push_back(place);
    std::fill_n(&now_.reservation[first], count, reservations_.back().place);
  }

  SpacePlace any_place(bool is_expandable) {
    SpacePlace place;
    place.stream = static_cast<int16_t>(below(random_, 2));
    place.pool = static_cast<int16_t>(below(random_, 5) == 0);
    place.is_small = below(random_, 3) > 0;
    place.is_expandable = is_expandable;
    return place;
  }

  void reserve_plain(int64_t event) { reserve(below(random_, kUnits), 1 + below(random_, 3000), any_place(false), event); }

  void reserve_pages(int64_t event) {
    const SpacePlace place = any_place(true);
    const size_t page = place.is_small ? kSmallPageUnits : kLargePageUnits;
    reserve(below(random_, kUnits / kSmallPageUnits) * kSmallPageUnits, page, place, event);
  }

  // Gives back a wholly free reservation; of an expandable one perhaps only a part.
  void unreserve(int64_t event) {
    if (reservations_.empty()) return;
    WalkReservation& r = reservations_[below(random_, reservations_.size())];
    if (r.unmapped != kOpen) return;
    const bool is_free = std::all_of(&now_.owner[r.first], &now_.owner[0] + r.first + r.count, [](int32_t o) { return o < 0; });
    if (!is_free) return;
    const WalkReservation whole = r;
    r.unmapped = event;
    std::fill_n(&now_.reservation[whole.first], whole.count, -1);
    if (!out_.places[static_cast<size_t>(whole.place)].is_expandable || below(random_, 2) == 0) return;
    const SpacePlace place = out_.places[static_cast<size_t>(whole.place)];
    reserve(whole.first, whole.count / 2, place, event);  // the parts that stay
  }

  bool joined(size_t a, size_t b) const {
    const int32_t ra = now_.reservation[a];
    const int32_t rb = now_.reservation[b];
    if (ra < 0 || rb < 0 || ra == rb) return ra == rb && ra >= 0;
    const SpacePlace& pa = out_.places[static_cast<size_t>(ra)];
    const SpacePlace& pb = out_.places[static_cast<size_t>(rb)];
    return pa.is_expandable && pb.is_expandable && pa.stream == pb.stream && pa.pool == pb.pool && pa.is_small == pb.is_small;
  }

  void allocate(int64_t event) {
    const size_t first = below(random_, kUnits);
    if (now_.reservation[first] < 0 || now_.owner[first] >= 0) return;
    const size_t most = 1 + below(random_, below(random_, 2) ? 4 : 5000);
    size_t count = 1;
    while (count < most && first + count < kUnits && now_.owner[first + count] < 0 && joined(first + count - 1, first + count)) {
      ++count;
    }
    const int32_t index = static_cast<int32_t>(allocations_.size());
    allocations_.push_back({first, count, count * kUnit - below(random_, kUnit), event, kOpen, kOpen});
    std::fill_n(&now_.owner[first], count, index);
    std::fill_n(now_.is_pending.begin() + static_cast<std::ptrdiff_t>(first), count, false);
  }

  WalkAllocation* any_allocation() { return allocations_.empty() ? nullptr : &allocations_[below(random_, allocations_.size())]; }

  void request_free(int64_t event) {
    WalkAllocation* a = any_allocation();
    if (!a || a->requested_free != kOpen) return;
    a->requested_free = event;
    std::fill_n(now_.is_pending.begin() + static_cast<std::ptrdiff_t>(a->first), a->count, true);
  }

  void complete_free(int64_t event) {
    WalkAllocation* a = any_allocation();
    if (!a || a->freed != kOpen) return;
    if (a->requested_free == kOpen) a->requested_free = event;  // the merged form `free`
    a->freed = event;
    std::fill_n(&now_.owner[a->first], a->count, -1);
  }

  // What was over before the history begins is not in it; those that were made before it come by address.
  void forget_the_gone() {
    std::vector<size_t> kept;
    for (size_t i = 0; i < allocations_.size(); ++i) {
      if (allocations_[i].freed == kOpen) kept.push_back(i);
    }
    std::sort(kept.begin(), kept.end(), [&](size_t a, size_t b) { return allocations_[a].first < allocations_[b].first; });
    std::vector<WalkAllocation> early;
    for (const size_t i : kept) {
      std::fill_n(&now_.owner[allocations_[i].first], allocations_[i].count, static_cast<int32_t>(early.size()));
      early.push_back(allocations_[i]);
    }
    allocations_ = std::move(early);
    const auto is_over = [](const WalkReservation& r) { return r.unmapped != kOpen; };
    reservations_.erase(std::remove_if(reservations_.begin(), reservations_.end(), is_over), reservations_.end());
  }

  void write(size_t event_count) {
    DeviceColumns& columns = out_.columns;
    out_.base = kBase;
    columns.device = 0;
    columns.event_count = event_count;
    columns.first_allocation_id = 1000;
    columns.allocation_count = allocations_.size();
    std::vector<int64_t> requested, stack, stream, pool;
    for (const WalkAllocation& a : allocations_) {
      columns.address.push_back(kBase + a.first * kUnit);
      columns.size.push_back(a.count * kUnit);
      columns.alloc_event.push_back(static_cast<int32_t>(a.made));
      columns.free_requested.push_back(static_cast<uint32_t>(std::max<int64_t>(a.requested_free, 0)));
      columns.free_completed.push_back(static_cast<uint32_t>(a.freed));
      columns.pending_before.push_back(a.requested_free == -1);
      requested.push_back(static_cast<int64_t>(a.requested));
      stack.push_back(static_cast<int64_t>(below(random_, 6)) - 1);
      stream.push_back(static_cast<int64_t>(below(random_, 2)));
      pool.push_back(0);
    }
    columns.requested = pack(requested);
    columns.stack = pack(stack);
    columns.stream = pack(stream);
    columns.pool = pack(pool);
    columns.stack_slot = {1, 2, 3, 25, 40};
    for (const WalkReservation& r : reservations_) {
      const SpacePlace& place = out_.places[static_cast<size_t>(r.place)];
      columns.reservations.push_back({kBase + r.first * kUnit, r.count * kUnit, r.mapped, static_cast<uint32_t>(r.unmapped),
                                      place.stream, place.pool, place.is_small, place.is_expandable});
    }
    std::sort(columns.reservations.begin(), columns.reservations.end(), [](const Reservation& a, const Reservation& b) {
      return a.address != b.address ? a.address < b.address : a.map_event < b.map_event;
    });
  }

  std::mt19937& random_;
  SpaceDevice& out_;
  SpaceMoment now_;
  std::vector<WalkAllocation> allocations_;
  std::vector<WalkReservation> reservations_;
};

uint64_t wild_number(std::mt19937& random) {
  const uint64_t bits = (uint64_t{random()} << 32) | random();
  switch (random() % 4) {
    case 0: return bits >> (random() % 64);
    case 1: return UINT64_MAX - bits % 2048;
    case 2: return 0x7f0000000000 + bits % 4096;
    default: return 0x7f0000000000 + bits % 64 * kUnit;
  }
}

}  // namespace

void random_space(std::mt19937& random, size_t start, size_t event_count, SpaceDevice& out) {
  SpaceWalk(random, out).run(start, event_count);
}

void hostile_space(std::mt19937& random, size_t event_count, DeviceColumns& out) {
  const size_t count = random() % 300;
  out.event_count = event_count;
  out.allocation_count = count;
  std::vector<int64_t> requested, numbers;
  const auto any_event = [&] { return static_cast<uint32_t>(random() % (event_count + 2)); };
  for (size_t i = 0; i < count; ++i) {
    out.address.push_back(wild_number(random));
    out.size.push_back(wild_number(random));
    out.alloc_event.push_back(static_cast<int32_t>(any_event() % event_count) - 1);
    out.free_requested.push_back(random() % 3 ? kOpen : any_event());
    out.free_completed.push_back(random() % 3 ? kOpen : any_event());
    requested.push_back(static_cast<int64_t>(wild_number(random)));
    numbers.push_back(static_cast<int64_t>(random() % 7) - 1);
  }
  std::sort(out.alloc_event.begin(), out.alloc_event.end());
  out.requested = pack(requested);
  out.stack = pack(numbers);
  out.stream = pack(numbers);
  out.pool = pack(numbers);
  for (size_t i = 0; i < random() % 60; ++i) {
    out.reservations.push_back({wild_number(random), wild_number(random), static_cast<int64_t>(any_event()) - 1,
                                random() % 2 ? kOpen : any_event(), static_cast<int16_t>(random() % 3 - 1), 0, random() % 2 == 0,
                                random() % 2 == 0});
  }
}

}  // namespace tidemark_test
