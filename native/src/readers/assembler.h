// The value stack that both the pickle and the JSON reader drive. It recognises dicts by their fields as soon as they
// are complete and hands them to the SnapshotBuilder; what stays on the stack are handles of 16 bytes.
//
// A dict is complete when it is put into a container or when another dict begins right above it (writers fill a dict
// before they begin its sibling). A complete trace entry, block, segment or annotation leaves the stack at once.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "readers/memo.h"
#include "readers/record.h"
#include "readers/snapshot_builder.h"
#include "readers/value.h"

namespace tidemark::readers {

class Assembler {
 public:
  static constexpr size_t kMaxValues = size_t{1} << 22;
  static constexpr size_t kMaxDepth = 256;

  explicit Assembler(SnapshotBuilder& builder) : builder_(builder) { values_.resize(kFirstValues); }

  // Scalars. False = the stack is full (all other functions: false = error() says why).
  bool push(const Value& value) { return (top_ < values_.size() || grow()) && (values_[top_++] = value, true); }
  bool push_integer(int64_t number) { return push(Value{static_cast<uint64_t>(number), kNoMemo, Kind::integer, 0}); }
  bool push_unsigned(uint64_t number);
  bool push_real(double number);
  bool push_kind(Kind kind) { return push(Value{0, kNoMemo, kind, 0}); }

  // Containers.
  bool begin_list() { return push_kind(Kind::new_list); }
  bool begin_dict() {
    if (open_records_ > 0 && top_ > floor() && values_[top_ - 1].kind == Kind::open_dict) complete_sibling();
    return push_kind(Kind::new_dict);
  }
  bool mark() {
    if (marks_.size() >= kMaxDepth) return fail("file/too_deep", "Containers are nested more than 256 deep.");
    marks_.push_back(top_);
    return true;
  }
  bool append_one();
  bool append_marked();
  bool set_one();
  bool set_marked();
  bool list_of_marked();
  bool dict_of_marked();
  bool tuple(size_t count);
  bool tuple_of_marked();

  // Stack and memo.
  bool pop();
  bool pop_to_mark();
  bool duplicate();
  bool memoize() {
    if (top_ <= floor() || values_[top_ - 1].kind == Kind::open_dict || memo_.count() >= kNoMemo)
      return put(memo_.count());
    remember_top(memo_.count());
    return true;
  }
  bool put(uint64_t index);
  bool get(uint64_t index);
  bool copy(const MemoCell& cell, uint64_t index);

  // Ends the document: the value on top is the root.
  bool finish();
  // Ends a cut document: closes what is open and keeps what is complete.
  void salvage();

  size_t depth() const { return marks_.size(); }
  const Value* top() const { return top_ > 0 ? &values_[top_ - 1] : nullptr; }
  const Value* below_top() const { return top_ > 1 ? &values_[top_ - 2] : nullptr; }
  // A dict with the field "ph" was seen in the outermost list: a trace, not a snapshot.
  bool saw_trace_event() const { return saw_trace_event_; }
  const Failure& error() const { return error_; }
  bool fail(const char* code, std::string message);

  // For the pickle reader's run of scalars: the free part of the stack and the dense part of the memo.
  Value* free_values() { return values_.data() + top_; }
  size_t free_count() const { return values_.size() - top_; }
  void advance(size_t count) { top_ += count; }
  Memo& memo() { return memo_; }
  SnapshotBuilder& builder() { return builder_; }

 private:
  static constexpr size_t kFirstValues = 4096;
  static constexpr size_t kMaxOpenRecords = 65536;

  bool grow();
  bool need(size_t count);
  size_t floor() const { return marks_.empty() ? 0 : marks_.back(); }
  bool take_mark(size_t& first);
  bool insert_container(Kind kind);

  // Records (record_assembler.cc).
  bool fill_dict(size_t at, size_t first);
  bool fill_root(size_t first);
  void complete_sibling();
  Record* open_record(size_t at);
  // The record of an open dict; nullptr for everything else.
  Record* record_of(const Value& value) {
    if (value.kind != Kind::open_dict || value.bits >= records_.size()) return nullptr;
    Record* record = records_[value.bits].get();
    return record->in_use ? record : nullptr;
  }
  bool note_text(Record& record, size_t at, size_t first);
  bool is_field_value(size_t at) const;
  bool is_key(const Value& value);
  Value* owner_of(size_t at, Value& nowhere);
  void complete(size_t at);
  Value recognise(const Record& record, Value& owner, RecordClass kind);
  Value generic_of(const Record& record);

  // Lists.
  void complete_items(size_t first);
  bool fill_list(size_t at, size_t first);
  bool fill_new_list(Value& list, size_t first);
  bool extend_stack(Value& list, size_t first);
  bool extend_traces(Value& list, size_t first);
  bool extend_text(Value& list, size_t first);
  bool may_fill(const Value& container);
  void release(const Value& value);
  void release_item(const Value& value);
  void remember_top(uint64_t index) {
    Value& value = values_[top_ - 1];
    memo_.put(index, value);
    if (value.kind >= Kind::stack) value.memo = static_cast<uint32_t>(index);
  }
  void remember(const Value& container) {
    if (container.memo != kNoMemo) memo_.update(container.memo, container);
  }

  // Salvage.
  void salvage_marked();
  void salvage_unmarked();
  void join_tail(size_t first, bool in_dict);
  bool is_unfinished(const Value& value);

  SnapshotBuilder& builder_;
  std::vector<Value> values_;
  size_t top_ = 0;
  std::vector<size_t> marks_;  // position of the first value above each mark
  Memo memo_;
  std::vector<std::unique_ptr<Record>> records_;
  std::vector<uint32_t> free_records_;
  size_t open_records_ = 0;
  std::vector<uint32_t> frames_;  // scratch
  bool saw_trace_event_ = false;
  Failure error_;
};

}  // namespace tidemark::readers
