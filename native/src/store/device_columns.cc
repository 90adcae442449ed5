#include "store/device_columns.h"

#include <algorithm>

#include "store/connection.h"
#include "store/curve_levels.h"
#include "store/piece_reader.h"
#include "store/sql.h"

namespace tidemark {
namespace {

class DeviceLoader {
 public:
  DeviceLoader(sqlite3* db, DeviceColumns& out, std::string& error) : db_(db), reader_(db), out_(out), error_(error) {}

  // The device's row alone, no part.
  bool load_device(int32_t device) {
    out_.parts = 0;
    out_.device = device;
    return load_row();
  }

  // Adds the `wanted` parts that are not there; those that are stay where they lie. False on failure: nothing is kept then
  // of a part that is not whole.
  bool add(unsigned wanted) {
    const unsigned missing = wanted & ~out_.parts;
    const size_t events = out_.event_count;
    if (missing & kTimesPart) out_.time_ns = column("event", "time_ns", out_.has_times ? events : 0);
    if (missing & kAllocatedPart) {
      load_curves(kAllocated, kAllocated + 1);
      load_levels(kAllocated, kProgramCurveCount);
    }
    if (missing & kCurvesPart) load_curves(kAllocated + 1, kProgramCurveCount);
    if (missing & kSpaceCurvesPart) {
      load_curves(kProgramCurveCount, kCurveCount);
      load_levels(kProgramCurveCount, kCurveCount);
    }
    if (missing & kAllocationsPart) load_allocations();
    if (missing & kBlocksPart) load_blocks();
    if (error_.empty()) out_.parts |= missing;
    return error_.empty();
  }

 private:
  static constexpr size_t kAny = SIZE_MAX;

  bool load_row() {
    Statement row(db_,
                  "SELECT event_count, peak_event, first_time_ns, start_allocated_bytes, start_active_bytes, "
                  "start_reserved_bytes, start_requested_bytes, start_inactive_split_bytes, start_largest_free_bytes, "
                  "start_returnable_bytes, start_free_block_count, first_allocation_id, allocation_count, reservation_count, "
                  "EXISTS (SELECT 1 FROM capture WHERE kind = 'chrome_trace') FROM device WHERE device = ?");
    if (row.result() != SQLITE_OK) {
      error_ = error_text("index/not_an_index", "The database is not a Tidemark index.");
      return false;
    }
    row.bind(1, int64_t{out_.device});
    const int result = row.step();
    if (result != SQLITE_ROW) {
      const std::string none = "The capture has no device " + std::to_string(out_.device) + ".";
      const Failure failure = result == SQLITE_DONE ? Failure{"query/bad_argument", none, -1} : read_failure(result, "relation device");
      error_ = error_text(failure.code, failure.message);
      return false;
    }
    out_.event_count = static_cast<size_t>(row.integer(0));
    out_.peak_event = row.integer(1);
    out_.has_times = !row.is_null(2);
    for (int c = 0; c < kCurveCount; ++c) out_.start[c] = row.integer(3 + c);
    out_.first_allocation_id = row.integer(3 + kCurveCount);
    out_.allocation_count = static_cast<size_t>(row.integer(4 + kCurveCount));
    out_.reservation_count = static_cast<size_t>(row.integer(5 + kCurveCount));
    out_.is_of_trace = row.integer(6 + kCurveCount) != 0;
    return has_exact_ids(row.integer(4 + kCurveCount));
  }

  // Answers give identifiers as doubles, so that larger ones than a double holds exactly could not be told apart.
  bool has_exact_ids(int64_t allocation_count) {
    constexpr int64_t kMostExact = int64_t{1} << 53;
    const int64_t first = out_.first_allocation_id;
    if (first >= 0 && allocation_count >= 0 && allocation_count <= kMostExact && first <= kMostExact - allocation_count) return true;
    error_ = error_text("index/not_an_index", "The index is damaged: column first_allocation_id of device.");
    return false;
  }

  // Calls take(bytes, piece) for every piece of a column, as long as it answers true; an error where it does not, or where
  // the values are not `expected` in number.
  template <typename Take>
  void read_column(const char* relation, const std::string& name, size_t expected, Take take) {
    std::vector<int64_t> rows;
    int result = error_.empty() ? reader_.locate(relation, out_.device, name.c_str(), rows) : SQLITE_ABORT;
    size_t count = 0;
    PieceBytes bytes;
    for (size_t i = 0; i < rows.size() && result == SQLITE_OK; ++i) {
      PackedPiece piece;
      result = reader_.read(rows[i], bytes, piece);
      if (result == SQLITE_OK && (i * kPackedPiece != count || !take(bytes, piece))) result = SQLITE_CORRUPT;
      count += piece.count;
    }
    if (!error_.empty()) return;
    if (result == SQLITE_OK && expected != kAny && count != expected) result = SQLITE_CORRUPT;
    const Failure failure = read_failure(result, ("column " + name + " of " + relation).c_str());
    if (failure.failed()) error_ = error_text(failure.code, failure.message);
  }

  PackedColumn column(const char* relation, const char* name, size_t expected) {
    PackedColumn out;
    read_column(relation, name, expected, [&](PieceBytes& bytes, const PackedPiece&) {
      const bool sound = out.append(std::move(bytes));
      bytes = PieceBytes();
      return sound;
    });
    return out;
  }

  // Decodes a column; `convert(value, place)` gives what is kept of each.
  template <typename T, typename Convert>
  void decode_with(const char* relation, const std::string& name, size_t expected, Convert convert, std::vector<T>& out) {
    constexpr size_t kRun = 4096;  // stays in the first-level cache
    int64_t run[kRun];
    out.clear();
    read_column(relation, name, expected, [&](PieceBytes&, const PackedPiece& piece) {
      const size_t first = out.size();
      if (expected != kAny && out.capacity() < expected) out.reserve(expected);  // the pieces are there: the size is no claim
      out.resize(first + piece.count);
      for (size_t from = 0; from < piece.count; from += kRun) {
        const size_t n = std::min(kRun, piece.count - from);
        decode_piece(piece, from, n, run);
        for (size_t i = 0; i < n; ++i) out[first + from + i] = static_cast<T>(convert(run[i], first + from + i));
      }
      return true;
    });
  }

  // Decodes a column; values below `least` are raised to it.
  template <typename T>
  void decode(const char* relation, const std::string& name, size_t expected, int64_t least, std::vector<T>& out) {
    decode_with(relation, name, expected, [least](int64_t value, size_t) { return std::max(value, least); }, out);
  }

  // A free requested before the first event (−1) becomes event 0: such an allocation is alive after no event.
  void load_free_requested(size_t count) {
    out_.pending_before.clear();
    const auto convert = [this](int64_t value, size_t allocation) {
      if (value >= 0) return value;
      out_.pending_before.resize(allocation + 1);
      out_.pending_before.back() = 1;
      return int64_t{0};
    };
    decode_with("allocation", "free_requested", count, convert, out_.free_requested);
  }

  void load_allocations() {
    const size_t count = out_.allocation_count;
    decode("allocation", "alloc_event", count, kBefore, out_.alloc_event);
    load_free_requested(count);
    decode("allocation", "size", count, 0, out_.size);
    out_.stack = column("allocation", "stack", count);
    out_.stream = column("allocation", "stream", count);
    out_.pool = column("allocation", "pool", count);
    decode("stack", "slot", kAny, 0, out_.stack_slot);
  }

  void load_curves(int from, int to) {
    for (int c = from; c < to; ++c) out_.curve[c] = column("curve", kCurveNames[c], out_.event_count);
  }

  void load_blocks() {
    const size_t count = out_.allocation_count;
    decode("allocation", "address", count, INT64_MIN, out_.address);
    decode("allocation", "free_completed", count, 0, out_.free_completed);
    out_.requested = column("allocation", "requested", count);
    std::vector<Reservation> lives;
    const auto read = [&](const char* name, auto put) {
      std::vector<int64_t> values;
      decode("reservation", name, out_.reservation_count, INT64_MIN, values);
      lives.resize(values.size());
      for (size_t i = 0; i < values.size(); ++i) put(lives[i], values[i]);
    };
    read("address", [](Reservation& r, int64_t v) { r.address = static_cast<uint64_t>(v); });
    read("size", [](Reservation& r, int64_t v) { r.size = static_cast<uint64_t>(v); });
    read("map_event", [](Reservation& r, int64_t v) { r.map_event = v; });
    read("unmap_event", [](Reservation& r, int64_t v) { r.unmap_event = static_cast<uint32_t>(v); });
    read("stream", [](Reservation& r, int64_t v) { r.stream = static_cast<int32_t>(v); });
    read("pool", [](Reservation& r, int64_t v) { r.pool = static_cast<int32_t>(v); });
    read("segment_type", [](Reservation& r, int64_t v) { r.is_small = v == 0; });
    read("is_expandable", [](Reservation& r, int64_t v) { r.is_expandable = v != 0; });
    out_.reservations = std::move(lives);
  }

  // The levels of curves [from, to); those of allocated come with the events of its peaks.
  void load_levels(int from, int to) {
    size_t items = out_.event_count;
    for (size_t k = 0; items > (k == 0 ? 0 : kLevelFactor) && error_.empty(); ++k) {
      const std::string suffix = "_" + std::to_string(k);
      items = (items + kLevelFactor - 1) / kLevelFactor;
      if (k == out_.levels.size()) out_.levels.emplace_back();
      CurveLevel& level = out_.levels[k];
      for (int c = from; c < to; ++c) {
        decode("curve_level", std::string("min_") + kCurveNames[c] + suffix, items, INT64_MIN, level.min[c]);
        decode("curve_level", std::string("max_") + kCurveNames[c] + suffix, items, INT64_MIN, level.max[c]);
      }
      if (from == kAllocated) decode("curve_level", "rep" + suffix, items, 0, level.rep);
    }
  }

  sqlite3* db_;
  PieceReader reader_;
  DeviceColumns& out_;
  std::string& error_;
};

}  // namespace

const DeviceColumns* ConnectionState::device_columns(int32_t device, unsigned wanted, std::string& error) {
  auto& kept = devices_[device];
  if (kept && (wanted & ~kept->parts) == 0) return kept.get();
  error.clear();
  auto loaded = kept ? nullptr : std::make_unique<DeviceColumns>();
  DeviceLoader loader(db_, kept ? *kept : *loaded, error);
  if (!kept) {
    if (!loader.load_device(device)) {
      devices_.erase(device);
      return nullptr;
    }
    kept = std::move(loaded);
  }
  return loader.add(wanted) ? kept.get() : nullptr;
}

}  // namespace tidemark
