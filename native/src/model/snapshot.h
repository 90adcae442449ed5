// The neutral in-memory form of one memory snapshot: what a reader fills and what replay and store consume.
// Plain data, no behavior beyond interning. Field meanings: torch.cuda.memory._snapshot() of PyTorch 1.13 to main.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/column.h"
#include "model/intern.h"

namespace tidemark {

// "no such thing": a string, stack, frame, pool or time that the file does not give.
inline constexpr uint32_t kNone = 0xFFFFFFFFu;
inline constexpr uint16_t kNoPool = 0xFFFFu;    // as an index into Snapshot::pools
inline constexpr uint16_t kNoStream = 0xFFFFu;  // as an index into Snapshot::streams
inline constexpr int64_t kNoTime = INT64_MIN;

// What an event does. The order is the stored code: append only.
enum class Action : uint8_t {
  alloc,
  free_requested,
  free_completed,
  segment_alloc,
  segment_free,
  segment_map,
  segment_unmap,
  snapshot,
  oom,
  annotate,
  user_defined,
  free,     // MemoryViz's merged form: requested and completed at once
  unknown,  // the file's own word is in DeviceTrace::unknown_action
};

enum class BlockState : uint8_t { active_allocated, active_pending_free, inactive };

// Pool id as PyTorch writes it: (0,0) default, (n,0) CUDA-graph capture, (0,n) user pool.
struct PoolId {
  int64_t first = 0;
  int64_t second = 0;
};

struct Block {
  uint64_t address = 0;
  uint64_t size = 0;            // rounded bytes occupied
  uint64_t requested_size = 0;  // 0 for inactive blocks (the file's value there is stale)
  BlockState state = BlockState::inactive;
  uint32_t stack = kNone;
};

struct Segment {
  int32_t device = 0;
  uint64_t address = 0;
  uint64_t total_size = 0;
  uint64_t stream = 0;  // raw handle
  uint32_t pool = kNone;  // index into Snapshot::pools
  bool is_large = true;
  bool is_expandable = false;
  uint32_t stack = kNone;
  std::vector<Block> blocks;  // ascending by address, contiguous
};

// Events of one device in file order, struct of arrays; all columns have the same length.
struct DeviceTrace {
  Column<uint8_t> action;            // Action
  Column<uint64_t> address;          // 0 where the file has none (oom)
  Column<uint64_t> size;             // bytes, as in the file (requested for alloc/free, rounded for oom)
  Column<uint64_t> device_free;      // only oom events, in order of occurrence: device_free bytes
  Column<uint32_t> oom_event;        // event index of each device_free entry
  Column<uint16_t> stream;           // index into Snapshot::streams, or kNoStream
  Column<uint16_t> pool;             // index into Snapshot::pools; kNoPool where absent
  Column<int64_t> time;              // Unix microseconds; of a trace the file's nanoseconds; kNoTime where absent
  Column<uint32_t> stack;            // Snapshot::stacks id; kNone where the key is absent
  Column<uint32_t> user_metadata;    // Snapshot::strings id; kNone for "" or absent
  Column<uint32_t> compile_context;  // Snapshot::strings id; kNone for "N/A" or absent
  std::vector<std::pair<uint32_t, uint32_t>> unknown_action;  // (event, strings id)
};

struct Annotation {
  uint32_t name = kNone;  // strings id
  bool is_start = true;
  int32_t device = 0;
  int64_t time_us = kNoTime;
};

// One thing that was repaired, skipped, unknown or approximate. Codes are listed in native/README.md.
struct Finding {
  std::string code;      // area/reason
  std::string severity;  // info | warning | error
  uint64_t count = 0;
  int64_t first_at = -1;  // byte offset in the (inflated) file, or event index; −1 when it has no place
  std::string message;    // English sentence; the code is what the window translates
};

struct Snapshot {
  StringTable strings;  // raw bytes, interned by value; may be invalid UTF-8
  FrameTable frames;    // interned by value
  StackTable stacks;    // lists of frame ids, innermost first, interned by value; the empty stack is a stack
  std::vector<uint64_t> streams;  // distinct raw handles: of events in order of first sight, then of segments
  std::vector<PoolId> pools;      // distinct ids in order of first sight; index 0 is always (0,0)
  std::vector<Segment> segments;  // as in the file
  std::vector<DeviceTrace> traces;  // index = device
  std::vector<Annotation> annotations;
  std::string settings_json;  // allocator_settings as JSON text, "" when absent
  std::string extra_json;     // unknown top-level keys as JSON text (bounded), "" when none
  std::string format_detail;  // e.g. "pickle protocol 4", "JSON", "pickle protocol 2, gzip, segments only"
  bool has_traces_key = false;
  std::vector<Finding> findings;
};

}  // namespace tidemark
