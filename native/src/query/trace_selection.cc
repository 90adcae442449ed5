#include "query/trace_selection.h"

#include <algorithm>
#include <future>
#include <system_error>
#include <utility>

#include "query/trace_sight.h"
#include "store/trace_columns.h"

namespace tidemark {
namespace {

// From so many rows of a piece on it is read as a whole, and summed on a thread.
constexpr size_t kLargeStretch = kPackedPiece / 4;

class SelectionPass {
 public:
  SelectionPass(TraceReader& reader, const TraceIndex& index, const SelectionRequest& request, SelectionSums& sums)
      : reader_(reader), index_(index), request_(request), sums_(sums), slices_(slice_columns(reader, false)),
        parent_(reader.column(kSliceRelation, "parent")) {
    if (request.by == SelectionBy::name) key_ = slices_.name;
    if (request.by == SelectionBy::category) key_ = &reader.column(kSliceRelation, "category");
  }

  ~SelectionPass() {
    if (summing_.valid()) summing_.wait();
  }

  Failure run(const StopSignal& stop) {
    for (const int64_t id : request_.tracks) {
      const TraceTrack& track = index_.tracks()[static_cast<size_t>(id)];
      if (track.lane_count == 0) continue;
      track_ = id;
      begins_track_ = true;
      for (int64_t lane = track.first_lane; lane < track.first_lane + track.lane_count; ++lane) {
        const Failure failure = sum_lane(index_.lanes()[static_cast<size_t>(lane)].slices, stop);
        if (failure.failed()) return failure;
      }
    }
    finish();
    sums_.finish();
    return reader_.failure();
  }

 private:
  Failure sum_lane(const RowStretch& lane, const StopSignal& stop) {
    const RowStretch sight = rows_in_sight(reader_, slices_, lane, request_.t0, request_.t1);
    if (reader_.failed()) return reader_.failure();
    if (sight.count == 0) return {};
    for (size_t from = sight.first; from < sight.end();) {
      if (stop()) return query_cancelled();
      const size_t to = std::min(sight.end(), (from | (kPackedPiece - 1)) + 1);
      next_.track = track_;
      next_.lane = sight;
      next_.begins_track = std::exchange(begins_track_, false);
      next_.begins_lane = from == sight.first;
      read_stretch(from, to - from);
      if (reader_.failed()) return reader_.failure();
      sum_next();
      from = to;
    }
    return {};
  }

  // The piece of a column that was read last: the next lane often goes on in it.
  struct ReadPiece {
    size_t number = SIZE_MAX;
    PieceBytes bytes;
    PackedPiece values;
  };

  void read_stretch(size_t from, size_t count) {
    read(*slices_.start, pieces_[0], from, count, next_.start);
    read(*slices_.length, pieces_[1], from, count, next_.duration);
    if (key_) read(*key_, pieces_[2], from, count, next_.key);
    read(parent_, pieces_[3], from, count, next_.parent);
  }

  void read(TraceColumn& column, ReadPiece& piece, size_t from, size_t count, std::vector<int64_t>& out) {
    out.resize(count);
    const size_t number = from >> kPackedPieceBits;
    if (number != piece.number && count < kLargeStretch) {
      reader_.prefetch(column, from, from + count);
      reader_.decode(column, from, count, out.data());
      return;
    }
    if (number != piece.number && !reader_.read_piece(column, number, piece.bytes, piece.values)) return;
    piece.number = number;
    const size_t in_piece = from & (kPackedPiece - 1);
    if (in_piece + count <= piece.values.count) decode_piece(piece.values, in_piece, count, out.data());
    else reader_.at(column, column.size());  // says that the index is damaged
  }

  void sum_next() {
    finish();
    std::swap(next_, current_);
    if (current_.start.size() >= kLargeStretch) {
      try {
        summing_ = std::async(std::launch::async, [this] { sums_.add(current_); });
        return;
      } catch (const std::system_error&) {  // no thread to be had
      }
    }
    sums_.add(current_);
  }

  // Waits until what was given is summed.
  void finish() {
    if (summing_.valid()) summing_.get();
  }

  TraceReader& reader_;
  const TraceIndex& index_;
  const SelectionRequest& request_;
  SelectionSums& sums_;
  const SliceColumns slices_;
  TraceColumn& parent_;
  TraceColumn* key_ = nullptr;
  ReadPiece pieces_[4];
  int64_t track_ = 0;
  bool begins_track_ = false;
  SliceStretch next_, current_;
  std::future<void> summing_;
};

}  // namespace

Failure sum_selection(TraceReader& reader, const TraceIndex& index, const SelectionRequest& request, const StopSignal& stop, SelectionSums& sums) {
  return SelectionPass(reader, index, request, sums).run(stop);
}

}  // namespace tidemark
