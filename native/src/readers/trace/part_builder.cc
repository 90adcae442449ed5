#include "readers/trace/part_builder.h"

#include <algorithm>

#include "readers/trace/category.h"
#include "readers/trace/members.h"

namespace tidemark::readers::trace {
namespace {

bool is_null(const Token& token) { return token.kind == Kind::word && token.raw() == "null"; }

// An id of at most 32 bits; the writers print them as signed or unsigned.
uint32_t small_id(const Token& token) {
  int64_t value = 0;
  if (token.kind != Kind::number && token.kind != Kind::text) return kNoId;
  if (!to_integer(token.raw(), value) || value < INT32_MIN || value > UINT32_MAX) return kNoId;
  return static_cast<uint32_t>(value);
}

int64_t integer_of(const Token& token, int64_t otherwise) {
  int64_t value = 0;
  if (token.kind != Kind::number && token.kind != Kind::text) return otherwise;
  return to_integer(token.raw(), value) ? value : otherwise;
}

// Appends a pid, tid or id: its type, then its text as the file has it.
void append_identity(const Token& token, std::string& key) {
  if (token.kind == Kind::none || token.kind == Kind::container || is_null(token)) {
    key += '-';
    return;
  }
  key += token.kind == Kind::text ? 't' : 'n';
  std::string scratch;
  key += decoded(token, scratch);
}

}  // namespace

uint32_t PartBuilder::intern(Table table, std::string_view text, bool& is_new) {
  return tables_[static_cast<size_t>(table)].intern(text, part_.of(table), is_new);
}

uint32_t PartBuilder::string(std::string_view text) { return intern(Table::strings, text); }

Part PartBuilder::take() {
  Part out = std::move(part_);
  part_ = Part{};
  part_.scanner = out.scanner;
  part_.slices.reserve(out.slices.size());
  for (NameTable& table : tables_) table.begin_part();
  last_process_ = last_thread_ = last_category_id_ = kNone;
  return out;
}

uint32_t PartBuilder::name_of(const RawEvent& event) {
  const Token& name = event.of(Field::name);
  if (name.kind == Kind::none || name.kind == Kind::container || is_null(name)) return kNone;
  return string(decoded(name, scratch_));
}

std::string_view PartBuilder::category_text(const RawEvent& event) {
  const Token& category = event.of(Field::cat);
  return category.kind == Kind::text ? decoded(category, scratch_) : std::string_view{};
}

uint16_t PartBuilder::category_of(const RawEvent& event) {
  const std::string_view text = category_text(event);
  if (last_category_id_ == kNone || text != last_category_) {
    bool is_new;
    intern(Table::categories, {}, is_new);  // id 0 is no category
    if (is_new) category_kinds_.push_back(CategoryKind::other);
    last_category_id_ = intern(Table::categories, text, is_new);
    if (is_new) category_kinds_.push_back(kind_of_category(text));
    last_category_ = text;
    string(last_category_);  // so that its place among the strings does not depend on how the text was cut
  }
  return last_category_id_ <= UINT16_MAX ? static_cast<uint16_t>(last_category_id_) : uint16_t{0};
}

uint32_t PartBuilder::process_of(const RawEvent& event) {
  key_.clear();
  append_identity(event.of(Field::pid), key_);
  if (last_process_ == kNone || key_ != last_pid_) {
    last_process_ = intern(Table::processes, key_);
    last_pid_ = key_;
    last_thread_ = kNone;
  }
  return last_process_;
}

uint32_t PartBuilder::thread_of(const RawEvent& event) {
  const Token& pid = event.of(Field::pid);
  const Token& tid = event.of(Field::tid);
  if (last_thread_ != kNone && pid.kind == last_pid_kind_ && tid.kind == last_tid_kind_ && pid.raw() == last_pid_raw_ && tid.raw() == last_tid_raw_)
    return last_thread_;
  last_pid_kind_ = pid.kind;
  last_tid_kind_ = tid.kind;
  last_pid_raw_ = pid.raw();
  last_tid_raw_ = tid.raw();
  const uint32_t process = process_of(event);
  key_ += '\0';
  append_identity(event.of(Field::tid), key_);
  if (last_thread_ == kNone || key_ != last_row_) {
    bool is_new;
    last_thread_ = intern(Table::threads, key_, is_new);
    if (is_new) part_.fresh_thread_process.push_back(process);
    last_row_ = key_;
  }
  return last_thread_;
}

void PartBuilder::append_id(const RawEvent& event, std::string& key) {
  bool is_local = false;
  Token id = event.of(Field::id);
  const Token& pair = event.of(Field::id2);
  if (pair.kind == Kind::container) {
    for_each_member(pair.at, pair.at + pair.length, [&](const Token& name, const Token& value) {
      if (name.raw() != "local" && name.raw() != "global") return;
      is_local = name.raw() == "local";
      id = value;
    });
  }
  if (event.of(Field::scope).kind == Kind::text) key += event.of(Field::scope).raw();
  key += '\0';
  if (is_local) append_identity(event.of(Field::pid), key);
  key += '\0';
  append_identity(id, key);
}

Decimal PartBuilder::moment_of(RawEvent& event, const Token& token, Moment& moment) {
  if (token.kind == Kind::none || token.kind == Kind::container || token.length > 400) return Decimal::useless;
  const Decimal read = to_moment(token.raw(), moment);
  // Numbers that begin in an odd way were counted when they were met.
  const bool counted = token.length > 0 && (*token.at == '+' || *token.at == '.');
  if (read == Decimal::odd && !counted) {
    event.findings.count(Code::odd_number, offset_);
    return Decimal::good;
  }
  return read == Decimal::odd ? Decimal::good : read;
}

bool PartBuilder::start_of(RawEvent& event, Moment& start) {
  start = event.start;
  if (event.start_known) return true;
  if (moment_of(event, event.of(Field::ts), start) == Decimal::good) {
    if (start.rest != 0) event.findings.count(Code::below_nanosecond, offset_);
    return true;
  }
  event.findings.count(Code::bad_time, offset_);
  return false;
}

int64_t PartBuilder::duration_of(RawEvent& event, const Moment& start) {
  Moment length = event.length;
  const Token& token = event.of(Field::dur);
  if (!event.length_known && moment_of(event, token, length) != Decimal::good) {
    int64_t whole = 0;
    double real = 0;
    // Too long for a time is still a length.
    const bool huge = token.kind != Kind::none && token.kind != Kind::container &&
                      (to_integer(token.raw(), whole) || to_double(token.raw(), real) <= Decimal::odd);
    if (!huge) {
      event.findings.count(Code::missing_duration, offset_);
      return kUnfinished;
    }
    length = {(whole < 0 || real < 0) ? -1 : kLargestTime, 0};
  }
  if (length.ns < 0) {
    event.findings.count(Code::negative_duration, offset_);
    return 0;
  }
  if (length.rest != 0 && event.findings.of(Code::below_nanosecond) == 0) event.findings.count(Code::below_nanosecond, offset_);
  return length_of(start, length);
}

void PartBuilder::add(RawEvent& event, uint64_t offset, uint32_t length) {
  offset_ = offset;
  length_ = length;
  if (event.phase == '\0') {
    if (!event.is_empty) event.findings.count(Code::no_phase, offset);
    part_.findings.add(event.findings);
    return;
  }
  ++part_.event_count;
  switch (event.phase) {
    case 'X': add_slice(event, SlicePhase::complete); break;
    case 'B': add_slice(event, SlicePhase::begin); break;
    case 'E': add_slice(event, SlicePhase::end); break;
    case 'i':
    case 'I':
    case 'R':
    case 'N':
    case 'O':
    case 'D': add_instant(event); break;
    case 'P': add_sample(event); break;
    case 'C': add_counter(event); break;
    case 's':
    case 't':
    case 'f': add_flow(event); break;
    case 'T':
      // Some write the states of threads as T with a duration.
      if (event.has(Field::dur)) {
        add_slice(event, SlicePhase::complete);
        break;
      }
      [[fallthrough]];
    case 'b':
    case 'e':
    case 'n':
    case 'S':
    case 'p':
    case 'F': add_async(event); break;
    case 'M': add_name(event); break;
    case 'v':
    case 'V':
    case 'c':
    case '(':
    case ')':
    case '=': event.findings.count(Code::ignored_phase, offset); break;
    default: event.findings.count(Code::unknown_phase, offset);
  }
  part_.findings.add(event.findings);
}

void PartBuilder::add_slice(RawEvent& event, SlicePhase phase) {
  TraceSlice slice;
  Moment start;
  if (!start_of(event, start)) return;
  slice.start_ns = start.ns;
  slice.phase = phase;
  if (phase == SlicePhase::complete) slice.dur_ns = duration_of(event, start);
  slice.source_offset = offset_;
  slice.source_length = length_;
  slice.name = name_of(event);
  slice.thread = thread_of(event);
  slice.category = category_of(event);
  if (event.args_seen != 0 && category_kinds_[slice.category] != CategoryKind::python_function) {
    slice.external_id = small_id(event.of(Arg::external_id));
    slice.correlation = small_id(event.of(Arg::correlation));
  }
  part_.slices.push_back(slice);
  if (event.has(Field::bind_id)) add_bound_flow(event, slice);
}

void PartBuilder::add_instant(RawEvent& event) {
  if (event.phase == 'i' || event.phase == 'I') {
    const std::string_view name = event.of(Field::name).raw();
    if (event.has(Arg::bytes) && (name == "[memory]" || name == "[OutOfMemory]")) {
      add_memory(event, name != "[memory]");
      return;
    }
  }
  Moment start;
  if (!start_of(event, start)) return;
  TraceInstant instant;
  instant.time_ns = start.ns;
  instant.source = {offset_, length_};
  instant.name = name_of(event);
  instant.thread = thread_of(event);
  instant.category = category_of(event);
  const Token& scope = event.of(Field::s);
  if (scope.kind == Kind::text && scope.length == 1 && (*scope.at == 'p' || *scope.at == 'g'))
    instant.scope = static_cast<char>(*scope.at);
  part_.instants.push_back(instant);
}

void PartBuilder::add_sample(RawEvent& event) {
  const size_t before = part_.instants.size();
  add_instant(event);
  const Token& frame = event.of(Field::sf);
  if (part_.instants.size() == before || (frame.kind != Kind::text && frame.kind != Kind::number)) return;
  part_.sampled.emplace_back(before, string(decoded(frame, scratch_)));
}

void PartBuilder::add_memory(RawEvent& event, bool is_out_of_memory) {
  Moment start;
  if (!start_of(event, start)) return;
  TraceMemoryEvent memory;
  memory.time_ns = start.ns;
  memory.source = {offset_, length_};
  memory.thread = thread_of(event);
  memory.bytes = integer_of(event.of(Arg::bytes), 0);
  memory.total_allocated = integer_of(event.of(Arg::total_allocated), -1);
  memory.total_reserved = integer_of(event.of(Arg::total_reserved), -1);
  memory.order = small_id(event.of(Arg::event_index));
  const auto small = [](int64_t value) { return static_cast<int16_t>(std::clamp<int64_t>(value, -1, INT16_MAX)); };
  memory.device_type = small(std::max<int64_t>(0, integer_of(event.of(Arg::device_type), 0)));
  memory.device_id = small(integer_of(event.of(Arg::device_id), -1));
  memory.is_out_of_memory = is_out_of_memory;
  const Token& address = event.of(Arg::address);
  int64_t negative = 0;
  if (address.kind == Kind::number || address.kind == Kind::text) {
    if (!to_unsigned(address.raw(), memory.address) && to_integer(address.raw(), negative))
      memory.address = static_cast<uint64_t>(negative);
  }
  part_.memory_events.push_back(memory);
}

}  // namespace tidemark::readers::trace
