#include "query/trace_runs.h"

#include <algorithm>

#include "store/sql.h"

namespace tidemark {
namespace {

constexpr size_t kMostBytes = size_t{96} << 20;
constexpr uint8_t kUnread = 0xFF;
constexpr size_t kRunsOfPiece = kPackedPiece / kRun;
// What a run takes beside its values.
constexpr size_t kRunOverhead = 160;

}  // namespace

void TraceColumns::keep(TraceColumn& column, size_t number, std::shared_ptr<TraceColumn::Run> run) {
  uses_.emplace_front(&column, number);
  run->use = uses_.begin();
  bytes_ += run->bytes.size + kRunOverhead;
  column.runs_[number] = std::move(run);
  while (bytes_ > kMostBytes && uses_.size() > 1) {
    const auto [oldest, at] = uses_.back();
    bytes_ -= oldest->runs_[at]->bytes.size + kRunOverhead;
    oldest->runs_[at] = nullptr;
    uses_.pop_back();
  }
}

TraceColumn& TraceReader::column(const char* relation, const char* name) {
  std::unique_ptr<TraceColumn>& kept = columns_.columns_[{relation, name}];
  if (kept) return *kept;
  auto found = std::make_unique<TraceColumn>();
  int result;
  {
    Statement pieces(columns_.db_,
                     "SELECT piece, rowid FROM main.column_piece WHERE relation = ? AND device = 0 AND name = ? ORDER BY piece");
    pieces.bind(1, relation);
    pieces.bind(2, name);
    while ((result = pieces.step()) == SQLITE_ROW) {
      if (pieces.integer(0) != static_cast<int64_t>(found->rows_.size())) break;
      found->rows_.push_back(pieces.integer(1));
    }
  }
  if (result != SQLITE_DONE) {
    refuse(result == SQLITE_ROW ? SQLITE_CORRUPT : result);
    found->rows_.clear();
  }
  const size_t pieces = found->rows_.size();
  PackedPiece unread;
  unread.width = kUnread;
  found->headers_.assign(pieces, unread);
  found->runs_.resize(pieces * kRunsOfPiece);
  found->firsts_.resize(pieces * kRunsOfPiece);
  if (pieces > 0 && header(*found, pieces - 1)) found->size_ = (pieces - 1) * kPackedPiece + found->headers_.back().count;
  if (failed()) {  // asked again by the next question: an interrupted read says nothing of the column
    static TraceColumn none;
    columns_.columns_.erase({relation, name});
    return none;
  }
  return *(kept = std::move(found));
}

void TraceReader::refuse(int result) {
  if (!failed()) failure_ = read_failure(result, "a column of a trace");
}

int64_t TraceReader::missing() {
  refuse(SQLITE_CORRUPT);
  return 0;
}

bool TraceReader::open(TraceColumn& column, size_t piece) {
  if (failed()) return false;
  if (piece >= column.rows_.size()) return missing(), false;
  const int64_t row = column.rows_[piece];
  if (row == open_row_) return true;
  open_row_ = -1;
  const int result = blob_ ? sqlite3_blob_reopen(blob_, row)
                           : sqlite3_blob_open(columns_.db_, "main", "column_piece", "data", row, 0, &blob_);
  if (result != SQLITE_OK) return refuse(result), false;
  open_row_ = row;
  return true;
}

bool TraceReader::read(void* out, size_t bytes, size_t offset) {
  const int result = sqlite3_blob_read(blob_, out, static_cast<int>(bytes), static_cast<int>(offset));
  if (result != SQLITE_OK) refuse(result);
  return result == SQLITE_OK;
}

// Opens the piece and knows its header; all but the last piece must be full.
bool TraceReader::header(TraceColumn& column, size_t piece) {
  if (!open(column, piece)) return false;
  PackedPiece& header = column.headers_[piece];
  if (header.width != kUnread) return true;
  uint8_t bytes[kPackedHeader];
  if (!read(bytes, sizeof bytes, 0)) return false;
  PackedPiece values;
  const bool fits = parse_piece(bytes, static_cast<size_t>(sqlite3_blob_bytes(blob_)), values) &&
                    (values.count == kPackedPiece || piece + 1 == column.rows_.size());
  if (!fits) return refuse(SQLITE_CORRUPT), false;
  values.raw = nullptr;
  header = values;
  return true;
}

bool TraceReader::load(TraceColumn& column, size_t number) {
  if (!header(column, number / kRunsOfPiece)) return false;
  const PackedPiece& piece = column.headers_[number / kRunsOfPiece];
  const size_t from = number % kRunsOfPiece * kRun;
  if (from >= piece.count) return missing(), false;
  const size_t count = std::min(kRun, piece.count - from);
  auto run = std::make_shared<TraceColumn::Run>();
  run->bytes = PieceBytes(count * piece.width);
  uint8_t* out = run->bytes.data.get();
  bool is_read = true;
  if (piece.width == 3) {  // low halves, then high bytes, here as in the piece
    is_read = read(out, count * 2, kPackedHeader + from * 2) &&
              read(out + count * 2, count, kPackedHeader + size_t{piece.count} * 2 + from);
  } else if (piece.width > 0) {
    is_read = read(out, run->bytes.size, kPackedHeader + from * piece.width);
  }
  if (!is_read) return false;
  run->values = piece;
  run->values.count = static_cast<uint32_t>(count);
  run->values.raw = out;
  column.firsts_[number] = {run->values.at(0), true};
  columns_.keep(column, number, std::move(run));
  return true;
}

bool TraceReader::turn_to(TraceColumn& column, size_t row) {
  const size_t number = row >> kRunBits;
  if (failed()) return false;
  if (number >= column.runs_.size()) return missing(), false;
  if (!column.runs_[number] && !load(column, number)) return false;
  std::shared_ptr<TraceColumn::Run>& run = column.runs_[number];
  columns_.uses_.splice(columns_.uses_.begin(), columns_.uses_, run->use);
  column.current_ = run;
  column.current_number_ = number;
  return true;
}

void TraceReader::prefetch(TraceColumn& column, size_t from, size_t to) {
  const size_t end = std::min((to + kRun - 1) >> kRunBits, column.runs_.size());
  for (size_t number = from >> kRunBits; number < end && !failed(); ++number) {
    if (!column.runs_[number]) load(column, number);
  }
}

void TraceReader::decode(TraceColumn& column, size_t from, size_t count, int64_t* out) {
  while (count > 0) {
    const size_t in_run = from & (kRun - 1);
    const size_t part = std::min(count, kRun - in_run);
    if (from >> kRunBits != column.current_number_ && !turn_to(column, from)) break;
    const PackedPiece& values = column.current_->values;
    if (in_run + part > values.count) {
      missing();
      break;
    }
    decode_piece(values, in_run, part, out);
    from += part;
    out += part;
    count -= part;
  }
  std::fill_n(out, count, 0);
}

// The first value of a run, which is kept: searches come back to the same few.
int64_t TraceReader::first_of(TraceColumn& column, size_t number) {
  if (number >= column.firsts_.size()) return missing();
  TraceColumn::First& first = column.firsts_[number];
  if (first.is_known) return first.value;
  if (!header(column, number / kRunsOfPiece)) return 0;
  PackedPiece piece = column.headers_[number / kRunsOfPiece];
  const size_t at = number % kRunsOfPiece * kRun;
  if (at >= piece.count) return missing();
  uint8_t bytes[sizeof(int64_t)] = {};
  bool is_read = true;
  if (piece.width == 3) {
    is_read = read(bytes, 2, kPackedHeader + at * 2) && read(bytes + 2, 1, kPackedHeader + size_t{piece.count} * 2 + at);
  } else if (piece.width > 0) {
    is_read = read(bytes, piece.width, kPackedHeader + at * piece.width);
  }
  if (!is_read) return 0;
  piece.count = 1;
  piece.raw = bytes;
  first = {piece.at(0), true};
  return first.value;
}

size_t TraceReader::lower_bound(TraceColumn& column, size_t from, size_t to, int64_t value) {
  if (to > column.size()) missing();
  if (failed() || from >= to) return to;
  // Among the runs that begin inside: the last whose first value is below `value` holds the end of what is below.
  size_t low = (from >> kRunBits) + 1;
  size_t high = ((to - 1) >> kRunBits) + 1;
  while (low < high && !failed()) {
    const size_t middle = low + (high - low) / 2;
    if (first_of(column, middle) < value) low = middle + 1;
    else high = middle;
  }
  size_t first = std::max(from, (low - 1) << kRunBits);
  size_t last = std::min(to, low << kRunBits);
  while (first < last && !failed()) {
    const size_t middle = first + (last - first) / 2;
    if (at(column, middle) < value) first = middle + 1;
    else last = middle;
  }
  return failed() ? to : first;
}

bool TraceReader::read_piece(TraceColumn& column, size_t piece, PieceBytes& bytes, PackedPiece& values) {
  if (!header(column, piece)) return false;
  const auto size = static_cast<size_t>(sqlite3_blob_bytes(blob_));
  if (bytes.size != size) bytes = PieceBytes(size);
  if (!read(bytes.data.get(), size, 0)) return false;
  if (!parse_piece(bytes.data.get(), size, values)) return refuse(SQLITE_CORRUPT), false;
  return true;
}

}  // namespace tidemark
