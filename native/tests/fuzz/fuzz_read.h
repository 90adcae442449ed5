// Reads fuzzed bytes and checks what every reader promises about its answer.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "model/snapshot.h"
#include "readers/read_source.h"

inline void fuzz_demand(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "broken promise: %s\n", what);
  std::abort();
}

inline void check_trace(const tidemark::Snapshot& snapshot, const tidemark::DeviceTrace& trace) {
  const size_t events = trace.action.size();
  fuzz_demand(trace.address.size() == events && trace.size.size() == events && trace.stream.size() == events &&
                  trace.pool.size() == events && trace.time.size() == events && trace.stack.size() == events &&
                  trace.user_metadata.size() == events && trace.compile_context.size() == events,
              "columns of one length");
  fuzz_demand(trace.device_free.size() == trace.oom_event.size(), "one free-memory number for each oom");
  for (size_t i = 0; i < events; ++i) {
    fuzz_demand(trace.action[i] <= static_cast<uint8_t>(tidemark::Action::unknown), "a known action code");
    fuzz_demand(trace.stack[i] == tidemark::kNone || trace.stack[i] < snapshot.stacks.size(), "a stack that exists");
    fuzz_demand(trace.stream[i] < snapshot.streams.size(), "a stream that exists");
    fuzz_demand(trace.pool[i] == 0xFFFF || trace.pool[i] < snapshot.pools.size(), "a pool that exists");
    fuzz_demand(trace.user_metadata[i] == tidemark::kNone || trace.user_metadata[i] < snapshot.strings.size(),
                "a text that exists");
    fuzz_demand(trace.compile_context[i] == tidemark::kNone || trace.compile_context[i] < snapshot.strings.size(),
                "a text that exists");
  }
}

inline void check_snapshot(const tidemark::Snapshot& snapshot) {
  for (const tidemark::DeviceTrace& trace : snapshot.traces) check_trace(snapshot, trace);
  for (const tidemark::Segment& segment : snapshot.segments) {
    uint64_t next = segment.address;
    for (const tidemark::Block& block : segment.blocks) {
      fuzz_demand(block.address == next, "contiguous blocks");
      fuzz_demand(block.stack == tidemark::kNone || block.stack < snapshot.stacks.size(), "a stack that exists");
      next += block.size;
    }
    fuzz_demand(next - segment.address == segment.total_size, "blocks that fill their segment");
  }
  for (uint32_t stack = 0; stack < snapshot.stacks.size(); ++stack) {
    for (size_t i = 0; i < snapshot.stacks.depth(stack); ++i)
      fuzz_demand(snapshot.stacks.frames(stack)[i] < snapshot.frames.size(), "a frame that exists");
  }
  for (uint32_t frame = 0; frame < snapshot.frames.size(); ++frame) {
    fuzz_demand(snapshot.frames.name(frame) < snapshot.strings.size() &&
                    snapshot.frames.filename(frame) < snapshot.strings.size(),
                "a text that exists");
  }
}

inline void fuzz_read(tidemark::readers::Family family, const uint8_t* data, size_t size) {
  tidemark::Progress progress;
  tidemark::Snapshot snapshot;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  tidemark::readers::ByteSource source(std::make_unique<tidemark::readers::MemoryInput>(bytes), progress);
  const tidemark::Failure error = tidemark::readers::read_source(source, family, "fuzzed", snapshot);
  if (error.failed()) {
    constexpr std::string_view kCodes =
        " file/too_deep snapshot/forbidden_opcode snapshot/malformed snapshot/truncated snapshot/not_a_snapshot "
        "snapshot/integer_too_large ";
    fuzz_demand(kCodes.find(" " + error.code + " ") != std::string_view::npos, error.code.c_str());
    fuzz_demand(!error.message.empty(), "a message");
    return;
  }
  check_snapshot(snapshot);
}
