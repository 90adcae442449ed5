// The part of SnapshotBuilder that handles the top level, device lists and values that are kept as text only.
#include <algorithm>

#include "model/json_number.h"
#include "model/text.h"
#include "readers/snapshot_builder.h"

namespace tidemark::readers {

Value SnapshotBuilder::trace_list() {
  Value value;
  value.kind = Kind::trace_lists;
  value.bits = trace_lists_.make();
  return value;
}

// Adds one device's list; an empty one never became an entry list.
bool SnapshotBuilder::add_trace(Value& lists, const Value& trace) {
  std::vector<uint32_t>* traces = trace_lists_.find(lists.bits);
  if (!traces) return false;
  if (trace.kind == Kind::new_list) {
    traces->push_back(kNone);
  } else if (trace.kind == Kind::entry_list) {
    traces->push_back(static_cast<uint32_t>(trace.bits));
  } else {
    return false;
  }
  return true;
}

Value SnapshotBuilder::new_text(bool is_dict) {
  Value value;
  value.kind = Kind::opaque;
  if (text_bytes_ > kTextBudget || texts_.in_use() > kTextBudget / 64) return value;
  value.kind = Kind::generic;
  value.bits = texts_.make();
  texts_.find(value.bits)->is_dict = is_dict;
  return value;
}

void SnapshotBuilder::add_to_text(JsonText& text, const Value* key, const Value& item, size_t limit) {
  if (text.cut) return;
  std::string name;
  std::string content;
  if (key) {
    if (key->kind == Kind::text) {
      append_json(name, *key);
    } else {
      std::string number;
      append_json(number, *key);
      append_json_string(name, number);
    }
  }
  append_json(content, item);
  const size_t before = text.text.size();
  text.add(name, content, limit);
  text_bytes_ += text.text.size() - before;
  text.depth = std::max<uint16_t>(text.depth, depth_of(item) + 1);
}

uint16_t SnapshotBuilder::depth_of(const Value& value) {
  if (value.kind == Kind::generic) {
    const JsonText* text = texts_.find(value.bits);
    return text ? text->depth : 1;
  }
  return value.kind >= Kind::stack ? 1 : 0;
}

void SnapshotBuilder::drop(const Value& value) {
  if (value.kind == Kind::generic) {
    const JsonText* text = texts_.find(value.bits);
    if (!text || text->shared) return;
    text_bytes_ -= text->text.size();
    texts_.release(value.bits);
  } else if (value.kind == Kind::entry_list) {
    if (value.bits < staged_.size()) staged_[value.bits].reset();
  } else if (value.kind == Kind::trace_lists) {
    const std::vector<uint32_t>* traces = trace_lists_.find(value.bits);
    if (!traces) return;
    for (const uint32_t trace : *traces) {
      if (trace < staged_.size()) staged_[trace].reset();
    }
    trace_lists_.release(value.bits);
  } else if (value.kind == Kind::segment_list && segments_.find(value.bits)) {
    segments_.release(value.bits);
  }
}

void SnapshotBuilder::append_json(std::string& out, const Value& value) {
  constexpr size_t kMaxText = 16 * 1024;
  switch (value.kind) {
    case Kind::none: out += "null"; return;
    case Kind::no: out += "false"; return;
    case Kind::yes: out += "true"; return;
    case Kind::integer: out += std::to_string(static_cast<int64_t>(value.bits)); return;
    case Kind::big_integer: out += std::to_string(value.bits); return;
    case Kind::real: {
      double number;
      std::memcpy(&number, &value.bits, sizeof number);
      append_json_number(out, number);
      return;
    }
    case Kind::text:
      append_json_string(out,
                         std::string_view(snapshot_.strings.at(static_cast<uint32_t>(value.bits))).substr(0, kMaxText));
      return;
    case Kind::pair:
      out += '[' + std::to_string(pairs_[value.bits].first) + ',' + std::to_string(pairs_[value.bits].second) + ']';
      return;
    case Kind::new_list: out += "[]"; return;
    case Kind::new_dict: out += "{}"; return;
    case Kind::generic: {
      const JsonText* text = texts_.find(value.bits);
      out += text ? text->rendered() : "\"…\"";
      return;
    }
    default: out += "\"…\""; return;
  }
}

void SnapshotBuilder::take_segments(const Value& value) {
  if (value.kind == Kind::segment_list && segments_.find(value.bits)) {
    has_segments_ = true;
    snapshot_.segments = std::move(*segments_.find(value.bits));
    segments_.release(value.bits);
  } else if (value.kind == Kind::new_list) {
    has_segments_ = true;
  } else {
    damaged("The segments are not a list of segments.");
  }
}

void SnapshotBuilder::take_traces(const Value& value) {
  const std::vector<uint32_t>* lists = value.kind == Kind::trace_lists ? trace_lists_.find(value.bits) : nullptr;
  const std::vector<uint32_t> flat{static_cast<uint32_t>(value.bits)};
  if (value.kind == Kind::entry_list) {
    damaged("The traces are not split by device; all entries are read as device 0's.");
    lists = &flat;
  } else if (!lists && value.kind != Kind::new_list) {
    damaged("The device traces are not a list of lists of entries.");
    return;
  }
  snapshot_.has_traces_key = true;
  std::vector<int32_t> device_of(staged_.size(), 0);
  for (const uint32_t trace : lists ? *lists : std::vector<uint32_t>{}) {
    if (snapshot_.traces.size() >= kMaxDevices) {
      damaged(kTooManyDevices);
      break;
    }
    if (trace < staged_.size()) device_of[trace] = static_cast<int32_t>(snapshot_.traces.size());
    snapshot_.traces.emplace_back();
    if (trace < staged_.size() && staged_[trace]) {
      snapshot_.traces.back() = std::move(*staged_[trace]);
      staged_[trace].reset();
    }
  }
  for (const auto& [trace, annotation] : fake_annotations_) snapshot_.annotations[annotation].device = device_of[trace];
}

void SnapshotBuilder::root_field(const Value& key, const Value& value) {
  const uint64_t word = key.kind == Kind::text ? key.bits : uint64_t{kWordCount};
  if (word == w_segments) {
    take_segments(value);
  } else if (word == w_device_traces) {
    take_traces(value);
  } else if (word == w_allocator_settings) {
    snapshot_.settings_json.clear();
    append_json(snapshot_.settings_json, value);
  } else if (word == w_external_annotations) {
    if (value.kind != Kind::done_list && value.kind != Kind::new_list)
      damaged("The annotations are not a list of annotations.");
  } else if (word == w_host_segments || word == w_host_traces) {
    unknown_field(static_cast<uint32_t>(word));
    drop(value);
  } else {
    add_to_text(extra_, &key, value, kExtraLimit);
    drop(value);
  }
}

void SnapshotBuilder::root_list(const Value& value) {
  if (value.kind == Kind::segment_list) take_segments(value);  // an empty list is one of anything
}

bool SnapshotBuilder::found_content() const {
  const auto has_events = [](const DeviceTrace& trace) { return !trace.action.empty(); };
  return !snapshot_.segments.empty() || std::any_of(snapshot_.traces.begin(), snapshot_.traces.end(), has_events);
}

void SnapshotBuilder::summarise_traces() {
  const auto is_empty = [](const DeviceTrace& trace) { return trace.action.empty(); };
  if (!snapshot_.has_traces_key) {
    log_.count("snapshot/segments_only", "info", -1, "The file holds the final state only, no events.");
    return;
  }
  if (std::all_of(snapshot_.traces.begin(), snapshot_.traces.end(), is_empty)) {
    log_.count("snapshot/no_history", "warning", -1,
               "No device has events: history was not being recorded when the file was written.");
    return;
  }
  if (!has_times_)
    log_.count("snapshot/no_times", "info", -1, "The events have no times; their order is the only axis.");
}

bool SnapshotBuilder::any_stack() const {
  const auto has_frames = [&](uint32_t stack) { return stack != kNone && snapshot_.stacks.depth(stack) > 0; };
  for (const DeviceTrace& trace : snapshot_.traces) {
    for (size_t i = 0; i < trace.stack.size(); ++i) {
      if (has_frames(trace.stack[i])) return true;
    }
  }
  return std::any_of(snapshot_.segments.begin(), snapshot_.segments.end(), [&](const Segment& segment) {
    return std::any_of(segment.blocks.begin(), segment.blocks.end(), [&](const Block& block) { return has_frames(block.stack); });
  });
}

// Events name most streams; a file without history names them in its segments only.
void SnapshotBuilder::register_segment_streams() {
  for (const Segment& segment : snapshot_.segments) stream_index(segment.stream);
}

void SnapshotBuilder::finish() {
  summarise_traces();
  register_segment_streams();
  if (!any_stack()) log_.count("snapshot/no_stacks", "info", -1, "No event and no block has a stack.");
  if (unknown_total_ > 0) {
    constexpr size_t kMaxNamed = 20;
    constexpr size_t kLongestName = 64;
    std::string message = "Fields that are not shown:";
    size_t named = 0;
    for (const auto& [name, count] : unknown_names_) {
      if (named++ == kMaxNamed) break;
      const std::string& key = snapshot_.strings.at(name);
      message += named == 1 ? " " : ", ";
      message += is_utf8(key) && key.size() <= kLongestName ? key : "(unreadable name)";
      message += " (" + std::to_string(count) + ")";
    }
    Finding& finding = log_.at("snapshot/unknown_field");
    finding.count = unknown_total_;
    finding.message = message + (unknown_names_.size() > kMaxNamed ? " and others." : ".");
  }
  if (!extra_.text.empty() || extra_.cut) snapshot_.extra_json = extra_.rendered();
  snapshot_.findings = log_.take();
}

}  // namespace tidemark::readers
