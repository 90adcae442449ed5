#include "store/device_columns.h"

#include <algorithm>

#include "store/connection.h"
#include "store/curve_levels.h"
#include "store/sql.h"

namespace tidemark {
namespace {

class DeviceLoader {
 public:
  DeviceLoader(sqlite3* db, int32_t device, std::string& error) : db_(db), device_(device), error_(error) {}

  std::unique_ptr<DeviceColumns> load() {
    auto out = std::make_unique<DeviceColumns>();
    out->device = device_;
    if (!load_device(*out)) return nullptr;
    const size_t events = out->event_count;
    out->time_ns = column("event", "time_ns", out->has_times ? events : 0);
    for (int c = 0; c < kCurveCount; ++c) out->curve[c] = column("curve", kCurveNames[c], events);
    load_levels(*out);
    load_allocations(*out);
    const PackedColumn slots = column("stack", "slot", kAny);
    out->stack_slot.resize(slots.size());
    for (size_t i = 0; i < slots.size(); ++i) out->stack_slot[i] = static_cast<uint8_t>(slots.at(i));
    return error_.empty() ? std::move(out) : nullptr;
  }

 private:
  static constexpr size_t kAny = SIZE_MAX;

  bool load_device(DeviceColumns& out) {
    Statement row(db_,
                  "SELECT event_count, peak_event, first_time_ns, start_allocated_bytes, start_active_bytes, "
                  "start_reserved_bytes, start_requested_bytes, first_allocation_id, allocation_count "
                  "FROM device WHERE device = ?");
    if (row.result() != SQLITE_OK) {
      error_ = error_text("index/not_an_index", "The database is not a Tidemark index.");
      return false;
    }
    row.bind(1, int64_t{device_});
    if (row.step() != SQLITE_ROW) {
      error_ = error_text("query/bad_argument", "The capture has no device " + std::to_string(device_) + ".");
      return false;
    }
    out.event_count = static_cast<size_t>(row.integer(0));
    out.peak_event = row.integer(1);
    out.has_times = !row.is_null(2);
    for (int c = 0; c < kCurveCount; ++c) out.start[c] = row.integer(3 + c);
    out.first_allocation_id = row.integer(7);
    allocation_count_ = static_cast<size_t>(row.integer(8));
    return true;
  }

  // A column that must have `expected` values; an error otherwise.
  PackedColumn column(const char* relation, const std::string& name, size_t expected) {
    PackedColumn out;
    Statement pieces(db_, "SELECT data FROM column_piece WHERE relation = ? AND device = ? AND name = ? ORDER BY piece");
    pieces.bind(1, relation);
    pieces.bind(2, int64_t{device_});
    pieces.bind(3, name);
    bool sound = true;
    int result;
    while ((result = pieces.step()) == SQLITE_ROW) sound = out.append(std::string(pieces.blob(0))) && sound;
    if (result == SQLITE_INTERRUPT) {
      error_ = error_text("query/cancelled", "The query was cancelled.");
    } else if (result != SQLITE_DONE || !sound || (expected != kAny && out.size() != expected)) {
      error_ = error_text("index/not_an_index", "The index is damaged: column " + name + " of " + relation + ".");
    }
    return out;
  }

  // Values below `least` are raised to it.
  template <typename T>
  void decode(const char* name, int64_t least, std::vector<T>& out) {
    const PackedColumn packed = column("allocation", name, allocation_count_);
    if (!error_.empty()) return;
    out.resize(packed.size());
    std::vector<int64_t> run(std::min(packed.size(), kPackedPiece));
    for (size_t first = 0; first < packed.size(); first += run.size()) {
      const size_t n = std::min(run.size(), packed.size() - first);
      packed.decode(first, n, run.data());
      for (size_t i = 0; i < n; ++i) out[first + i] = static_cast<T>(std::max(run[i], least));
    }
  }

  void load_allocations(DeviceColumns& out) {
    decode("alloc_event", kBefore, out.alloc_event);
    // A free requested before the first event (-1) becomes event 0: such an allocation is alive after no event.
    decode("free_requested", 0, out.free_requested);
    decode("size", 0, out.size);
    out.stack = column("allocation", "stack", allocation_count_);
    out.stream = column("allocation", "stream", allocation_count_);
    out.pool = column("allocation", "pool", allocation_count_);
  }

  void load_level_column(const std::string& name, std::vector<int64_t>& out) {
    const PackedColumn packed = column("curve_level", name, kAny);
    out.resize(packed.size());
    if (packed.size() > 0) packed.decode(0, packed.size(), out.data());
  }

  void load_levels(DeviceColumns& out) {
    size_t items = out.event_count;
    for (int k = 0; items > (k == 0 ? 0 : kLevelFactor) && error_.empty(); ++k) {
      const std::string suffix = "_" + std::to_string(k);
      items = (items + kLevelFactor - 1) / kLevelFactor;
      CurveLevel level;
      for (int c = 0; c < kCurveCount; ++c) {
        load_level_column(std::string("min_") + kCurveNames[c] + suffix, level.min[c]);
        load_level_column(std::string("max_") + kCurveNames[c] + suffix, level.max[c]);
      }
      std::vector<int64_t> rep;
      load_level_column("rep" + suffix, rep);
      level.rep.assign(rep.begin(), rep.end());
      if (level.rep.size() != items || level.min[0].size() != items) {
        error_ = error_text("index/not_an_index", "The index is damaged: curve level " + std::to_string(k) + ".");
      }
      out.levels.push_back(std::move(level));
    }
  }

  sqlite3* db_;
  int32_t device_;
  std::string& error_;
  size_t allocation_count_ = 0;
};

}  // namespace

const DeviceColumns* ConnectionState::device_columns(int32_t device, std::string& error) {
  const auto kept = devices_.find(device);
  if (kept != devices_.end()) return kept->second.get();
  error.clear();
  auto loaded = DeviceLoader(db_, device, error).load();
  if (!loaded) return nullptr;
  return (devices_[device] = std::move(loaded)).get();
}

}  // namespace tidemark
