#include "nesting/track_order.h"

#include <array>
#include <map>
#include <numeric>
#include <string_view>
#include <tuple>

#include "model/stoppable_sort.h"

namespace tidemark {
namespace {

// -1, 0, 1. Whole numbers as numbers, before texts.
int compare_ids(const std::string& a, bool a_is_text, const std::string& b, bool b_is_text) {
  if (a_is_text != b_is_text) return a_is_text ? 1 : -1;
  if (a_is_text) return a.compare(b);
  const bool a_negative = !a.empty() && a[0] == '-', b_negative = !b.empty() && b[0] == '-';
  if (a_negative != b_negative) return a_negative ? -1 : 1;
  const int sign = a_negative ? -1 : 1;
  if (a.size() != b.size()) return a.size() < b.size() ? -sign : sign;
  return sign * a.compare(b);
}

// rank[i] = place of item i in the order of is_before(a, b); equal ones in order of their index.
template <typename IsBefore>
std::vector<uint32_t> ranks(size_t count, IsBefore is_before, const Progress& progress) {
  std::vector<uint32_t> order(count), out(count);
  std::iota(order.begin(), order.end(), 0u);
  sort_until_cancelled(order, is_before, progress);
  for (uint32_t place = 0; place < count; ++place) out[order[place]] = place;
  return out;
}

std::vector<uint32_t> process_ranks(const Trace& trace, const Progress& progress) {
  const auto is_before = [&](uint32_t a, uint32_t b) {
    const TraceProcess &p = trace.processes[a], &q = trace.processes[b];
    if (p.sort_index != q.sort_index) return p.sort_index < q.sort_index;
    return compare_ids(p.pid, p.pid_is_text, q.pid, q.pid_is_text) < 0;
  };
  return ranks(trace.processes.size(), is_before, progress);
}

std::vector<uint32_t> thread_ranks(const Trace& trace, const Progress& progress) {
  const auto is_before = [&](uint32_t a, uint32_t b) {
    const TraceThread &p = trace.threads[a], &q = trace.threads[b];
    if (p.sort_index != q.sort_index) return p.sort_index < q.sort_index;
    return compare_ids(p.tid, p.tid_is_text, q.tid, q.tid_is_text) < 0;
  };
  return ranks(trace.threads.size(), is_before, progress);
}

std::string trimmed(std::string_view text) {
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\n')) text.remove_suffix(1);
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t' || text.front() == '\n')) text.remove_prefix(1);
  return std::string(text);
}

std::string text_of(const Trace& trace, uint32_t string) { return string == kNone ? std::string() : trimmed(trace.strings.at(string)); }

std::string thread_name(const Trace& trace, const TraceThread& thread, bool is_stream) {
  const std::string name = text_of(trace, thread.name);
  if (!name.empty()) return name;
  if (thread.tid_is_text && !thread.tid.empty()) return trimmed(thread.tid);
  return (is_stream ? "stream " : "thread ") + (thread.has_tid ? thread.tid : std::string("?"));
}

std::string process_name(const Trace& trace, const TraceProcess& process) {
  const std::string name = text_of(trace, process.name);
  if (!name.empty()) return name;
  return "process " + (process.has_pid ? process.pid : std::string("?"));
}

std::string counter_name(const Trace& trace, const TraceCounterSeries& series) {
  std::string name = text_of(trace, series.name);
  if (name.empty()) name = "counter";
  return series.id == kNone ? name : name + " " + trace.strings.at(series.id);
}

std::string async_name(const Trace& trace, uint16_t category) {
  const std::string name = text_of(trace, trace.categories[category]);
  return name.empty() ? "async" : name;
}

// A track on its way to its place.
struct Draft {
  Track track;
  std::tuple<uint32_t, int, uint32_t> rank;  // process, group within it, place within that
  uint32_t source = 0;                       // thread, process, or number of the async or counter group
};

// What tells the name of an async or counter track: its process, its name or category, its id. Many items have the same.
using NameSource = std::array<uint32_t, 3>;

enum Group { kProcessGroup, kThreadGroup, kAsyncGroup, kCounterGroup };

class Drafts {
 public:
  Drafts(const Trace& trace, const TrackSources& sources, const Progress& progress)
      : trace_(trace), sources_(sources), progress_(progress), process_rank_(process_ranks(trace, progress)),
        thread_rank_(thread_ranks(trace, progress)) {}

  TrackPlaces place() {
    note_instants();
    add_threads();
    add_async();
    add_counters();
    std::vector<uint32_t> order(drafts_.size());
    std::iota(order.begin(), order.end(), 0u);
    sort_until_cancelled(order, [&](uint32_t a, uint32_t b) { return drafts_[a].rank < drafts_[b].rank; }, progress_);
    if (progress_.cancel) return {};
    for (const uint32_t draft : order) settle(drafts_[draft]);
    for (uint32_t& group : out_.of_async_key) group = async_track_[group];
    for (uint32_t& group : out_.of_series) group = counter_track_[group];
    return std::move(out_);
  }

 private:
  void note_instants() {
    has_instants_.assign(trace_.threads.size(), 0);
    std::vector<uint8_t> of_process(trace_.processes.size());
    bool of_all = false;
    for (size_t i = 0; i < trace_.instants.size() && !is_cancelled_at(i, progress_); ++i) {
      const TraceInstant instant = trace_.instants[i];
      if (instant.scope == 'g') of_all = true;
      else if (instant.scope == 'p') of_process[trace_.threads[instant.thread].process] = 1;
      else has_instants_[instant.thread] = 1;
    }
    out_.of_process.assign(trace_.processes.size(), kNone);
    for (uint32_t p = 0; p < of_process.size(); ++p) {
      if (of_process[p]) add(TrackKind::process, p, kNone, process_name(trace_, trace_.processes[p]), kProcessGroup, 0, p);
    }
    if (!of_all) return;
    Draft draft;
    draft.track.kind = TrackKind::global;
    draft.track.process = kNone;
    draft.track.name = "trace";
    draft.rank = {0, -1, 0};
    drafts_.push_back(draft);
  }
  void add_threads() {
    out_.of_thread.assign(trace_.threads.size(), kNone);
    for (uint32_t t = 0; t < trace_.threads.size(); ++t) {
      if (sources_.thread_slices[t] == 0 && !has_instants_[t]) continue;
      const TraceThread& thread = trace_.threads[t];
      const bool is_stream = sources_.thread_is_gpu[t] != 0;
      add(is_stream ? TrackKind::stream : TrackKind::thread, thread.process, t, thread_name(trace_, thread, is_stream), kThreadGroup,
          thread_rank_[t], t);
    }
  }
  void add_async() {
    const auto source_of = [](const TraceAsyncKey& key) { return NameSource{key.process, key.category, 0}; };
    const auto name_of = [&](const TraceAsyncKey& key) { return async_name(trace_, key.category); };
    async_track_.assign(add_groups(TrackKind::async, kAsyncGroup, trace_.async_keys, source_of, name_of, out_.of_async_key), kNone);
  }
  void add_counters() {
    const auto source_of = [](const TraceCounterSeries& series) { return NameSource{series.process, series.name, series.id}; };
    const auto name_of = [&](const TraceCounterSeries& series) { return counter_name(trace_, series); };
    counter_track_.assign(add_groups(TrackKind::counter, kCounterGroup, trace_.series, source_of, name_of, out_.of_series), kNone);
  }
  // A track for the items of one process and name, in order of the name; answers how many, and in `group_of` the number of each item's. A name
  // is made once for all items of one source: a short file can name a long one for a hundred thousand series.
  template <typename Item, typename SourceOf, typename NameOf>
  uint32_t add_groups(TrackKind kind, Group group, const std::vector<Item>& items, SourceOf source_of, NameOf name_of,
                      std::vector<uint32_t>& group_of) {
    std::map<NameSource, uint32_t> sources;
    std::vector<uint32_t> source_of_item, group_of_source;
    std::vector<const Item*> first;  // by source
    for (size_t i = 0; i < items.size() && !is_cancelled_at(i, progress_); ++i) {
      const auto [at, is_new] = sources.try_emplace(source_of(items[i]), static_cast<uint32_t>(first.size()));
      if (is_new) first.push_back(&items[i]);
      source_of_item.push_back(at->second);
    }
    std::map<std::pair<uint32_t, std::string>, std::vector<uint32_t>> groups;  // process and name: in order of the name
    for (uint32_t source = 0; source < first.size() && !progress_.cancel; ++source) {
      groups[{first[source]->process, name_of(*first[source])}].push_back(source);
    }
    group_of_source.resize(first.size());
    uint32_t next = 0;
    for (const auto& [named, members] : groups) {
      if (progress_.cancel) break;
      for (const uint32_t source : members) group_of_source[source] = next;
      add(kind, named.first, kNone, named.second, group, next, next);
      ++next;
    }
    for (const uint32_t source : source_of_item) group_of.push_back(group_of_source[source]);
    return next;
  }
  void add(TrackKind kind, uint32_t process, uint32_t thread, std::string name, Group group, uint32_t place, uint32_t source) {
    Draft draft;
    draft.track.kind = kind;
    draft.track.process = process;
    draft.track.thread = thread;
    draft.track.name = std::move(name);
    draft.rank = {process_rank_[process], group, place};
    draft.source = source;
    drafts_.push_back(std::move(draft));
  }
  void settle(Draft& draft) {
    const auto at = static_cast<uint32_t>(out_.tracks.size());
    out_.tracks.push_back(std::move(draft.track));
    out_.tracks.back().order = at;
    switch (out_.tracks.back().kind) {
      case TrackKind::thread:
      case TrackKind::stream: out_.of_thread[draft.source] = at; break;
      case TrackKind::async: async_track_[draft.source] = at; break;
      case TrackKind::counter: counter_track_[draft.source] = at; break;
      case TrackKind::process: out_.of_process[draft.source] = at; break;
      case TrackKind::global: out_.of_all = at;
    }
  }

  const Trace& trace_;
  const TrackSources& sources_;
  const Progress& progress_;
  std::vector<uint32_t> process_rank_, thread_rank_;
  std::vector<uint8_t> has_instants_;  // by thread
  std::vector<Draft> drafts_;
  std::vector<uint32_t> async_track_, counter_track_;  // by group
  TrackPlaces out_;
};

}  // namespace

TrackPlaces place_tracks(const Trace& trace, const TrackSources& sources, const Progress& progress) {
  return Drafts(trace, sources, progress).place();
}

uint32_t track_of(const TrackPlaces& places, const Trace& trace, const TraceInstant& instant) {
  if (instant.scope == 'g') return places.of_all;
  if (instant.scope == 'p') return places.of_process[trace.threads[instant.thread].process];
  return places.of_thread[instant.thread];
}

}  // namespace tidemark
