#include "store/index_writer.h"

namespace tidemark {
namespace {

void write_stacks(sqlite3* db, const Snapshot& snapshot, Failure& failure) {
  Insert frame_row(db, "INSERT INTO stack_frame VALUES (?,?,?)", failure);
  Insert depth_row(db, "INSERT INTO stack_depth VALUES (?,?)", failure);
  for (uint32_t stack = 0; stack < snapshot.stacks.size() && !failure.failed(); ++stack) {
    const uint32_t* frames = snapshot.stacks.frames(stack);
    const size_t depth = snapshot.stacks.depth(stack);
    for (size_t i = 0; i < depth; ++i) {
      frame_row.row(int64_t{stack}, static_cast<int64_t>(i), int64_t{frames[i]});
    }
    depth_row.row(int64_t{stack}, static_cast<int64_t>(depth));
  }
}

// Only the strings that events name: frames carry their own.
void write_strings(sqlite3* db, const Snapshot& snapshot, Failure& failure) {
  std::vector<uint8_t> used(snapshot.strings.size());
  const auto mark = [&](uint32_t id) {
    if (id != kNone) used[id] = 1;
  };
  for (const DeviceTrace& trace : snapshot.traces) {
    for (size_t i = 0; i < trace.action.size(); ++i) {
      mark(trace.user_metadata[i]);
      mark(trace.compile_context[i]);
    }
  }
  Insert insert(db, "INSERT INTO string VALUES (?,?)", failure);
  for (uint32_t id = 0; id < used.size(); ++id) {
    if (used[id]) insert.row(int64_t{id}, clean_text(snapshot.strings.at(id)));
  }
}

void write_action_words(sqlite3* db, const Snapshot& snapshot, Failure& failure) {
  Insert insert(db, "INSERT OR IGNORE INTO action_word VALUES (?,?)", failure);
  for (const DeviceTrace& trace : snapshot.traces) {
    for (const auto& [event, word] : trace.unknown_action) {
      insert.row(static_cast<int64_t>(Action::unknown) + 1 + word, clean_text(snapshot.strings.at(word)));
    }
  }
}

}  // namespace

void write_names(sqlite3* db, const Snapshot& snapshot, Failure& failure) {
  write_strings(db, snapshot, failure);
  write_action_words(db, snapshot, failure);
  Insert stream(db, "INSERT INTO stream VALUES (?,?)", failure);
  for (size_t i = 0; i < snapshot.streams.size(); ++i) {
    stream.row(static_cast<int64_t>(i), static_cast<int64_t>(snapshot.streams[i]));
  }
  Insert pool(db, "INSERT INTO pool VALUES (?,?)", failure);
  for (size_t i = 0; i < snapshot.pools.size(); ++i) pool.row(static_cast<int64_t>(i), pool_name(snapshot.pools[i]));
  Insert frame(db, "INSERT INTO frame VALUES (?,?,?,?)", failure);
  for (uint32_t i = 0; i < snapshot.frames.size(); ++i) {
    frame.row(int64_t{i}, clean_text(snapshot.strings.at(snapshot.frames.name(i))),
              clean_text(snapshot.strings.at(snapshot.frames.filename(i))), snapshot.frames.line(i));
  }
  write_stacks(db, snapshot, failure);
}

}  // namespace tidemark
