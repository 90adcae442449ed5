#include "store/value_index.h"

#include <algorithm>
#include <array>

#include "model/bits.h"

namespace tidemark {
namespace {

unsigned bits_of(uint64_t value) { return value ? static_cast<unsigned>(highest_bit(value)) + 1 : 0; }

}  // namespace

std::unique_ptr<ValueIndex> ValueIndex::make(const std::vector<int64_t>& values) {
  std::unique_ptr<ValueIndex> out(new ValueIndex());
  if (values.empty()) return out;
  out->base_ = *std::min_element(values.begin(), values.end());
  const auto distance = [&](int64_t value) { return static_cast<uint64_t>(value) - static_cast<uint64_t>(out->base_); };
  uint64_t used = 0;
  uint64_t largest = 0;
  for (const int64_t value : values) {
    used |= distance(value);
    largest = std::max(largest, distance(value));
  }
  out->shift_ = used ? static_cast<unsigned>(lowest_bit(used)) : 0;
  out->key_bits_ = bits_of(largest >> out->shift_);
  out->row_bits_ = std::max(1u, bits_of(values.size() - 1));
  if (out->key_bits_ + out->row_bits_ > 64) return nullptr;
  out->entries_.resize(values.size());
  for (size_t row = 0; row < values.size(); ++row) {
    out->entries_[row] = (distance(values[row]) >> out->shift_) << out->row_bits_ | row;
  }
  out->sort_by_key();
  return out;
}

// Radix sort from the lowest digit up. Rows are in order already, and each pass keeps the order of equals.
void ValueIndex::sort_by_key() {
  constexpr unsigned kDigitBits = 11;
  constexpr size_t kDigits = size_t{1} << kDigitBits;
  std::vector<uint64_t> sorted(entries_.size());
  for (unsigned done = 0; done < key_bits_; done += kDigitBits) {
    const auto digit = [&](uint64_t entry) { return (entry >> (row_bits_ + done)) & (kDigits - 1); };
    std::array<size_t, kDigits + 1> start{};
    for (const uint64_t entry : entries_) ++start[digit(entry) + 1];
    for (size_t i = 0; i < kDigits; ++i) start[i + 1] += start[i];
    for (const uint64_t entry : entries_) sorted[start[digit(entry)]++] = entry;
    entries_.swap(sorted);
  }
}

size_t ValueIndex::next(int64_t value, size_t from, size_t to) const {
  if (entries_.empty() || value < base_ || from >= to) return to;
  const uint64_t distance = static_cast<uint64_t>(value) - static_cast<uint64_t>(base_);
  const uint64_t key = distance >> shift_;
  if (key << shift_ != distance || bits_of(key) > key_bits_ || bits_of(from) > row_bits_) return to;
  const auto at = std::lower_bound(entries_.begin(), entries_.end(), key << row_bits_ | from);
  if (at == entries_.end() || *at >> row_bits_ != key) return to;
  return std::min(to, static_cast<size_t>(*at & ((uint64_t{1} << row_bits_) - 1)));
}

}  // namespace tidemark
