#include "store/index_writer.h"

namespace tidemark {
namespace {

void write_stack_rows(const IndexWrite& write, const StackTable& stacks) {
  Insert frame_row(write, "INSERT INTO stack_frame VALUES (?,?,?)");
  Insert depth_row(write, "INSERT INTO stack_depth VALUES (?,?)");
  for (uint32_t stack = 0; stack < stacks.size() && write.goes_on(); ++stack) {
    const uint32_t* frames = stacks.frames(stack);
    const size_t depth = stacks.depth(stack);
    for (size_t i = 0; i < depth; ++i) {
      frame_row.row(int64_t{stack}, static_cast<int64_t>(i), int64_t{frames[i]});
    }
    depth_row.row(int64_t{stack}, static_cast<int64_t>(depth));
  }
}

// Only the strings that events name: frames carry their own.
void write_strings(const IndexWrite& write, const Snapshot& snapshot) {
  std::vector<uint8_t> used(snapshot.strings.size());
  const auto mark = [&](uint32_t id) {
    if (id != kNone) used[id] = 1;
  };
  for (const DeviceTrace& trace : snapshot.traces) {
    for (size_t i = 0; i < trace.action.size() && !is_cancelled_at(i, write.progress); ++i) {
      mark(trace.user_metadata[i]);
      mark(trace.compile_context[i]);
    }
  }
  Insert insert(write, "INSERT INTO string VALUES (?,?)");
  for (uint32_t id = 0; id < used.size() && write.goes_on(); ++id) {
    if (used[id]) insert.row(int64_t{id}, clean_text(snapshot.strings.at(id)));
  }
}

void write_action_words(const IndexWrite& write, const Snapshot& snapshot) {
  Insert insert(write, "INSERT OR IGNORE INTO action_word VALUES (?,?)");
  for (const DeviceTrace& trace : snapshot.traces) {
    for (const auto& [event, word] : trace.unknown_action) {
      if (!write.goes_on()) return;
      insert.row(static_cast<int64_t>(Action::unknown) + 1 + word, clean_text(snapshot.strings.at(word)));
    }
  }
}

}  // namespace

void write_stacks(const IndexWrite& write, const StringTable& strings, const FrameTable& frames, const StackTable& stacks) {
  Insert frame(write, "INSERT INTO frame VALUES (?,?,?,?)");
  for (uint32_t i = 0; i < frames.size() && write.goes_on(); ++i) {
    frame.row(int64_t{i}, clean_text(strings.at(frames.name(i))),
              clean_text(strings.at(frames.filename(i))), frames.line(i));
  }
  write_stack_rows(write, stacks);
}

void write_names(const IndexWrite& write, const Snapshot& snapshot) {
  write_strings(write, snapshot);
  write_action_words(write, snapshot);
  Insert stream(write, "INSERT INTO stream VALUES (?,?)");
  for (size_t i = 0; i < snapshot.streams.size() && write.goes_on(); ++i) {
    stream.row(static_cast<int64_t>(i), static_cast<int64_t>(snapshot.streams[i]));
  }
  Insert pool(write, "INSERT INTO pool VALUES (?,?)");
  for (size_t i = 0; i < snapshot.pools.size() && write.goes_on(); ++i) pool.row(static_cast<int64_t>(i), pool_name(snapshot.pools[i]));
  write_stacks(write, snapshot.strings, snapshot.frames, snapshot.stacks);
}

}  // namespace tidemark
