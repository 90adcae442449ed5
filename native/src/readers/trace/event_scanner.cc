#include "readers/trace/event_scanner.h"

#include <algorithm>

#include "readers/trace/text_scan.h"

namespace tidemark::readers::trace {
namespace {

// A container that is longer is read again with care: it may be that a quote is missing in it.
constexpr ptrdiff_t kLongContainer = 16 * 1024;

TIDEMARK_HOT bool is_number_byte(uint8_t c) { return is_digit(c) || c == '.' || c == '-' || c == '+' || c == 'e' || c == 'E'; }

template <size_t N>
TIDEMARK_HOT bool same(const uint8_t* key, size_t length, const char (&text)[N]) {
  return length == N - 1 && std::memcmp(key, text, N - 1) == 0;
}

// The argument that a key names, also by the names of older files; count = none that matters.
TIDEMARK_HOT Arg arg_of(const uint8_t* key, size_t length) {
  switch (word_at(key, length)) {
    case word_of("External"):
    case word_of("external"): return same(key + 1, length - 1, "xternal id") ? Arg::external_id : Arg::count;
    case word_of("correlation"): return same(key, length, "correlation") ? Arg::correlation : Arg::count;
    case word_of("Sequence"): return same(key, length, "Sequence number") ? Arg::sequence : Arg::count;
    case word_of("Python id"): return same(key, length, "Python id") ? Arg::python_id : Arg::count;
    case word_of("Python parent id"): return same(key, length, "Python parent id") ? Arg::python_parent : Arg::count;
    case word_of("Ev Idx"): return Arg::event_index;
    case word_of("Profiler"): return same(key, length, "Profiler Event Index") ? Arg::event_index : Arg::count;
    case word_of("Device Type"): return same(key, length, "Device Type") ? Arg::device_type : Arg::count;
    case word_of("Device Id"): return same(key, length, "Device Id") ? Arg::device_id : Arg::count;
    case word_of("Addr"): return Arg::address;
    case word_of("Bytes"): return Arg::bytes;
    case word_of("Total Allocated"): return same(key, length, "Total Allocated") ? Arg::total_allocated : Arg::count;
    case word_of("Total Reserved"): return same(key, length, "Total Reserved") ? Arg::total_reserved : Arg::count;
    case word_of("name"): return Arg::name;
    case word_of("labels"): return Arg::labels;
    case word_of("sort_index"): return same(key, length, "sort_index") ? Arg::sort_index : Arg::count;
    case word_of("step"): return Arg::step;
    default: return Arg::count;
  }
}

TIDEMARK_HOT Field field_of(const uint8_t* key, size_t length) {
  switch (word_at(key, length)) {
    case word_of("name"): return Field::name;
    case word_of("cat"): return Field::cat;
    case word_of("pid"): return Field::pid;
    case word_of("tid"): return Field::tid;
    case word_of("id"): return Field::id;
    case word_of("id2"): return Field::id2;
    case word_of("scope"): return Field::scope;
    case word_of("s"): return Field::s;
    case word_of("bp"): return Field::bp;
    case word_of("bind_id"): return Field::bind_id;
    case word_of("flow_in"): return Field::flow_in;
    case word_of("flow_out"): return length == 8 ? Field::flow_out : Field::count;
    case word_of("sf"): return Field::sf;
    default: return Field::count;
  }
}

// Plain microseconds with up to three decimals, as nearly every file has them. nullptr = look closer.
TIDEMARK_HOT const uint8_t* plain_moment(const uint8_t* p, Moment& moment) {
  const bool negative = *p == '-';
  p += negative ? 1 : 0;
  const uint8_t* const first = p;
  uint64_t ns = 0;  // wraps for numbers that are too long, which are left to others
  while (is_digit(*p)) ns = ns * 10 + static_cast<uint64_t>(*p++ - '0');
  const ptrdiff_t digits = p - first;
  if (digits == 0 || digits > 15 || (*first == '0' && digits > 1)) return nullptr;
  int decimals = 0;
  if (*p == '.') {
    ++p;
    while (decimals < 3 && is_digit(*p)) {
      ns = ns * 10 + static_cast<uint64_t>(*p++ - '0');
      ++decimals;
    }
    if (decimals == 0) return nullptr;
  }
  static constexpr uint64_t kScale[] = {1000, 100, 10, 1};
  if (is_number_byte(*p)) return nullptr;
  ns *= kScale[decimals];
  if (ns > static_cast<uint64_t>(kLargestTime)) return nullptr;
  const auto whole = static_cast<int64_t>(ns);
  moment = {negative ? -whole : whole, 0};
  return p;
}

}  // namespace

Scan EventScanner::stop(const uint8_t* p) { return failure_ = p >= end_ ? Scan::more : Scan::damaged; }

const uint8_t* EventScanner::fail(const uint8_t* p) {
  stop(p);
  return nullptr;
}

const uint8_t* EventScanner::container(const uint8_t* p) {
  ContainerSkipper skipper;
  const uint8_t* behind = skipper.skip(p, std::min(end_, p + kLongContainer));
  event_.is_odd |= skipper.odd();
  if (behind != nullptr) return behind;
  if (end_ - p <= kLongContainer) return fail(end_);
  const Scan checked = check_value(p, end_, behind);
  if (checked == Scan::done) return behind;
  failure_ = checked;
  return nullptr;
}

TIDEMARK_HOT const uint8_t* EventScanner::value(const uint8_t* p, Token& token) {
  const uint8_t c = *p;
  if (c == '"') {
    StringMarks marks;
    const uint8_t* const quote = string_end(p + 1, end_, marks);
    if (quote == nullptr) return fail(end_);
    event_.is_odd |= marks.odd;
    token = {p + 1, static_cast<uint32_t>(quote - p - 1), Kind::text, marks.escaped};
    return quote + 1;
  }
  if (is_digit(c) || c == '-') {
    const uint8_t* behind = p + 1;
    while (is_number_byte(*behind)) ++behind;
    if (c == '-' && behind == p + 1) return word(p, token);
    token = {p, static_cast<uint32_t>(behind - p), Kind::number, false};
    return behind;
  }
  if (c == '{' || c == '[') {
    const uint8_t* const behind = container(p);
    if (behind != nullptr) token = {p, static_cast<uint32_t>(behind - p), Kind::container, false};
    return behind;
  }
  return word(p, token);
}

TIDEMARK_HOT const uint8_t* EventScanner::token(Field field, const uint8_t* p) {
  if (event_.has(field)) event_.findings.count(Code::duplicate_key, offset_of(p));
  event_.fields_seen |= 1u << static_cast<int>(field);
  last_ = &event_.fields[static_cast<size_t>(field)];
  return value(p, *last_);
}

TIDEMARK_HOT const uint8_t* EventScanner::token(Arg arg, const uint8_t* p) {
  if (event_.has(arg)) event_.findings.count(Code::duplicate_key, offset_of(p));
  event_.args_seen |= 1u << static_cast<int>(arg);
  last_ = &event_.args[static_cast<size_t>(arg)];
  return value(p, *last_);
}

TIDEMARK_HOT const uint8_t* EventScanner::phase(const uint8_t* p) {
  last_ = &skipped_;
  const uint8_t* const behind = value(p, skipped_);
  if (event_.phase != '\0') event_.findings.count(Code::duplicate_key, offset_of(p));
  event_.phase = '?';
  if (behind != nullptr && skipped_.kind == Kind::text && skipped_.length == 1) event_.phase = static_cast<char>(*skipped_.at);
  return behind;
}

TIDEMARK_HOT const uint8_t* EventScanner::moment(Field field, const uint8_t* p, Moment& moment, bool& known) {
  Token& plain = event_.fields[static_cast<size_t>(field)];
  const uint8_t* const behind = plain_moment(p, moment);
  if (behind == nullptr || behind >= end_) {
    known = false;
    return token(field, p);
  }
  if (event_.has(field)) event_.findings.count(Code::duplicate_key, offset_of(p));
  plain = {p, static_cast<uint32_t>(behind - p), Kind::number, false};
  event_.fields_seen |= 1u << static_cast<int>(field);
  known = true;
  last_ = &plain;
  return behind;
}

TIDEMARK_HOT const uint8_t* EventScanner::arg(const uint8_t* key, size_t length, const uint8_t* p) {
  const Arg arg = arg_of(key, length);
  if (arg != Arg::count) return token(arg, p);
  last_ = &skipped_;
  return value(p, skipped_);
}

TIDEMARK_HOT const uint8_t* EventScanner::args(const uint8_t* p) {
  Token& whole = event_.fields[static_cast<size_t>(Field::args)];
  if (event_.has(Field::args)) event_.findings.count(Code::duplicate_key, offset_of(p));
  event_.fields_seen |= 1u << static_cast<int>(Field::args);
  event_.args_seen = 0;
  const uint8_t* const begin = p;
  p = skip_blanks(p + 1);
  bool last = *p == '}';
  while (!last) {
    StringMarks marks;
    if (*p != '"') return fail(p);
    const uint8_t* const key = p + 1;
    const uint8_t* const quote = key_end(key, end_, marks);
    if (quote == nullptr) return fail(end_);
    event_.is_odd |= marks.odd;
    p = skip_blanks(quote + 1);
    if (*p != ':') return fail(p);
    p = arg(key, static_cast<size_t>(quote - key), skip_blanks(p + 1));
    if (p == nullptr) return nullptr;
    p = skip_blanks(p);
    if (*p != ',' && *p != '}') p = mend(p, *last_, true);
    if (p == nullptr) return nullptr;
    last = *p == '}';
    if (last) break;
    p = skip_blanks(p + 1);
    last = *p == '}';
  }
  whole = {begin, static_cast<uint32_t>(p + 1 - begin), Kind::container, false};
  last_ = &whole;
  return p + 1;
}

TIDEMARK_HOT const uint8_t* EventScanner::field(const uint8_t* key, size_t length, const uint8_t* p) {
  switch (word_at(key, length)) {
    case word_of("ph"): return phase(p);
    case word_of("ts"): return moment(Field::ts, p, event_.start, event_.start_known);
    case word_of("dur"): return moment(Field::dur, p, event_.length, event_.length_known);
    case word_of("args"):
      if (*p == '{') return args(p);
      return token(Field::args, p);
    default: break;
  }
  const Field field = field_of(key, length);
  if (field != Field::count) return token(field, p);
  last_ = &skipped_;
  return value(p, skipped_);
}

Scan EventScanner::scan(const uint8_t* at, const uint8_t* end, uint64_t offset, bool is_last) {
  event_.clear();
  is_last_ = is_last;
  begin_ = at;
  end_ = end;
  offset_ = offset;
  failure_ = Scan::damaged;
  const uint8_t* p = skip_blanks(at + 1);
  if (*p == '}') {
    event_.is_empty = true;
    next_ = p + 1;
    return Scan::done;
  }
  for (;;) {
    StringMarks marks;
    if (*p != '"') return stop(p);
    const uint8_t* const key = p + 1;
    const uint8_t* const quote = key_end(key, end, marks);
    if (quote == nullptr) return Scan::more;
    event_.is_odd |= marks.odd;
    p = skip_blanks(quote + 1);
    if (*p != ':') return stop(p);
    p = field(key, static_cast<size_t>(quote - key), skip_blanks(p + 1));
    if (p == nullptr) return failure_;
    p = skip_blanks(p);
    if (*p != ',' && *p != '}') p = mend(p, *last_, false);
    if (p == nullptr) return failure_;
    const bool last = *p == '}';
    p = last ? p + 1 : skip_blanks(p + 1);
    if (!last && *p != '}') continue;
    next_ = last ? p : p + 1;
    return Scan::done;
  }
}

}  // namespace tidemark::readers::trace
