// The words of the snapshot format. They are interned first, so a string's id below kWordCount says which word it is.
#pragma once

#include <cstdint>

#include "model/intern.h"

namespace tidemark::readers {

// Keys of segments, blocks, trace entries, frames and annotations. They come first: the position is the field's bit.
#define TIDEMARK_KEYS(X)                                                                                              \
  X(device) X(address) X(total_size) X(allocated_size) X(active_size) X(requested_size) X(stream) X(segment_type)     \
  X(segment_pool_id) X(is_expandable) X(frames) X(blocks) X(size) X(state) X(history) X(addr) X(real_size) X(action)  \
  X(device_free) X(time_us) X(compile_context) X(user_metadata) X(pool_id) X(name) X(filename) X(line) X(stage)       \
  X(forward_frames) X(internal_metadata) X(category) X(version) X(cpp_frames) X(fx_node_op) X(fx_node_name)           \
  X(fx_node_target) X(fx_original_trace) X(fx_node_info) X(ph)

// Keys of the top level and values with a meaning.
#define TIDEMARK_VALUES(X)                                                                                            \
  X(segments) X(device_traces) X(allocator_settings) X(external_annotations) X(host_segments) X(host_traces)          \
  X(traceEvents) X(alloc) X(free_requested) X(free_completed) X(segment_alloc) X(segment_free) X(segment_map)         \
  X(segment_unmap) X(snapshot) X(oom) X(annotate) X(user_defined) X(active_allocated) X(active_pending_free)          \
  X(active_awaiting_free) X(inactive) X(small) X(large) X(START) X(END)

enum Word : uint32_t {
#define TIDEMARK_ENUM(word) w_##word,
  TIDEMARK_KEYS(TIDEMARK_ENUM) kKeyCount,
  kBeforeValues = kKeyCount - 1,
  TIDEMARK_VALUES(TIDEMARK_ENUM)
#undef TIDEMARK_ENUM
  w_free,            // "free" is MemoryViz's merged action
  w_empty,           // ""
  w_not_applicable,  // "N/A": no compile context
  kWordCount
};
static_assert(kKeyCount <= 64, "a record's fields are bits of one 64-bit mask");

constexpr uint64_t bit(Word key) { return uint64_t{1} << key; }

// Interns every word into an empty table, in the order of the enumeration.
inline void intern_words(StringTable& strings) {
#define TIDEMARK_INTERN(word) strings.intern(#word);
  TIDEMARK_KEYS(TIDEMARK_INTERN)
  TIDEMARK_VALUES(TIDEMARK_INTERN)
#undef TIDEMARK_INTERN
  strings.intern("free");
  strings.intern("");
  strings.intern("N/A");
}

}  // namespace tidemark::readers
