#include "nesting/point_events.h"

#include <algorithm>
#include <numeric>

#include "model/stoppable_sort.h"

namespace tidemark {
namespace {

// `is_first`: the track has no other event yet.
void widen(Track& track, int64_t time, bool is_first) {
  track.first_ns = is_first ? time : std::min(track.first_ns, time);
  track.last_ns = is_first ? time : std::max(track.last_ns, time);
}

// Series in order of their tracks, each with its rows; answers the place of each series of the trace.
std::vector<uint32_t> place_series(const Trace& trace, const TrackPlaces& places, NestedTrace& out, const Progress& progress) {
  std::vector<uint32_t> order(trace.series.size()), place(trace.series.size());
  std::iota(order.begin(), order.end(), 0u);
  sort_until_cancelled(order, [&](uint32_t a, uint32_t b) { return places.of_series[a] < places.of_series[b]; }, progress);
  for (uint32_t i = 0; i < order.size(); ++i) {
    place[order[i]] = i;
    out.series.push_back({order[i], places.of_series[order[i]], 0, 0});
  }
  for (size_t i = 0; i < trace.samples.size() && !is_cancelled_at(i, progress); ++i) ++out.series[place[trace.samples[i].series]].sample_count;
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
  for (size_t i = 0; i < track.size() && !is_cancelled_at(i, progress); ++i) track[i] = track_of(places, trace, instants[i]);
  const auto earlier = [&](uint32_t a, uint32_t b) {
    return track[a] != track[b] ? track[a] < track[b] : instants[a].time_ns < instants[b].time_ns;
  };
  sort_until_cancelled(order, earlier, progress);
  out.instants.reserve(order.size());
  out.instant_track.reserve(order.size());
  for (size_t i = 0; i < order.size() && !is_cancelled_at(i, progress); ++i) {
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
  const std::vector<uint32_t> place = place_series(trace, places, out, progress);
  if (progress.cancel) return;
  std::vector<uint64_t> next;
  for (const NestedSeries& series : out.series) next.push_back(series.first_sample);
  for (size_t i = 0; i < trace.samples.size() && !is_cancelled_at(i, progress); ++i) {
    const TraceCounterSample sample = trace.samples[i];
    out.samples[next[place[sample.series]]++] = {span.since_start(sample.time_ns), sample.value};
  }
  trace.samples.clear();
  uint32_t track = kNone;
  for (const NestedSeries& series : out.series) {
    if (series.sample_count == 0) continue;
    if (progress.cancel) return;
    NestedSample* const samples = out.samples.data() + series.first_sample;
    sort_until_cancelled(samples, series.sample_count, [](const NestedSample& a, const NestedSample& b) { return a.time_ns < b.time_ns; },
                         progress);
    widen(out.tracks[series.track], samples[0].time_ns, series.track != track);
    widen(out.tracks[series.track], samples[series.sample_count - 1].time_ns, false);
    track = series.track;
  }
}

}  // namespace tidemark
