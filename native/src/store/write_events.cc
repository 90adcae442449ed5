#include <algorithm>
#include <vector>

#include "store/index_writer.h"
#include "store/pack_column.h"

namespace tidemark {
namespace {

// Known actions are stored as Action; the file's own words follow from Action::unknown on, by string id.
class StoredActions {
 public:
  explicit StoredActions(const DeviceTrace& trace) : trace_(trace) {}
  int64_t at(size_t event) {
    const uint8_t action = trace_.action[event];
    if (static_cast<Action>(action) != Action::unknown) return action;
    while (next_ < trace_.unknown_action.size() && trace_.unknown_action[next_].first < event) ++next_;
    const bool found = next_ < trace_.unknown_action.size() && trace_.unknown_action[next_].first == event;
    return static_cast<int64_t>(Action::unknown) + (found ? 1 + int64_t{trace_.unknown_action[next_].second} : 0);
  }

 private:
  const DeviceTrace& trace_;
  size_t next_ = 0;
};

}  // namespace

void write_events(int32_t device, const DeviceTrace& trace, const EventTimes& times, Progress& progress,
                  const std::function<bool(ColumnPiece&&)>& take) {
  const size_t n = trace.action.size();
  bool go_on = true;
  const auto write = [&](const char* name, auto value_at) {
    if (progress.cancel || !go_on) return;
    pack_column(n, progress, value_at, [&](int64_t piece, PieceBytes data) {
      go_on = go_on && !progress.cancel && take({"event", device, name, piece, std::move(data)});
    });
    progress.done += n;
  };
  StoredActions actions(trace);
  write("action", [&](size_t i) { return actions.at(i); });
  write("address", [&](size_t i) { return static_cast<int64_t>(trace.address[i]); });
  write("size", [&](size_t i) { return static_cast<int64_t>(trace.size[i]); });
  write("stream", [&](size_t i) { return stored_index(trace.stream[i]); });
  write("pool", [&](size_t i) { return stored_index(trace.pool[i]); });
  write("stack", [&](size_t i) { return stored_id(trace.stack[i]); });
  write("user_metadata", [&](size_t i) { return stored_id(trace.user_metadata[i]); });
  write("compile_context", [&](size_t i) { return stored_id(trace.compile_context[i]); });
  if (!times.known()) return;
  std::vector<int64_t> block;
  write("time_ns", [&](size_t i) {
    if (i % kPackedPiece == 0) {
      block.resize(std::min(kPackedPiece, n - i));
      times.fill(i, block.size(), block.data());
    }
    return block[i % kPackedPiece];
  });
}

void write_ooms(const IndexWrite& write, int32_t device, const DeviceTrace& trace, const EventTimes& times) {
  Insert insert(write, "INSERT OR IGNORE INTO oom VALUES (?,?,?,?,?,?)");
  constexpr size_t kPiece = Column<int64_t>::kPiece;
  std::vector<int64_t> piece_times;  // of the piece that starts at piece_first: a file can be all failures
  size_t piece_first = SIZE_MAX;
  size_t next = 0;
  for (size_t i = 0; i < trace.action.size() && !is_cancelled_at(i, write.progress); ++i) {
    if (static_cast<Action>(trace.action[i]) != Action::oom) continue;
    if (times.known() && i / kPiece * kPiece != piece_first) {
      piece_first = i / kPiece * kPiece;
      piece_times.resize(std::min(kPiece, trace.action.size() - piece_first));
      times.fill(piece_first, piece_times.size(), piece_times.data());
    }
    while (next < trace.oom_event.size() && trace.oom_event[next] < i) ++next;
    std::optional<int64_t> device_free, time, stack;
    if (next < trace.oom_event.size() && trace.oom_event[next] == i) {
      device_free = static_cast<int64_t>(trace.device_free[next]);
    }
    if (times.known()) time = piece_times[i - piece_first];
    if (trace.stack[i] != kNone) stack = trace.stack[i];
    insert.row(device, static_cast<int64_t>(i), time, static_cast<int64_t>(trace.size[i]), device_free, stack);
  }
}

}  // namespace tidemark
