// The neutral in-memory form of one Chrome trace: what the reader fills and what nesting, replay and store consume. Events keep the file's own
// times; nothing is sorted, paired or dropped here. Format: the Trace Event Format as catapult imports it, and PyTorch's (Kineto) use of it.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "model/column.h"
#include "model/intern.h"
#include "model/snapshot.h"

namespace tidemark {

// "No such id": External id, correlation, Ev Idx that the event does not have.
inline constexpr uint32_t kNoId = 0xFFFFFFFFu;
// A slice of phase X without a usable `dur`, which lasts to the end of its track.
inline constexpr int64_t kUnfinished = -1;

// Where an event's JSON text lies in the (inflated) source: from its '{' to behind its '}'. length 0 = unknown or too long to tell.
struct SourceSpan {
  uint64_t offset = 0;
  uint32_t length = 0;
};

enum class SlicePhase : uint8_t { complete, begin, end };  // X, B, E

// What the category says of an event's meaning, as far as nesting and replay need to know it. Old names of chrome-trace files are mapped.
enum class CategoryKind : uint8_t { other, cpu_op, python_function, user_annotation, runtime, gpu, gpu_annotation, overhead, span };

// One event of phase X, B or E. 48 bytes: they are what a large trace is made of.
struct TraceSlice {
  int64_t start_ns = 0;                // the file's ts, exact from its decimal text
  int64_t dur_ns = kUnfinished;        // X only
  uint64_t source_offset = 0;          // SourceSpan
  uint32_t source_length = 0;
  uint32_t name = kNone;               // strings id; kNone for E without a name
  uint32_t thread = 0;                 // Trace::threads index
  uint32_t external_id = kNoId;        // args "External id"; python_function has none
  uint32_t correlation = kNoId;        // args "correlation"; likewise
  uint16_t category = 0;               // Trace::categories index
  SlicePhase phase = SlicePhase::complete;
  uint8_t zero = 0;
};
static_assert(sizeof(TraceSlice) == 48);

// i, I, R, P (named by its leaf frame where it has one), N, O, D: events that have a time but no length.
struct TraceInstant {
  int64_t time_ns = 0;
  SourceSpan source;
  uint32_t name = kNone;
  uint32_t thread = 0;
  uint16_t category = 0;
  char scope = 't';     // t, p, g
};

// One value of one series: a key of a C event's args.
struct TraceCounterSample {
  int64_t time_ns = 0;
  double value = 0;
  uint32_t series = 0;  // Trace::series index
};
struct TraceCounterSeries {
  uint32_t process = 0;
  uint32_t name = kNone;    // the event's name
  uint32_t key = kNone;     // the args key
  uint32_t id = kNone;      // the event's id as text; kNone without
};

// s, t, f, and both ends of bind_id.
struct TraceFlowPoint {
  int64_t time_ns = 0;
  uint64_t id = 0;          // hash of (cat, name, id); equal for the points of one flow
  uint32_t name = kNone;
  uint32_t thread = 0;
  uint16_t category = 0;
  char phase = 's';         // s, t, f; of a slice with bind_id: o (flow_out), i (flow_in), b (both)
  bool binds_enclosing = true;  // else to the next slice: f without bp "e", but for categories that catapult binds otherwise
};

// b, e, n and S, T, p, F. `key` groups what belongs together: category, scope, id, and the process where the id is local to it.
struct TraceAsyncPoint {
  int64_t time_ns = 0;
  SourceSpan source;
  uint32_t key = 0;         // Trace::async_keys index
  uint32_t name = kNone;
  uint32_t thread = 0;
  char phase = 'b';
};
struct TraceAsyncKey {
  uint32_t process = 0;
  uint16_t category = 0;
};

// PyTorch's `[memory]` and `[OutOfMemory]` instants.
struct TraceMemoryEvent {
  int64_t time_ns = 0;
  uint64_t address = 0;               // 0 where the file has none (PyTorch 1.8, 1.9, OutOfMemory)
  int64_t bytes = 0;                  // > 0 allocation, < 0 free
  int64_t total_allocated = -1;       // after the event; −1 = the file does not say
  int64_t total_reserved = -1;
  SourceSpan source;
  uint32_t thread = 0;
  uint32_t order = kNoId;             // args "Ev Idx"
  int16_t device_type = 0;            // c10 enum: 0 CPU, 1 CUDA, 6 HIP, …
  int16_t device_id = -1;
  bool is_out_of_memory = false;
};

// Rows of the file. pid and tid are compared by type and value: 0 is not "0".
struct TraceProcess {
  std::string pid;          // as the file writes it, without quotes; "" when it has none
  bool pid_is_text = false;
  bool has_pid = false;
  uint32_t name = kNone;    // metadata process_name, the last one
  uint32_t labels = kNone;  // metadata process_labels
  int64_t sort_index = 0;
  bool has_sort_index = false;
};
struct TraceThread {
  uint32_t process = 0;     // Trace::processes index
  std::string tid;
  bool tid_is_text = false;
  bool has_tid = false;
  uint32_t name = kNone;    // metadata thread_name
  int64_t sort_index = 0;
  bool has_sort_index = false;
};

// A place from which a compressed source can be inflated again without reading what lies before it.
struct InflateCheckpoint {
  uint64_t offset = 0;         // in the inflated source
  uint64_t packed_offset = 0;  // in the file: the first whole byte
  uint8_t bits = 0;            // of the byte before it that still belong to the stream
  std::string window;          // the 32 KiB that precede `offset`
};

struct Trace {
  StringTable strings;                  // raw bytes after JSON decoding, interned by value; may be invalid UTF-8
  std::vector<uint32_t> categories;     // strings ids; index 0 = no category
  std::vector<CategoryKind> category_kinds;  // by category
  std::vector<TraceProcess> processes;
  std::vector<TraceThread> threads;     // also those that only metadata names
  Column<TraceSlice> slices;            // file order, as all below
  Column<TraceInstant> instants;
  Column<TraceCounterSample> samples;
  std::vector<TraceCounterSeries> series;
  Column<TraceFlowPoint> flow_points;
  Column<TraceAsyncPoint> async_points;
  std::vector<TraceAsyncKey> async_keys;
  Column<TraceMemoryEvent> memory_events;
  std::vector<std::pair<std::string, std::string>> metadata;  // top-level keys other than traceEvents and their JSON text (bounded)
  bool has_base = false;
  int64_t base_ns = 0;                  // baseTimeNanoseconds: Unix time of ts 0
  uint64_t event_count = 0;             // objects with a phase, of any kind
  bool is_compressed = false;
  std::vector<InflateCheckpoint> checkpoints;  // compressed sources only, ascending by offset
  std::string format_detail;            // "JSON object, gzip", "JSON array", "JSON lines"
  std::vector<Finding> findings;
};

}  // namespace tidemark
