// Goes through what happens to blocks and reserved memory event by event, as the tables have it.
#pragma once

#include <algorithm>
#include <vector>

#include "model/progress.h"
#include "replay/reservations.h"

namespace tidemark {

// Calls, before the first event: begin(life)…, hold(allocation)…, and for each event: release(allocation)…, end(life)…,
// begin(life)…, hold(allocation)…, after(event). What is released at the event that makes it is never held. A visitor may change
// sizes, and move the end of what is held to the present. Stops early once `progress.cancel` is set. Memory: 12 bytes an allocation, 16 a life.
class HistoryWalk {
 public:
  HistoryWalk(size_t event_count, const AllocationTable& table, const std::vector<Reservation>& lives)
      : event_count_(event_count), table_(table), lives_(lives) {
    for (uint32_t i = 0; i < lives.size(); ++i) {
      begins_.push_back(i);
      if (lives[i].unmap_event != kNoEvent) ends_.push_back(i);
    }
    for (uint32_t i = 0; i < table.count(); ++i) {
      if (table.free_completed[i] != kNoEvent) releases_.push_back(i);
      made_.push_back(i);
    }
    const auto sort = [](std::vector<uint32_t>& order, auto event_of) {
      std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return event_of(a) < event_of(b); });
    };
    sort(begins_, [&](uint32_t i) { return lives[i].map_event; });
    sort(ends_, [&](uint32_t i) { return lives[i].unmap_event; });
    sort(made_, [&](uint32_t i) { return table.alloc_event[i]; });
    sort(releases_, [&](uint32_t i) { return table.free_completed[i]; });
  }

  template <class Visitor>
  void run(Visitor& visitor, const Progress& progress) const {
    size_t begun = 0, ended = 0, made = 0, released = 0;
    for (int64_t event = -1; event < static_cast<int64_t>(event_count_); ++event) {
      if (progress.cancel) return;  // some events of a hostile file take long
      for (; released < releases_.size() && table_.free_completed[releases_[released]] <= event; ++released) {
        if (table_.alloc_event[releases_[released]] < event) visitor.release(releases_[released]);
      }
      for (; ended < ends_.size() && lives_[ends_[ended]].unmap_event == event; ++ended) visitor.end(lives_[ends_[ended]]);
      for (; begun < begins_.size() && lives_[begins_[begun]].map_event == event; ++begun) visitor.begin(lives_[begins_[begun]]);
      for (; made < made_.size() && table_.alloc_event[made_[made]] == event; ++made) {
        if (table_.free_completed[made_[made]] != event) visitor.hold(made_[made]);
      }
      visitor.after(event);
    }
  }

 private:
  const size_t event_count_;
  const AllocationTable& table_;
  const std::vector<Reservation>& lives_;
  std::vector<uint32_t> begins_, ends_;     // lives, by event
  std::vector<uint32_t> made_, releases_;   // allocations, by event
};

}  // namespace tidemark
