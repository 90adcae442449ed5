#include "readers/snapshot_builder.h"

#include "model/text.h"

namespace tidemark::readers {
namespace {

Action action_of(const Value& value) {
  if (value.kind != Kind::text) return Action::unknown;
  switch (value.bits) {
    case w_alloc: return Action::alloc;
    case w_free_requested: return Action::free_requested;
    case w_free_completed: return Action::free_completed;
    case w_segment_alloc: return Action::segment_alloc;
    case w_segment_free: return Action::segment_free;
    case w_segment_map: return Action::segment_map;
    case w_segment_unmap: return Action::segment_unmap;
    case w_snapshot: return Action::snapshot;
    case w_oom: return Action::oom;
    case w_annotate: return Action::annotate;
    case w_user_defined: return Action::user_defined;
    case w_free: return Action::free;
    default: return Action::unknown;
  }
}

// Actions whose entry means nothing without an address.
bool needs_address(Action action) {
  return action != Action::oom && action != Action::snapshot && action != Action::user_defined &&
         action != Action::unknown;
}

// Keys that a genuine file may hold and that no view shows.
constexpr uint64_t kNotShown = bit(w_forward_frames) | bit(w_internal_metadata) | bit(w_category) | bit(w_cpp_frames) |
                               bit(w_fx_node_op) | bit(w_fx_node_name) | bit(w_fx_node_target) |
                               bit(w_fx_original_trace) | bit(w_fx_node_info) | bit(w_ph);

}  // namespace

SnapshotBuilder::SnapshotBuilder(Snapshot& snapshot, const ByteSource& source) : snapshot_(snapshot), source_(source) {
  intern_words(snapshot_.strings);
  snapshot_.pools.push_back({0, 0});
  pool_ids_[{0, 0}] = 0;
  extra_.is_dict = true;
}

void SnapshotBuilder::damaged(const char* message) {
  log_.count("snapshot/damaged_entry", "warning", offset(), message);
}

void SnapshotBuilder::contradicted(const char* message) {
  log_.count("snapshot/segment_mismatch", "warning", offset(), message);
}

Value SnapshotBuilder::intern_text(std::string_view bytes) {
  const size_t before = snapshot_.strings.size();
  last_text_id_ = snapshot_.strings.intern(bytes);
  last_text_ = snapshot_.strings.at(last_text_id_);
  if (snapshot_.strings.size() != before && !is_utf8(bytes)) {
    log_.count("snapshot/invalid_utf8", "info", offset(),
               "Some texts are not valid UTF-8; their bytes are kept and shown with replacement characters.");
  }
  return Value{last_text_id_, kNoMemo, Kind::text, 0};
}

Value SnapshotBuilder::pair(int64_t first, int64_t second) {
  const auto [it, added] = pair_ids_.try_emplace({first, second}, static_cast<uint32_t>(pairs_.size()));
  if (added) pairs_.push_back({first, second});
  Value value;
  value.kind = Kind::pair;
  value.bits = it->second;
  return value;
}

uint32_t SnapshotBuilder::text_of(const Record& record, Word key, const char* complaint) {
  if (!record.has(key)) return w_empty;
  if (record[key].kind == Kind::text) return static_cast<uint32_t>(record[key].bits);
  damaged(complaint);
  return w_empty;
}

// An address, size or handle. Signed writers put 2^63 and more as negative numbers: the bits are the same.
uint64_t SnapshotBuilder::unsigned_of(const Record& record, Word key, uint64_t missing, const char* complaint) {
  if (!record.has(key)) return missing;
  if (record[key].is_integer()) return record[key].bits;
  damaged(complaint);
  return missing;
}

int64_t SnapshotBuilder::time_of(const Record& record) {
  if (!record.has(w_time_us)) return kNoTime;
  const Value& value = record[w_time_us];
  if (value.kind == Kind::integer) return static_cast<int64_t>(value.bits);
  if (value.kind != Kind::none) damaged("An entry's time is not an integer; it is read as having none.");
  return kNoTime;
}

uint32_t SnapshotBuilder::stack_of(const Record& record) {
  if (!record.has(w_frames)) return kNone;
  const Value& value = record[w_frames];
  if (value.kind == Kind::stack) return static_cast<uint32_t>(value.bits);
  if (value.kind == Kind::new_list) return empty_stack();
  if (value.kind != Kind::none) damaged("A stack is not a list of frames; it is read as missing.");
  return kNone;
}

bool SnapshotBuilder::pool_of(const Value& value, uint32_t& pool) {
  if (value.kind != Kind::pair || value.bits >= pairs_.size()) return false;
  const PoolId id = pairs_[value.bits];
  const auto [it, added] = pool_ids_.try_emplace({id.first, id.second}, static_cast<uint32_t>(snapshot_.pools.size()));
  if (added) snapshot_.pools.push_back(id);
  pool = it->second;
  return true;
}

uint16_t SnapshotBuilder::narrow_pool(const Record& record) {
  if (!record.has(w_pool_id)) return kNoPool;
  uint32_t pool = 0;
  if (pool_of(record[w_pool_id], pool) && pool < kNoPool) return static_cast<uint16_t>(pool);
  damaged("An entry's pool is not a pair of integers; it is read as missing.");
  return kNoPool;
}

uint16_t SnapshotBuilder::stream_index(uint64_t handle) {
  if (handle == last_stream_ && !snapshot_.streams.empty()) return last_stream_index_;
  auto it = stream_ids_.find(handle);
  if (it == stream_ids_.end()) {
    if (snapshot_.streams.size() >= kNoStream) {
      damaged("The file names more than 65,535 streams; the others are shown as unknown.");
      return kNoStream;
    }
    it = stream_ids_.emplace(handle, static_cast<uint16_t>(snapshot_.streams.size())).first;
    snapshot_.streams.push_back(handle);
  }
  last_stream_ = handle;
  last_stream_index_ = it->second;
  return it->second;
}

uint32_t SnapshotBuilder::metadata_of(const Value& value) {
  if (value.kind == Kind::text) {
    return value.bits == w_empty || value.bits == w_not_applicable ? kNone : static_cast<uint32_t>(value.bits);
  }
  if (value.kind == Kind::none || value.kind == Kind::new_dict) return kNone;
  std::string json;
  append_json(json, value);
  return static_cast<uint32_t>(text(json).bits);
}

void SnapshotBuilder::unknown_field(uint32_t name) {
  constexpr size_t kMaxNames = 256;
  if (unknown_total_++ == 0) log_.count("snapshot/unknown_field", "info", offset(), "");
  const auto it = unknown_names_.find(name);
  if (it != unknown_names_.end()) {
    ++it->second;
  } else if (unknown_names_.size() < kMaxNames) {
    unknown_names_[name] = 1;
  }
}

void SnapshotBuilder::count_unknown(const Record& record) {
  for (uint64_t left = record.fields & kNotShown; left != 0; left &= left - 1) {
    uint32_t key = 0;
    while ((left >> key & 1) == 0) ++key;
    unknown_field(key);
    drop(record.values[key]);
  }
  const uint32_t named = record.unknown_count < Record::kMaxUnknown ? record.unknown_count : Record::kMaxUnknown;
  for (uint32_t i = 0; i < named; ++i) unknown_field(record.unknown[i]);
  unknown_total_ += record.unknown_count - named;
}

Value SnapshotBuilder::frame(const Record& record) {
  if ((record.fields & kNotShown) != 0 || record.unknown_count != 0) count_unknown(record);
  const uint32_t name = text_of(record, w_name, "A frame's name is not a text.");
  const uint32_t filename = text_of(record, w_filename, "A frame's file name is not a text.");
  const uint64_t line = unsigned_of(record, w_line, 0, "A frame's line is not an integer.");
  Value value;
  value.kind = Kind::frame;
  value.bits = snapshot_.frames.intern(name, filename, static_cast<int64_t>(line));
  return value;
}

DeviceTrace* SnapshotBuilder::trace_of(Value& list) {
  if (list.kind == Kind::entry_list) return list.bits < staged_.size() ? staged_[list.bits].get() : nullptr;
  if (list.kind != Kind::new_list) return nullptr;
  // A trace takes megabytes of address space, of which some allocators have little: no more are made than are kept.
  if (staged_.size() >= kMaxDevices) return nullptr;
  list.kind = Kind::entry_list;
  list.bits = staged_.size();
  staged_.push_back(std::make_unique<DeviceTrace>());
  return staged_.back().get();
}

Value SnapshotBuilder::entry(const Record& record, Value& list) {
  Value done;
  done.kind = Kind::done;
  if ((record.fields & kNotShown) != 0 || record.unknown_count != 0) count_unknown(record);
  if (!record.has(w_action) || record[w_action].kind != Kind::text) {
    damaged("A trace entry without an action was left out.");
    return done;
  }
  const Action action = action_of(record[w_action]);
  if (needs_address(action) && !(record.has(w_addr) && record[w_addr].is_integer())) {
    damaged("A trace entry without an address was left out.");
    return done;
  }
  if (needs_address(action) && !(record.has(w_size) && record[w_size].is_integer())) {
    damaged("A trace entry without a size was left out.");
    return done;
  }
  if (needs_address(action) && claims_too_much(record[w_size].bits)) {
    damaged("A trace entry of more bytes than any device has was left out.");
    return done;
  }
  DeviceTrace* trace = trace_of(list);
  if (!trace && staged_.size() >= kMaxDevices) {
    damaged(kTooManyDevices);
  } else if (!trace || !push_entry(*trace, record, action)) {
    damaged("A trace entry in an unexpected place was left out.");
  } else if (action == Action::user_defined) {
    fake_annotation(record, static_cast<uint32_t>(list.bits));
  }
  return done;
}

bool SnapshotBuilder::claims_too_much(uint64_t bytes) {
  if (bytes > kMostBytes || bytes > kMostOfAll - claimed_bytes_) return true;
  claimed_bytes_ += bytes;
  return false;
}

bool SnapshotBuilder::push_entry(DeviceTrace& trace, const Record& record, Action action) {
  if (trace.action.size() >= 0xFFFFFFFEu) return false;
  const auto event = static_cast<uint32_t>(trace.action.size());
  if (action == Action::oom) {
    trace.oom_event.push_back(event);
    trace.device_free.push_back(unsigned_of(record, w_device_free, 0, "A free-memory number is not an integer."));
  } else if (action == Action::unknown) {
    trace.unknown_action.emplace_back(event, static_cast<uint32_t>(record[w_action].bits));
    log_.count("snapshot/unknown_action", "warning", offset(),
               "Entries with an action unknown to this version are kept as they are.");
  }
  const int64_t time = time_of(record);
  has_times_ |= time != kNoTime;
  const uint64_t stream =
      unsigned_of(record, w_stream, 0, "An entry's stream is not an integer; the default stream is assumed.");
  trace.action.push_back(static_cast<uint8_t>(action));
  trace.address.push_back(unsigned_of(record, w_addr, 0, "An entry's address is not an integer."));
  trace.size.push_back(unsigned_of(record, w_size, 0, "An entry's size is not an integer."));
  trace.stream.push_back(stream_index(stream));
  trace.pool.push_back(narrow_pool(record));
  trace.time.push_back(time);
  trace.stack.push_back(stack_of(record));
  trace.user_metadata.push_back(record.has(w_user_metadata) ? metadata_of(record[w_user_metadata]) : kNone);
  trace.compile_context.push_back(record.has(w_compile_context) ? metadata_of(record[w_compile_context]) : kNone);
  return true;
}

// Nightlies of 2024 wrote annotations as entries with one fake frame: name START or END, file name = the label.
void SnapshotBuilder::fake_annotation(const Record& record, uint32_t trace) {
  const uint32_t stack = stack_of(record);
  if (stack == kNone || snapshot_.stacks.depth(stack) == 0) return;
  const uint32_t frame = snapshot_.stacks.frames(stack)[0];
  const uint32_t stage = snapshot_.frames.name(frame);
  if (stage != w_START && stage != w_END) return;
  fake_annotations_.emplace_back(trace, snapshot_.annotations.size());
  snapshot_.annotations.push_back({snapshot_.frames.filename(frame), stage == w_START, 0, time_of(record)});
}

Value SnapshotBuilder::annotation(const Record& record, Value& list) {
  Value done;
  done.kind = Kind::done;
  count_unknown(record);
  if (list.kind == Kind::new_list) list.kind = Kind::done_list;
  const bool start = record.has(w_stage) && record[w_stage].is_text(w_START);
  const bool end = record.has(w_stage) && record[w_stage].is_text(w_END);
  const bool named = record.has(w_name) && record[w_name].kind == Kind::text;
  if (list.kind != Kind::done_list || !named || (!start && !end)) {
    damaged("An annotation without a name or stage was left out.");
    return done;
  }
  const auto device =
      static_cast<int32_t>(unsigned_of(record, w_device, 0, "An annotation's device is not an integer."));
  snapshot_.annotations.push_back({static_cast<uint32_t>(record[w_name].bits), start, device, time_of(record)});
  return done;
}

}  // namespace tidemark::readers
