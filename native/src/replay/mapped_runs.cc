#include "replay/mapped_runs.h"

#include <algorithm>
#include <iterator>

namespace tidemark {
namespace {

// Whether `high`, which begins where `low` ends, is a part of it. What is unknown agrees with anything.
bool joins(const MappedRun& low, const MappedRun& high) {
  const bool same_pool = low.pool == high.pool || low.pool < 0 || high.pool < 0;
  return low.is_expandable && high.is_expandable && low.stream == high.stream && low.is_small == high.is_small && same_pool;
}

}  // namespace

MappedRuns::Runs::iterator MappedRuns::add(const Reservation& life) {
  auto at = runs_.insert_or_assign(life.address, MappedRun{life.end(), 0, life.stream, life.pool, life.is_small, life.is_expandable}).first;
  const auto next = std::next(at);
  if (next != runs_.end() && next->first == at->second.end && joins(at->second, next->second)) {
    at->second.end = next->second.end;
    at->second.pool = std::max(at->second.pool, next->second.pool);
    runs_.erase(next);
  }
  if (at == runs_.begin()) return at;
  const auto before = std::prev(at);
  if (before->second.end != at->first || !joins(before->second, at->second)) return at;
  before->second.end = at->second.end;
  before->second.pool = std::max(before->second.pool, at->second.pool);
  runs_.erase(at);
  return before;
}

void MappedRuns::remove(const Reservation& life) {
  const auto at = over(life.address);
  if (at == runs_.end()) return;
  const MappedRun whole = at->second;
  if (at->first < life.address) at->second.end = life.address;
  else runs_.erase(at);
  if (life.end() < whole.end) runs_[life.end()] = whole;
}

MappedRuns::Runs::iterator MappedRuns::over(uint64_t address) {
  auto at = runs_.upper_bound(address);
  if (at == runs_.begin()) return runs_.end();
  --at;
  return address < at->second.end ? at : runs_.end();
}

uint64_t MappedRuns::bound(uint64_t address) {
  const auto run = over(address);
  if (run != runs_.end()) return run->second.end;
  const auto next = runs_.upper_bound(address);
  return next == runs_.end() ? UINT64_MAX : next->first;
}

}  // namespace tidemark
