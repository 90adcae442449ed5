#include "query/trace_selection.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "query/second_thread.h"
#include "query/trace_sight.h"
#include "store/trace_columns.h"

namespace tidemark {
namespace {

// From so many rows of a piece on it is read as a whole, and summed on the second thread.
constexpr size_t kLargeStretch = kPackedPiece / 4;

// A piece of a column as it is stored, or rows of it that were looked up.
struct ReadPiece {
  size_t number = SIZE_MAX;  // SIZE_MAX: only some rows
  PieceBytes bytes;
  PackedPiece values;
};

// The pieces of one column. The one that was read last is kept, since the next lane often goes on in it; two stretches may hold others.
class ReadPieces {
 public:
  void set(TraceColumn& column) { column_ = &column; }
  bool is_used() const { return column_ != nullptr; }

  // Rows [from, from + count), which lie in one piece; `holder` keeps them. False when the reader has failed.
  bool read(TraceReader& reader, size_t from, size_t count, std::shared_ptr<ReadPiece>& holder, StretchColumn& out) {
    const size_t number = from >> kPackedPieceBits;
    const size_t in_piece = from & (kPackedPiece - 1);
    if (number != last_->number && count < kLargeStretch) {
      holder = look_up(reader, from, count);
      out = {holder->values, 0};
      return !reader.failed();
    }
    if (number != last_->number) {
      last_ = spare();
      last_->number = SIZE_MAX;
      if (!reader.read_piece(*column_, number, last_->bytes, last_->values)) return false;
      last_->number = number;
    }
    if (in_piece + count > last_->values.count) reader.at(*column_, column_->size());  // says that the index is damaged
    holder = last_;
    out = {last_->values, in_piece};
    return !reader.failed();
  }

 private:
  // One that nobody holds.
  std::shared_ptr<ReadPiece> spare() {
    for (const auto& piece : pieces_) {
      if (piece.use_count() == 1 && piece != last_) return piece;
    }
    pieces_.push_back(std::make_shared<ReadPiece>());
    return pieces_.back();
  }

  std::shared_ptr<ReadPiece> look_up(TraceReader& reader, size_t from, size_t count) {
    auto rows = std::make_shared<ReadPiece>();
    rows->bytes = PieceBytes(count * sizeof(int64_t));
    reader.prefetch(*column_, from, from + count);
    reader.decode(*column_, from, count, reinterpret_cast<int64_t*>(rows->bytes.data.get()));
    rows->values.count = static_cast<uint32_t>(count);
    rows->values.width = sizeof(int64_t);
    rows->values.raw = rows->bytes.data.get();
    return rows;
  }

  TraceColumn* column_ = nullptr;
  std::vector<std::shared_ptr<ReadPiece>> pieces_;
  std::shared_ptr<ReadPiece> last_ = std::make_shared<ReadPiece>();
};

class SelectionPass {
 public:
  SelectionPass(TraceReader& reader, const TraceIndex& index, const SelectionRequest& request, SelectionSums& sums)
      : reader_(reader), index_(index), request_(request), sums_(sums), slices_(slice_columns(reader, false)),
        summing_([this] { sums_.add(current_.stretch); }) {
    columns_[0].set(*slices_.start);
    columns_[1].set(*slices_.length);
    columns_[2].set(reader.column(kSliceRelation, "parent"));
    if (request.by == SelectionBy::name) columns_[3].set(*slices_.name);
    if (request.by == SelectionBy::category) columns_[3].set(reader.column(kSliceRelation, "category"));
  }

  Failure run(const StopSignal& stop) {
    for (const int64_t id : request_.tracks) {
      const Failure failure = sum_track(id, stop);
      if (failure.failed()) return failure;
    }
    summing_.wait();
    sums_.finish();
    return reader_.failure();
  }

 private:
  struct Given {
    SliceStretch stretch;
    std::array<std::shared_ptr<ReadPiece>, 4> held;  // what the stretch points into
  };

  Failure sum_track(int64_t id, const StopSignal& stop) {
    const TraceTrack& track = index_.tracks()[static_cast<size_t>(id)];
    std::vector<RowStretch> sights;
    for (int64_t lane = track.first_lane; lane < track.first_lane + track.lane_count; ++lane) {
      if (stop()) return query_cancelled();
      sights.push_back(rows_in_sight(reader_, slices_, index_.lanes()[static_cast<size_t>(lane)].slices, request_.t0, request_.t1));
      if (reader_.failed()) return reader_.failure();
    }
    next_.stretch.track = id;
    next_.stretch.lanes = sights;
    for (const RowStretch& sight : sights) {
      for (size_t from = sight.first; from < sight.end();) {
        if (stop()) return query_cancelled();
        const size_t to = std::min(sight.end(), (from | (kPackedPiece - 1)) + 1);
        if (!read_stretch(from, to - from)) return reader_.failure();
        sum_next();
        next_.stretch.track = id;
        from = to;
      }
    }
    return {};
  }

  bool read_stretch(size_t from, size_t count) {
    SliceStretch& stretch = next_.stretch;
    stretch.count = count;
    StretchColumn* const out[] = {&stretch.start, &stretch.duration, &stretch.parent, &stretch.key};
    for (size_t i = 0; i < columns_.size(); ++i) {
      if (columns_[i].is_used() && !columns_[i].read(reader_, from, count, next_.held[i], *out[i])) return false;
    }
    return true;
  }

  // Hands over what was read, when what was given before is summed.
  void sum_next() {
    summing_.wait();
    std::swap(next_, current_);
    next_ = {};
    if (current_.stretch.count >= kLargeStretch) summing_.run();
    else sums_.add(current_.stretch);
  }

  TraceReader& reader_;
  const TraceIndex& index_;
  const SelectionRequest& request_;
  SelectionSums& sums_;
  const SliceColumns slices_;
  std::array<ReadPieces, 4> columns_;
  Given next_, current_;
  SecondThread summing_;  // the last member: it ends before what it works on
};

}  // namespace

Failure sum_selection(TraceReader& reader, const TraceIndex& index, const SelectionRequest& request, const StopSignal& stop, SelectionSums& sums) {
  return SelectionPass(reader, index, request, sums).run(stop);
}

}  // namespace tidemark
