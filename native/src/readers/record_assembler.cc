// The part of Assembler that fills dicts and decides what a complete one is.
#include "readers/assembler.h"

namespace tidemark::readers {

// A key as Python allows it and JSON can name it: a text, a number, None, a pair of integers.
bool Assembler::is_key(const Value& value) {
  if (value.kind < Kind::stack) return true;
  const JsonText* text = value.kind == Kind::generic ? builder_.find_text(value) : nullptr;
  return text && !text->is_dict;
}

bool Assembler::is_field_value(size_t at) const { return at > floor() && values_[at - 1].kind == Kind::text; }

Record* Assembler::open_record(size_t at) {
  Value& dict = values_[at];
  if (Record* record = record_of(dict)) return record;
  if (dict.kind != Kind::new_dict) {
    fail("snapshot/malformed", "Fields are put into something that is not a dict, or into a dict after it was used.");
    return nullptr;
  }
  if (!may_fill(dict)) return nullptr;
  if (open_records_ >= kMaxOpenRecords) {
    fail("snapshot/malformed", "More than 65,536 dicts wait for their container.");
    return nullptr;
  }
  if (free_records_.empty()) {
    free_records_.push_back(static_cast<uint32_t>(records_.size()));
    records_.push_back(std::make_unique<Record>());
  }
  const uint32_t slot = free_records_.back();
  free_records_.pop_back();
  ++open_records_;
  Record* record = records_[slot].get();
  record->reset(at, dict.memo);
  dict.kind = Kind::open_dict;
  dict.bits = slot;
  remember(dict);
  return record;
}

bool Assembler::fill_root(size_t first) {
  for (size_t i = first; i + 1 < top_; i += 2) {
    if (!is_key(values_[i])) return fail("snapshot/malformed", "A dict's key is itself a container.");
    builder_.root_field(values_[i], values_[i + 1]);
  }
  top_ = first;
  return true;
}

bool Assembler::fill_dict(size_t at, size_t first) {
  complete_items(first);
  if (at == 0 && marks_.empty() && values_[0].kind == Kind::new_dict) return may_fill(values_[0]) && fill_root(first);
  if (first == top_ && values_[at].kind == Kind::new_dict) return true;
  Record* record = open_record(at);
  if (!record) return false;
  for (size_t i = first; i < top_; i += 2) {
    const Value& key = values_[i];
    if (key.kind == Kind::text && key.bits < kKeyCount) {
      record->values[key.bits] = values_[i + 1];
      record->fields |= uint64_t{1} << key.bits;
    } else if (!is_key(key)) {
      return fail("snapshot/malformed", "A dict's key is itself a container.");
    } else {
      const auto name = key.kind == Kind::text ? static_cast<uint32_t>(key.bits) : uint32_t{w_empty};
      if (record->unknown_count < Record::kMaxUnknown) record->unknown[record->unknown_count] = name;
      ++record->unknown_count;
    }
  }
  if (!note_text(*record, at, first)) return false;
  top_ = first;
  return true;
}

// Keeps the fields as text while the dict may be one that the viewer does not know.
bool Assembler::note_text(Record& record, size_t at, size_t first) {
  const bool known = !is_field_value(at) && classify(record.fields) != RecordClass::generic;
  if (known && record.text == Record::kNoText && record.unknown_count == 0) return true;
  Value handle{record.text, kNoMemo, Kind::generic, 0};
  if (!known && record.text == Record::kNoText) {
    handle = builder_.new_text(true);
    if (handle.kind == Kind::generic) record.text = static_cast<uint32_t>(handle.bits);
  }
  JsonText* text = !known && record.text != Record::kNoText ? builder_.find_text(handle) : nullptr;
  for (size_t i = first; i < top_; i += 2) {
    const bool field = values_[i].kind == Kind::text && values_[i].bits < kKeyCount;
    if (text) builder_.add_to_text(*text, &values_[i], values_[i + 1]);
    if (text || (known && !field)) release_item(values_[i + 1]);
  }
  if (text && text->depth > kMaxDepth) return fail("file/too_deep", "Containers are nested more than 256 deep.");
  return true;
}

// The list that a dict at `at` goes into: right below it (APPEND follows), or the one that was opened by the last mark.
Value* Assembler::owner_of(size_t at, Value& nowhere) {
  if (at > floor() && is_list(values_[at - 1].kind)) return &values_[at - 1];
  if (!marks_.empty() && marks_.back() > 0 && is_list(values_[marks_.back() - 1].kind))
    return &values_[marks_.back() - 1];
  return &nowhere;
}

void Assembler::complete(size_t at) {
  const auto slot = static_cast<uint32_t>(values_[at].bits);
  Record* record = record_of(values_[at]);
  if (!record) return;
  Value nowhere;
  Value* owner = owner_of(at, nowhere);
  const bool in_outer_list = owner == &values_[0] && at > 0;
  if (record->has(w_ph) && in_outer_list) saw_trace_event_ = true;
  RecordClass kind = classify(record->fields);
  if (is_field_value(at) || (owner == &nowhere && kind != RecordClass::frame)) kind = RecordClass::generic;
  Value result = recognise(*record, *owner, kind);
  if (kind != RecordClass::generic && record->text != Record::kNoText) {
    builder_.drop(Value{record->text, kNoMemo, Kind::generic, 0});
  }
  result.memo = record->memo;
  remember(result);
  values_[at] = result;
  record->in_use = false;
  free_records_.push_back(slot);
  --open_records_;
}

Value Assembler::recognise(const Record& record, Value& owner, RecordClass kind) {
  switch (kind) {
    case RecordClass::entry: return builder_.entry(record, owner);
    case RecordClass::segment: return builder_.segment(record, owner);
    case RecordClass::block: return builder_.block(record, owner);
    case RecordClass::history: return builder_.history(record, owner);
    case RecordClass::annotation: return builder_.annotation(record, owner);
    case RecordClass::frame: return builder_.frame(record);
    case RecordClass::generic: break;
  }
  return generic_of(record);
}

Value Assembler::generic_of(const Record& record) {
  if (record.text != Record::kNoText) return Value{record.text, kNoMemo, Kind::generic, 0};
  const Value result = builder_.new_text(true);
  JsonText* text = result.kind == Kind::generic ? builder_.find_text(result) : nullptr;
  for (uint32_t key = 0; text && key < kKeyCount; ++key) {
    if ((record.fields >> key & 1) == 0) continue;
    const Value name{key, kNoMemo, Kind::text, 0};
    builder_.add_to_text(*text, &name, record.values[key]);
  }
  return result;
}

// Gives back what a value holds; whoever fetches it later finds an opaque value.
void Assembler::release(const Value& value) {
  builder_.drop(value);
  if (value.memo != kNoMemo) memo_.update(value.memo, Value{0, kNoMemo, Kind::opaque, 0});
}

// An item that was copied into a text. At the top of the file, where users keep their own notes, a remembered value may
// be used a second time and stays; deep inside (an entry's unknown field) there are millions and it is given back.
void Assembler::release_item(const Value& value) {
  constexpr size_t kInsideEntity = 3;
  if (value.kind != Kind::generic) return;
  if (value.memo == kNoMemo || marks_.size() >= kInsideEntity) release(value);
}

}  // namespace tidemark::readers
