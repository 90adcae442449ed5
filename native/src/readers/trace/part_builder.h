// Makes parts of events: times, names, rows.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "readers/trace/part.h"
#include "readers/trace/raw_event.h"

namespace tidemark::readers::trace {

// A table of texts that lists what is new and what is used since the last part.
class NameTable {
 public:
  // The id of `text`; `is_new` says whether this scanner meets it for the first time.
  uint32_t intern(std::string_view text, UsedNames& names, bool& is_new) {
    const auto known = static_cast<uint32_t>(table_.size());
    const uint32_t id = table_.intern(text);
    is_new = id == known;
    if (is_new) {
      names.fresh.emplace_back(text);
      seen_in_.push_back(0);
    }
    if (seen_in_[id] != part_) {
      seen_in_[id] = part_;
      names.used.push_back(id);
    }
    return id;
  }
  void begin_part() { ++part_; }

 private:
  StringTable table_;
  std::vector<uint32_t> seen_in_;  // by id: the last part that used it
  uint32_t part_ = 1;
};

class PartBuilder {
 public:
  explicit PartBuilder(uint32_t scanner) { part_.scanner = scanner; }

  // Adds an event whose text begins at `offset` and is `length` bytes long.
  void add(RawEvent& event, uint64_t offset, uint32_t length);
  void add_metadata(std::string key, std::string json) { part_.metadata.emplace_back(std::move(key), std::move(json)); }
  void add_frame(const Token& id, const Token& name);
  FindingCounts& findings() { return part_.findings; }
  // Takes what was added and begins the next part.
  Part take();

 private:
  void add_slice(RawEvent& event, SlicePhase phase);
  void add_instant(RawEvent& event);
  void add_sample(RawEvent& event);
  void add_memory(RawEvent& event, bool is_out_of_memory);
  void add_counter(RawEvent& event);
  void add_async(RawEvent& event);
  void add_flow(RawEvent& event);
  void add_bound_flow(RawEvent& event, const TraceSlice& slice);
  void add_name(RawEvent& event);

  bool start_of(RawEvent& event, Moment& start);
  int64_t duration_of(RawEvent& event, const Moment& start);
  Decimal moment_of(RawEvent& event, const Token& token, Moment& moment);
  uint32_t name_of(const RawEvent& event);
  uint32_t string(std::string_view text);
  uint16_t category_of(const RawEvent& event);
  uint32_t process_of(const RawEvent& event);
  uint32_t thread_of(const RawEvent& event);
  std::string_view category_text(const RawEvent& event);
  uint32_t intern(Table table, std::string_view text, bool& is_new);
  uint32_t intern(Table table, std::string_view text) {
    bool is_new;
    return intern(table, text, is_new);
  }
  // Appends the id of an event in a form that differs for different ids: its place in args, its type, its text.
  void append_id(const RawEvent& event, std::string& key);

  Part part_;
  NameTable tables_[static_cast<size_t>(Table::count)];
  std::vector<CategoryKind> category_kinds_;
  uint64_t offset_ = 0;
  uint32_t length_ = 0;
  // The rows of the event before: most events have the same.
  std::string last_pid_raw_;
  std::string last_tid_raw_;
  Kind last_pid_kind_ = Kind::none;
  Kind last_tid_kind_ = Kind::none;
  std::string last_pid_;
  std::string last_row_;
  std::string last_category_;
  uint32_t last_process_ = kNone;
  uint32_t last_thread_ = kNone;
  uint32_t last_category_id_ = kNone;
  std::string scratch_;
  std::string key_;
};

}  // namespace tidemark::readers::trace
