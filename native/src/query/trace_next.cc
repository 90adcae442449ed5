#include "query/trace_next.h"

#include <algorithm>
#include <cmath>

#include "query/trace_sight.h"
#include "store/trace_columns.h"

namespace tidemark {
namespace {

// The slices of a lane that are still to be looked at.
struct Rest {
  size_t from = 0;
  size_t to = 0;
};

class NextSlice {
 public:
  NextSlice(TraceReader& reader, const TraceIndex& index, const NextSliceRequest& request)
      : reader_(reader), index_(index), request_(request), start_(reader.column(kSliceRelation, "start")),
        name_(reader.column(kSliceRelation, "name")), names_(kPackedPiece) {}

  Failure find(const StopSignal& stop, int64_t& out) {
    for (const int64_t lane : request_.lanes) {
      const Rest rest = rest_of(index_.lanes()[static_cast<size_t>(lane)].slices);
      if (rest.from < rest.to) rests_.push_back(rest);
    }
    // A run first, since the next one is near as a rule; then whole pieces.
    for (size_t step = kRun; !rests_.empty(); step = kPackedPiece) {
      for (Rest& rest : rests_) {
        if (stop()) return query_cancelled();
        if (reader_.failed()) return reader_.failure();
        look(rest, step);
      }
      rests_.erase(std::remove_if(rests_.begin(), rests_.end(), [](const Rest& rest) { return rest.from >= rest.to; }), rests_.end());
    }
    out = best_;
    return reader_.failure();
  }

 private:
  Rest rest_of(const RowStretch& rows) {
    const size_t at = reader_.lower_bound(start_, rows.first, rows.end(), whole_ns(request_.time));
    const size_t behind = reader_.lower_bound(start_, at, rows.end(), whole_ns(std::floor(request_.time)) + 1);
    const auto within = [&](int64_t slice) { return static_cast<size_t>(std::clamp(slice, static_cast<int64_t>(at), static_cast<int64_t>(behind))); };
    if (request_.forward) return {within(request_.slice + 1), rows.end()};
    return {rows.first, within(request_.slice)};
  }

  // Looks at up to `step` rows from the near end of `rest`, to the end of their run or piece.
  void look(Rest& rest, size_t step) {
    if (best_ >= 0) cut(rest);
    if (rest.from >= rest.to) return;
    const bool forward = request_.forward;
    const Rest part = forward ? Rest{rest.from, std::min(rest.to, (rest.from | (step - 1)) + 1)}
                              : Rest{std::max(rest.from, (rest.to - 1) & ~(step - 1)), rest.to};
    (forward ? rest.from : rest.to) = forward ? part.to : part.from;
    const size_t count = part.to - part.from;
    size_t found = forward ? 0 : count - 1;
    if (request_.names.is_active()) {
      reader_.prefetch(name_, part.from, part.to);
      reader_.decode(name_, part.from, count, names_.data());
      while (found < count && !request_.names.passes(names_[found])) forward ? ++found : --found;  // below 0 wraps to above count
    }
    if (found >= count || reader_.failed()) return;
    rest = {};
    const size_t row = part.from + found;
    best_start_ = reader_.at(start_, row);
    best_ = static_cast<int64_t>(row);
  }

  // Drops what comes after the best one so far.
  void cut(Rest& rest) {
    const size_t at = reader_.lower_bound(start_, rest.from, rest.to, best_start_);
    const int64_t later = best_start_ < INT64_MAX ? best_start_ + 1 : best_start_;
    const size_t behind = reader_.lower_bound(start_, at, rest.to, later);
    const size_t limit = std::clamp(static_cast<size_t>(best_), at, behind);
    (request_.forward ? rest.to : rest.from) = limit;
  }

  TraceReader& reader_;
  const TraceIndex& index_;
  const NextSliceRequest& request_;
  TraceColumn &start_, &name_;
  std::vector<int64_t> names_;
  std::vector<Rest> rests_;
  int64_t best_ = -1;
  int64_t best_start_ = 0;
};

}  // namespace

Failure next_slice(TraceReader& reader, const TraceIndex& index, const NextSliceRequest& request, const StopSignal& stop, int64_t& out) {
  return NextSlice(reader, index, request).find(stop, out);
}

}  // namespace tidemark
