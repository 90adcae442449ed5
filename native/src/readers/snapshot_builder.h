// Turns complete records into the model: trace entries go to columns at once, segments own their blocks.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "model/finding_log.h"
#include "model/snapshot.h"
#include "readers/byte_source.h"
#include "readers/json_text.h"
#include "readers/record.h"
#include "readers/slots.h"
#include "readers/value.h"

namespace tidemark::readers {

// The newest item of a block's `history` (PyTorch 1.13 to 2.0).
struct History {
  bool filled = false;
  uint64_t requested_size = 0;
  uint32_t stack = kNone;
};

class SnapshotBuilder {
 public:
  SnapshotBuilder(Snapshot& snapshot, const ByteSource& source);

  // Text.
  Value text(std::string_view bytes) {
    // Python's writer repeats short texts such as "N/A" in every entry instead of fetching them from the memo.
    if (bytes == last_text_) return Value{last_text_id_, kNoMemo, Kind::text, 0};
    return intern_text(bytes);
  }
  Value pair(int64_t first, int64_t second);
  uint32_t empty_stack() { return snapshot_.stacks.intern(nullptr, 0); }
  StackTable& stacks() { return snapshot_.stacks; }
  const StringTable& strings() const { return snapshot_.strings; }

  // Records. Each answers with the handle that replaces the dict. `list` is the list that holds it and takes it in.
  Value frame(const Record& record);
  Value entry(const Record& record, Value& list);
  Value segment(const Record& record, Value& list);
  Value block(const Record& record, Value& list);
  Value history(const Record& record, Value& list);
  Value annotation(const Record& record, Value& list);

  // Lists of device traces.
  Value trace_list();
  bool add_trace(Value& lists, const Value& trace);

  // Values that are only kept as text.
  Value new_text(bool is_dict);
  JsonText* find_text(const Value& value) { return texts_.find(value.bits); }
  void add_to_text(JsonText& text, const Value* key, const Value& item, size_t limit = JsonText::kLimit);
  // Deepest nesting below a value, 0 for scalars.
  uint16_t depth_of(const Value& value);
  // Gives back what a value holds that nobody will ask for.
  void drop(const Value& value);

  // The top level.
  void root_field(const Value& key, const Value& value);
  void root_list(const Value& value);
  bool found_snapshot() const { return has_segments_ || snapshot_.has_traces_key; }
  bool found_content() const;
  // Makes the counted findings and the summary fields final.
  void finish();

  void damaged(const char* message);
  // A segment and its blocks do not say the same.
  void contradicted(const char* message);
  void unknown_field(uint32_t name);
  FindingLog& log() { return log_; }
  int64_t offset() const { return static_cast<int64_t>(source_.offset()); }

 private:
  Value intern_text(std::string_view bytes);

  static constexpr size_t kExtraLimit = 1024 * 1024;
  static constexpr size_t kTextBudget = 8 * 1024 * 1024;
  static constexpr uint32_t kMaxDevices = 1024;
  static constexpr const char* kTooManyDevices = "The file lists more than 1,024 devices; the others were left out.";
  // Bytes that no device has, and that all events and segments together never come to: what claims more is damaged, and sums of the rest stay
  // inside 63 bits.
  static constexpr uint64_t kMostBytes = uint64_t{1} << 48;
  static constexpr uint64_t kMostOfAll = uint64_t{1} << 61;

  // Counts the bytes of an event or segment, unless there cannot be so many: then true.
  bool claims_too_much(uint64_t bytes);
  void count_unknown(const Record& record);
  uint32_t stack_of(const Record& record);
  uint32_t text_of(const Record& record, Word key, const char* complaint);
  uint64_t unsigned_of(const Record& record, Word key, uint64_t missing, const char* complaint);
  int64_t time_of(const Record& record);
  bool pool_of(const Value& value, uint32_t& pool);
  uint16_t narrow_pool(const Record& record);
  uint16_t stream_index(uint64_t handle);
  uint32_t metadata_of(const Value& value);
  DeviceTrace* trace_of(Value& list);
  bool push_entry(DeviceTrace& trace, const Record& record, Action action);
  void fake_annotation(const Record& record, uint32_t trace);
  void take_blocks(Segment& segment, const Value& list);
  void take_traces(const Value& value);
  void take_segments(const Value& value);
  void append_json(std::string& out, const Value& value);
  void summarise_traces();
  bool any_stack() const;
  void register_segment_streams();

  Snapshot& snapshot_;
  const ByteSource& source_;
  FindingLog log_;
  std::vector<std::unique_ptr<DeviceTrace>> staged_;
  Slots<std::vector<Block>> blocks_;
  Slots<std::vector<Segment>> segments_;
  Slots<History> histories_;
  Slots<std::vector<uint32_t>> trace_lists_;
  Slots<JsonText> texts_;
  size_t text_bytes_ = 0;
  uint64_t claimed_bytes_ = 0;  // of all events and segments
  std::vector<PoolId> pairs_;
  std::map<std::pair<int64_t, int64_t>, uint32_t> pair_ids_;
  std::map<std::pair<int64_t, int64_t>, uint32_t> pool_ids_;
  std::map<uint64_t, uint16_t> stream_ids_;
  std::string_view last_text_;  // of the string table, which keeps it valid
  uint32_t last_text_id_ = w_empty;
  uint64_t last_stream_ = 0;
  uint16_t last_stream_index_ = 0;
  std::map<uint32_t, uint64_t> unknown_names_;
  uint64_t unknown_total_ = 0;
  std::vector<std::pair<uint32_t, size_t>> fake_annotations_;  // (staged trace, index of the annotation)
  JsonText extra_;
  bool has_segments_ = false;
  bool has_times_ = false;
};

}  // namespace tidemark::readers
