#include "store/trace_pieces.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "model/bits.h"
#include "model/stoppable_sort.h"
#include "store/pack_column.h"
#include "store/trace_columns.h"

namespace tidemark {
namespace {

// All columns of a piece before the next piece: the rows are in the cache then.
template <typename Columns>
void each_piece(size_t count, const Progress& progress, Columns columns) {
  for (size_t first = 0; first < count && !progress.cancel; first += kPackedPiece) columns(first, std::min(kPackedPiece, count - first));
}

class PiecePusher {
 public:
  PiecePusher(const char* relation, PieceQueue& queue) : relation_(relation), queue_(queue), values_(kPackedPiece) {}

  void at(size_t first, size_t count) {
    first_ = first;
    count_ = count;
  }
  // value_at(row) of the rows of the piece.
  template <typename ValueAt>
  void column(const char* name, ValueAt value_at) {
    for (size_t i = 0; i < count_; ++i) values_[i] = value_at(first_ + i);
    queue_.push({relation_, kTraceDevice, name, static_cast<int64_t>(first_ / kPackedPiece), pack_piece(values_.begin(), count_)});
  }

 private:
  const char* relation_;
  PieceQueue& queue_;
  Array<int64_t> values_;
  size_t first_ = 0;
  size_t count_ = 0;
};

void add_total(SliceTotal& total, int64_t dur) {
  ++total.count;
  total.total_ns = saturating_add(total.total_ns, dur);
}

int64_t bits_of(double value) {
  int64_t out;
  std::memcpy(&out, &value, sizeof out);
  return out;
}

}  // namespace

SliceTotals push_slices(const Trace& trace, const NestedTrace& nested, PieceQueue& queue, Progress& progress) {
  SliceTotals totals;
  totals.names.resize(trace.strings.size());
  totals.categories.resize(trace.categories.size());
  const Array<NestedSlice>& slices = nested.slices;
  PiecePusher piece(kSliceRelation, queue);
  each_piece(slices.size(), progress, [&](size_t first, size_t count) {
    piece.at(first, count);
    piece.column("start", [&](size_t i) { return slices[i].start_ns; });
    piece.column("dur", [&](size_t i) { return slices[i].dur_ns; });
    piece.column("name", [&](size_t i) { return stored_id(slices[i].name); });
    piece.column("category", [&](size_t i) { return int64_t{slices[i].category}; });
    piece.column("parent", [&](size_t i) { return slices[i].parent; });
    piece.column("external_id", [&](size_t i) { return stored_id(slices[i].external_id); });
    piece.column("correlation", [&](size_t i) { return stored_id(slices[i].correlation); });
    piece.column("offset", [&](size_t i) { return static_cast<int64_t>(slices[i].source_offset); });
    piece.column("length", [&](size_t i) { return int64_t{slices[i].source_length}; });
    piece.column("flags", [&](size_t i) { return slices[i].is_unfinished ? kUnfinishedFlag : 0; });
    for (size_t i = first; i < first + count; ++i) {
      if (slices[i].name != kNone) add_total(totals.names[slices[i].name], slices[i].dur_ns);
      add_total(totals.categories[slices[i].category], slices[i].dur_ns);
    }
    progress.done += count;
  });
  return totals;
}

void push_levels(SliceLevels& levels, PieceQueue& queue, const Progress& progress) {
  const Array<LevelItem>& items = levels.items;
  PiecePusher piece(kSliceLevelRelation, queue);
  each_piece(items.size(), progress, [&](size_t first, size_t count) {
    piece.at(first, count);
    piece.column("start", [&](size_t i) { return items[i].start; });
    piece.column("extent", [&](size_t i) { return items[i].extent; });
    piece.column("busy", [&](size_t i) { return items[i].busy; });
    piece.column("count", [&](size_t i) { return int64_t{items[i].count}; });
    piece.column("name", [&](size_t i) { return stored_id(items[i].name); });
    piece.column("slice", [&](size_t i) { return int64_t{items[i].slice}; });
  });
  levels.items.reset();
}

void push_point_events(const NestedTrace& nested, PieceQueue& queue, const Progress& progress) {
  const auto& instants = nested.instants;
  PiecePusher instant(kInstantRelation, queue);
  each_piece(instants.size(), progress, [&](size_t first, size_t count) {
    instant.at(first, count);
    instant.column("time", [&](size_t i) { return instants[i].time_ns; });
    instant.column("name", [&](size_t i) { return stored_id(instants[i].name); });
    instant.column("category", [&](size_t i) { return int64_t{instants[i].category}; });
    instant.column("track", [&](size_t i) { return int64_t{nested.instant_track[i]}; });
    instant.column("offset", [&](size_t i) { return static_cast<int64_t>(instants[i].source.offset); });
    instant.column("length", [&](size_t i) { return int64_t{instants[i].source.length}; });
  });
  PiecePusher counter(kCounterRelation, queue);
  each_piece(nested.samples.size(), progress, [&](size_t first, size_t count) {
    counter.at(first, count);
    counter.column("time", [&](size_t i) { return nested.samples[i].time_ns; });
    counter.column("value", [&](size_t i) { return bits_of(nested.samples[i].value); });
  });
  const auto& flows = nested.flows;
  PiecePusher flow(kFlowRelation, queue);
  each_piece(flows.size(), progress, [&](size_t first, size_t count) {
    flow.at(first, count);
    flow.column("from", [&](size_t i) { return static_cast<int64_t>(flows[i].from); });
    flow.column("to", [&](size_t i) { return static_cast<int64_t>(flows[i].to); });
    flow.column("name", [&](size_t i) { return stored_id(flows[i].name); });
    flow.column("category", [&](size_t i) { return int64_t{flows[i].category}; });
  });
  std::vector<uint32_t> by_target(flows.size());
  std::iota(by_target.begin(), by_target.end(), 0u);
  sort_until_cancelled(by_target, [&](uint32_t a, uint32_t b) { return flows[a].to < flows[b].to; }, progress);
  PiecePusher flow_to(kFlowToRelation, queue);
  each_piece(flows.size(), progress, [&](size_t first, size_t count) {
    flow_to.at(first, count);
    flow_to.column("flow", [&](size_t i) { return int64_t{by_target[i]}; });
  });
}

}  // namespace tidemark
