#include "replay/reservations.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace tidemark {
namespace {

enum class PoolClass : uint8_t { unknown, small, large };

// What the pieces of one reserved range have in common.
struct Origin {
  uint64_t size = 0;
  int64_t map_event = -1;
  size_t pieces = 0;  // that are reserved now
  uint16_t stream = kNoStream;
  uint16_t pool = kNoPool;
  PoolClass pool_class = PoolClass::unknown;
  bool is_expandable = false;
};

struct Piece {
  uint64_t size = 0;
  uint32_t origin = 0;
};

struct Life {
  uint64_t address, size;
  uint32_t unmap_event, origin;
};

class ReservationRun {
 public:
  explicit ReservationRun(const ReservationInput& input)
      : in_(input), trace_(*input.trace), origins_(input.start_ranges->size() + input.segment_events->size()) {}

  ReservationHistory run() {
    lay_start();
    const std::vector<uint32_t>& events = *in_.segment_events;
    size_t next = 0;
    for (size_t k = 0; k < events.size(); ++k) {
      settle_allocations(next, events[k]);
      next = events[k] + 1;
      out_.event_is_sound.push_back(step(events[k], static_cast<uint32_t>(in_.start_ranges->size() + k)));
    }
    settle_allocations(next, trace_.action.size());
    finish();
    return std::move(out_);
  }

 private:
  using Pieces = std::map<uint64_t, Piece>;

  void lay_start() {
    uint32_t origin = 0;
    for (const auto& [address, range] : *in_.start_ranges) add(origin++, address, -1, range);
    const AllocationTable& table = *in_.allocations;
    for (size_t i = 0; i < table.before_count && unsettled_ > 0; ++i) settle(table.address[i], table.requested[i], kNoPool);
  }

  bool step(uint32_t event, uint32_t origin) {
    const uint64_t address = trace_.address[event];
    const uint64_t size = trace_.size[event];
    if (size == 0 || address + size < address) return false;
    const auto action = static_cast<Action>(trace_.action[event]);
    if (action == Action::segment_free) return give_back(event, address, size);
    if (action == Action::segment_unmap) return unmap(event, address, size);
    if (overlaps(fixed_, address, size) || overlaps(expandable_, address, size)) return false;
    add(origin, address, event, {size, trace_.stream[event], action == Action::segment_map});
    settle_pool(origins_[origin], trace_.pool[event]);
    return true;
  }

  static bool overlaps(const Pieces& pieces, uint64_t address, uint64_t size) {
    const auto next = pieces.lower_bound(address);
    if (next != pieces.end() && next->first - address < size) return true;
    if (next == pieces.begin()) return false;
    const auto before = std::prev(next);
    return address - before->first < before->second.size;
  }

  void add(uint32_t index, uint64_t address, int64_t event, const ReservedRange& range) {
    Origin& origin = origins_[index];
    origin.size = range.size;
    origin.map_event = event;
    origin.pieces = 1;
    origin.stream = range.stream;
    origin.is_expandable = range.is_expandable;
    if (!range.is_expandable) origin.pool_class = range.size <= kSmallPage ? PoolClass::small : PoolClass::large;
    unsettled_ += is_unsettled(origin);
    if (!range.is_expandable) {
      fixed_[address] = {range.size, index};
      return;
    }
    const auto at = expandable_.insert({address, {range.size, index}}).first;
    if (at != expandable_.begin()) note_neighbors(*std::prev(at), *at);
    if (std::next(at) != expandable_.end()) note_neighbors(*at, *std::next(at));
  }

  void note_neighbors(const Pieces::value_type& low, const Pieces::value_type& high) {
    if (low.first + low.second.size == high.first) neighbors_.push_back({low.second.origin, high.second.origin});
  }

  // The whole of a segment that is not expandable.
  bool give_back(uint32_t event, uint64_t address, uint64_t size) {
    const auto at = fixed_.find(address);
    if (at == fixed_.end() || at->second.size != size) return false;
    end_piece(fixed_, at, address, size, event);
    return true;
  }

  bool unmap(uint32_t event, uint64_t address, uint64_t size) {
    const uint64_t end = address + size;
    auto at = expandable_.upper_bound(address);
    if (at != expandable_.begin() && address - std::prev(at)->first < std::prev(at)->second.size) --at;
    bool found = false;
    while (at != expandable_.end() && at->first < end) {
      const uint64_t from = std::max(address, at->first);
      at = end_piece(expandable_, at, from, std::min(end, at->first + at->second.size) - from, event);
      found = true;
    }
    return found;
  }

  // Ends the life of [address, address + size) of a piece; what stays on either side goes on. Answers the piece after it.
  Pieces::iterator end_piece(Pieces& pieces, Pieces::iterator at, uint64_t address, uint64_t size, uint32_t event) {
    const uint64_t start = at->first;
    const Piece piece = at->second;
    const uint64_t rest = start + piece.size - (address + size);
    lives_.push_back({address, size, event, piece.origin});
    Origin& origin = origins_[piece.origin];
    settle_pool(origin, trace_.pool[event]);
    const bool was_unsettled = is_unsettled(origin);
    origin.pieces += (address > start) + (rest > 0);
    if (--origin.pieces == 0) unsettled_ -= was_unsettled;
    if (address > start) {
      at->second.size = address - start;
      ++at;
    } else {
      at = pieces.erase(at);
    }
    if (rest > 0) at = std::next(pieces.insert(at, {address + size, {rest, piece.origin}}));
    return at;
  }

  bool is_unsettled(const Origin& origin) const {
    return origin.pool_class == PoolClass::unknown || (in_.pool_count > 1 && origin.pool == kNoPool);
  }

  void settle_allocations(size_t from, size_t to) {
    for (size_t event = from; event < to && unsettled_ > 0; ++event) {
      if (static_cast<Action>(trace_.action[event]) != Action::alloc) continue;
      settle(trace_.address[event], trace_.size[event], trace_.pool[event]);
    }
  }

  // What an allocation tells of the pieces that it lies in. It may begin before a piece that was mapped for it.
  void settle(uint64_t address, uint64_t requested, uint16_t pool) {
    const uint64_t rounded = in_.rules->round_size(requested);
    const PoolClass pool_class = rounded <= kSmallLimit ? PoolClass::small : PoolClass::large;
    settle_pieces(fixed_, address, rounded, pool_class, pool);
    settle_pieces(expandable_, address, rounded, pool_class, pool);
  }

  void settle_pieces(const Pieces& pieces, uint64_t address, uint64_t size, PoolClass pool_class, uint16_t pool) {
    auto at = pieces.upper_bound(address);
    if (at != pieces.begin() && address - std::prev(at)->first < std::prev(at)->second.size) {
      settle_origin(origins_[std::prev(at)->second.origin], pool_class, pool);
    }
    // Each piece passed is settled here and stops a later walk.
    for (; at != pieces.end() && at->first - address < size; ++at) {
      Origin& origin = origins_[at->second.origin];
      if (origin.pool_class != PoolClass::unknown) return;
      settle_origin(origin, pool_class, pool);
    }
  }

  void settle_origin(Origin& origin, PoolClass pool_class, uint16_t pool) {
    const bool was_unsettled = is_unsettled(origin);
    if (origin.pool_class == PoolClass::unknown) origin.pool_class = pool_class;
    if (origin.pool == kNoPool) origin.pool = pool;
    unsettled_ -= was_unsettled && !is_unsettled(origin);
  }

  void settle_pool(Origin& origin, uint16_t pool) { settle_origin(origin, origin.pool_class, pool); }

  // The final segment that a piece became knows best.
  void settle_by_segment(uint64_t address, Origin& origin) const {
    const Segment* segment = segment_over(*in_.segments, address);
    if (!segment) return;
    origin.pool_class = segment->is_large ? PoolClass::large : PoolClass::small;
    if (segment->pool != kNone) origin.pool = static_cast<uint16_t>(segment->pool);
  }

  // Pieces that lie side by side at some moment are parts of one expandable segment where nothing known of them differs: what
  // is known of one then holds for all.
  void settle_neighbors() {
    std::vector<uint32_t> group(origins_.size());
    std::iota(group.begin(), group.end(), 0);
    const auto first_of = [&](uint32_t origin) {
      while (group[origin] != origin) origin = group[origin] = group[group[origin]];
      return origin;
    };
    for (const auto& [one, other] : neighbors_) {
      const uint32_t low = first_of(one);
      const uint32_t high = first_of(other);
      Origin& a = origins_[low];
      const Origin& b = origins_[high];
      if (low == high || a.stream != b.stream || !agree(a.pool, b.pool, kNoPool)) continue;
      if (!agree(a.pool_class, b.pool_class, PoolClass::unknown)) continue;
      group[high] = low;
      settle_origin(a, b.pool_class, b.pool);
    }
    for (uint32_t i = 0; i < origins_.size(); ++i) {
      const Origin& first = origins_[first_of(i)];
      settle_origin(origins_[i], first.pool_class, first.pool);
    }
  }

  template <typename Value>
  static bool agree(Value a, Value b, Value unknown) {
    return a == b || a == unknown || b == unknown;
  }

  // What never held anything: the large pool maps whole large pages.
  static void settle_by_size(Origin& origin, PoolClass of_large_pages) {
    if (origin.pool_class != PoolClass::unknown) return;
    origin.pool_class = origin.size % kLargePage == 0 ? of_large_pages : PoolClass::small;
  }

  void finish() {
    for (const Pieces* pieces : {&fixed_, &expandable_}) {
      for (const auto& [address, piece] : *pieces) {
        lives_.push_back({address, piece.size, kNoEvent, piece.origin});
        settle_by_segment(address, origins_[piece.origin]);
      }
    }
    for (Origin& origin : origins_) settle_by_size(origin, PoolClass::unknown);
    settle_neighbors();
    for (size_t i = 0; i < origins_.size(); ++i) {
      Origin& origin = origins_[i];
      settle_by_size(origin, PoolClass::large);
      if (origin.pool == kNoPool && in_.pool_count <= 1) origin.pool = 0;
      auto& is_small = i < in_.start_ranges->size() ? out_.start_is_small : out_.event_is_small;
      is_small.push_back(origin.pool_class == PoolClass::small);
    }
    out_.lives.reserve(lives_.size());
    for (const Life& life : lives_) out_.lives.push_back(reservation(life));
    std::sort(out_.lives.begin(), out_.lives.end(), [](const Reservation& a, const Reservation& b) {
      return a.address != b.address ? a.address < b.address : a.map_event < b.map_event;
    });
  }

  Reservation reservation(const Life& life) const {
    const Origin& origin = origins_[life.origin];
    Reservation out;
    out.address = life.address;
    out.size = life.size;
    out.map_event = origin.map_event;
    out.unmap_event = life.unmap_event;
    out.stream = origin.stream == kNoStream ? -1 : int32_t{origin.stream};
    out.pool = origin.pool == kNoPool ? -1 : int32_t{origin.pool};
    out.is_small = origin.pool_class == PoolClass::small;
    out.is_expandable = origin.is_expandable;
    return out;
  }

  const ReservationInput& in_;
  const DeviceTrace& trace_;
  std::vector<Origin> origins_;  // of the start ranges by address, then one a segment event
  Pieces fixed_;                 // what is reserved now, by address: segments that are given back as a whole
  Pieces expandable_;            // and those that are unmapped in parts, apart, so that an unmap meets no others
  std::vector<std::pair<uint32_t, uint32_t>> neighbors_;  // origins of expandable pieces that lie side by side at some moment
  std::vector<Life> lives_;      // ended
  size_t unsettled_ = 0;         // origins with pieces of which an allocation could tell more
  ReservationHistory out_;
};

}  // namespace

ReservationHistory derive_reservations(const ReservationInput& input) { return ReservationRun(input).run(); }

}  // namespace tidemark
