// The driver's side: how much memory there is, and at which addresses it is given out.
#pragma once

#include <cstdint>
#include <map>

namespace tidemark {

inline constexpr uint64_t kUnlimited = UINT64_MAX;
inline constexpr uint64_t kMostBytes = uint64_t{1} << 40;  // more than any device has: never given out at once

// Where the recorded run got a segment.
struct SegmentPlace {
  uint64_t address = 0;
  uint64_t bytes = 0;  // 0 = it got none
};

// What bounds the memory that the allocator may reserve.
enum class Limit {
  none,
  fraction,  // a cap on the process (set_per_process_memory_fraction): asked before every reservation, by the bytes of a segment
  device,    // the memory of the device that nothing else holds: each reservation and each page needs its bytes
};

class Driver {
 public:
  Driver(Limit limit, uint64_t capacity) : limit_(limit), capacity_(limit == Limit::none ? kUnlimited : capacity) {}

  Limit limit() const { return limit_; }
  uint64_t capacity() const { return capacity_; }
  uint64_t reserved() const { return reserved_; }
  uint64_t peak() const { return peak_; }

  // Whether a cap on the process forbids a segment of `bytes`.
  bool is_capped(uint64_t bytes) const { return limit_ == Limit::fraction && !fits(bytes); }
  // Whether the device lacks `bytes`.
  bool lacks(uint64_t bytes) const { return limit_ == Limit::device && !fits(bytes); }

  // What was reserved before the first event.
  void adopt(uint64_t address, uint64_t bytes);
  // Reserves a segment, where `recorded` has one of these bytes and nothing is in the way. Answers its address.
  uint64_t take(uint64_t bytes, const SegmentPlace& recorded);
  void give_back(uint64_t address, uint64_t bytes);

  // Segments that were taken, and the bytes of the last.
  uint64_t take_count() const { return take_count_; }
  uint64_t last_taken() const { return last_taken_; }

  // Pages of expandable segments, whose addresses are none of the driver's business.
  void map(uint64_t bytes) { grow(bytes); }
  void unmap(uint64_t bytes) { reserved_ -= bytes; }

 private:
  bool fits(uint64_t bytes) const { return bytes <= capacity_ && reserved_ <= capacity_ - bytes; }
  void grow(uint64_t bytes);
  bool is_clear(uint64_t address, uint64_t bytes) const;
  uint64_t find_place(uint64_t bytes);
  bool is_hole(uint64_t address) const;
  void add_rest(uint64_t end);
  void cut_hole(uint64_t from, uint64_t to);
  void occupy(uint64_t address, uint64_t bytes);

  const Limit limit_;
  const uint64_t capacity_;
  uint64_t reserved_ = 0;
  uint64_t peak_ = 0;
  uint64_t take_count_ = 0;
  uint64_t last_taken_ = 0;
  std::map<uint64_t, uint64_t> taken_;  // bytes by address
  std::map<uint64_t, uint64_t> holes_;  // free bytes that were taken before, or were left of a stretch, by address
};

}  // namespace tidemark
