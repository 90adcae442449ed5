#include "replay/lost_frees.h"

#include <algorithm>

#include "replay/history_walk.h"

namespace tidemark {
namespace {

class LostFrees {
 public:
  explicit LostFrees(PairedTrace& paired) : paired_(paired), table_(paired.allocations), is_lost_(table_.count(), 0) {
    for (const ImplicitClose& close : paired.implicit_closes) is_lost_[close.allocation] = 1;
  }

  void begin(const Reservation& life) { close_within(life.address, life.end()); }
  void end(const Reservation& life) { close_within(life.address, life.end()); }

  void hold(uint32_t allocation) {
    const uint64_t address = table_.address[allocation];
    if (now_ >= 0) close_within(address, end_of(allocation));
    if (is_lost_[allocation]) open_[address] = allocation;
  }

  void release(uint32_t allocation) {
    const auto at = open_.find(table_.address[allocation]);
    if (at != open_.end() && at->second == allocation) open_.erase(at);
  }

  void after(int64_t event) { now_ = event + 1; }

 private:
  uint64_t end_of(uint32_t allocation) const {
    const uint64_t address = table_.address[allocation];
    return address + std::min<uint64_t>(table_.size[allocation], UINT64_MAX - address);
  }

  void close_within(uint64_t from, uint64_t to) {
    if (now_ < 0) return;
    auto at = open_.lower_bound(from);
    if (at != open_.begin() && end_of(std::prev(at)->second) > from) --at;
    for (; at != open_.end() && at->first < to; at = open_.erase(at)) close(at->second);
  }

  void close(uint32_t allocation) {
    const auto event = static_cast<uint32_t>(now_);
    const uint32_t requested = table_.free_requested[allocation];
    const bool is_requested_later = requested != kNoEvent && requested > event && requested != table_.free_completed[allocation];
    if (is_requested_later) return;
    const bool was_pending = allocation < paired_.pending_before.size() && paired_.pending_before[allocation];
    if (!was_pending) table_.free_requested[allocation] = std::min(requested, event);
    table_.free_completed[allocation] = event;
  }

  PairedTrace& paired_;
  AllocationTable& table_;
  std::vector<uint8_t> is_lost_;         // by allocation
  std::map<uint64_t, uint32_t> open_;    // address → allocation without a free, while it is active
  int64_t now_ = -1;
};

}  // namespace

void close_when_overlapped(size_t event_count, const std::vector<Reservation>& lives, PairedTrace& paired, const Progress& progress) {
  if (paired.implicit_closes.empty()) return;
  LostFrees lost(paired);
  HistoryWalk(event_count, paired.allocations, lives).run(lost, progress);
  for (ImplicitClose& close : paired.implicit_closes) close.event = paired.allocations.free_completed[close.allocation];
  std::stable_sort(paired.implicit_closes.begin(), paired.implicit_closes.end(),
                   [](const ImplicitClose& a, const ImplicitClose& b) { return a.event < b.event; });
}

}  // namespace tidemark
