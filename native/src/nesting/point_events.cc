#include "nesting/point_events.h"

#include <algorithm>
#include <numeric>

namespace tidemark {
namespace {

constexpr size_t kCancelItems = size_t{1} << 16;

// `is_first`: the track has no other event yet.
void widen(Track& track, int64_t time, bool is_first) {
  track.first_ns = is_first ? time : std::min(track.first_ns, time);
  track.last_ns = is_first ? time : std::max(track.last_ns, time);
}

// Series in order of their tracks, each with its rows; answers the place of each series of the trace.
std::vector<uint32_t> place_series(const Trace& trace, const TrackPlaces& places, NestedTrace& out) {
  std::vector<uint32_t> order(trace.series.size()), place(trace.series.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return places.of_series[a] < places.of_series[b]; });
  for (uint32_t i = 0; i < order.size(); ++i) {
    place[order[i]] = i;
    out.series.push_back({order[i], places.of_series[order[i]], 0, 0});
  }
  for (size_t i = 0; i < trace.samples.size(); ++i) ++out.series[place[trace.samples[i].series]].sample_count;
  uint64_t first = 0;
  for (NestedSeries& series : out.series) {
    series.first_sample = first;
    first += series.sample_count;
  }
  out.samples.resize(first);
  return place;
}

}  // namespace

void move_instants(Trace& trace, const CaptureSpan& span, const TrackPlaces& places, NestedTrace& out, const Progress& progress) {
  const auto& instants = trace.instants;
  std::vector<uint32_t> track(instants.size()), order(instants.size());
  std::iota(order.begin(), order.end(), 0u);
  for (size_t i = 0; i < track.size(); ++i) track[i] = track_of(places, trace, instants[i]);
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    return track[a] != track[b] ? track[a] < track[b] : instants[a].time_ns < instants[b].time_ns;
  });
  out.instants.reserve(order.size());
  out.instant_track.reserve(order.size());
  for (size_t i = 0; i < order.size() && (i % kCancelItems || !progress.cancel); ++i) {
    TraceInstant instant = instants[order[i]];
    instant.time_ns = span.since_start(instant.time_ns);
    Track& of = out.tracks[track[order[i]]];
    widen(of, instant.time_ns, of.slice_count == 0 && of.instant_count == 0);
    if (of.instant_count++ == 0) of.first_instant = i;
    out.instants.push_back(instant);
    out.instant_track.push_back(track[order[i]]);
  }
  trace.instants.clear();
}

void move_samples(Trace& trace, const CaptureSpan& span, const TrackPlaces& places, NestedTrace& out, const Progress& progress) {
  const std::vector<uint32_t> place = place_series(trace, places, out);
  std::vector<uint64_t> next;
  for (const NestedSeries& series : out.series) next.push_back(series.first_sample);
  for (size_t i = 0; i < trace.samples.size() && (i % kCancelItems || !progress.cancel); ++i) {
    const TraceCounterSample sample = trace.samples[i];
    out.samples[next[place[sample.series]]++] = {span.since_start(sample.time_ns), sample.value};
  }
  trace.samples.clear();
  uint32_t track = kNone;
  for (const NestedSeries& series : out.series) {
    if (series.sample_count == 0) continue;
    const auto begin = out.samples.begin() + static_cast<std::ptrdiff_t>(series.first_sample);
    const auto end = begin + static_cast<std::ptrdiff_t>(series.sample_count);
    const auto earlier = [](const NestedSample& a, const NestedSample& b) { return a.time_ns < b.time_ns; };
    if (!std::is_sorted(begin, end, earlier)) std::stable_sort(begin, end, earlier);
    widen(out.tracks[series.track], begin->time_ns, series.track != track);
    widen(out.tracks[series.track], (end - 1)->time_ns, false);
    track = series.track;
  }
}

}  // namespace tidemark
