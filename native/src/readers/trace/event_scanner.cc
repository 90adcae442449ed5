#include "readers/trace/event_scanner.h"

#include <algorithm>

#include "readers/trace/arg_keys.h"
#include "readers/trace/text_scan.h"

namespace tidemark::readers::trace {
namespace {

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

constexpr uint8_t kPhase = static_cast<uint8_t>(Field::count) + 1;

// What a key of an event names: a Field, or kPhase.
TIDEMARK_HOT uint8_t what_of(const uint8_t* key, size_t length) {
  switch (word_at(key, length)) {
    case word_of("ph"): return kPhase;
    case word_of("ts"): return static_cast<uint8_t>(Field::ts);
    case word_of("dur"): return static_cast<uint8_t>(Field::dur);
    case word_of("args"): return static_cast<uint8_t>(Field::args);
    default: return static_cast<uint8_t>(field_of(key, length));
  }
}

// Plain microseconds with up to three decimals, as nearly every file has them. nullptr = look closer.
TIDEMARK_HOT const uint8_t* plain_moment(const uint8_t* p, Moment& moment) {
  const bool negative = *p == '-';
  p += negative ? 1 : 0;
  const uint8_t* const first = p;
  uint64_t ns = 0;  // wraps for numbers that are too long, which are left to others
  if (eight_digits(p, ns)) p += 8;
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

Scan EventScanner::stop(const uint8_t* p) {
  reach_ = std::max(reach_, std::min(p, end_));
  return failure_ = p >= end_ ? Scan::more : Scan::damaged;
}

const uint8_t* EventScanner::fail(const uint8_t* p) {
  stop(p);
  return nullptr;
}

const uint8_t* EventScanner::container(const uint8_t* p) {
  ContainerSkipper skipper;
  const uint8_t* behind = skipper.skip(p, std::min(end_, p + kLongContainer));
  event_.is_odd |= skipper.odd();
  if (behind == nullptr) {
    if (end_ - p <= kLongContainer) return fail(end_);
    reach_ = std::max(reach_, p + kLongContainer);
    const Scan checked = check_value(p, end_, behind);
    if (checked != Scan::done) return fail(checked == Scan::more ? end_ : behind);
  } else if (!skipper.words()) {
    return behind;
  }
  inspect_words(p, behind, offset_of(p), event_.findings);
  return behind;
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

// Reads a key and what leads to its value; `from` is behind the value before, or behind the opening bracket. nullptr = see failure_, or
// the object ends: then next_ is set.
TIDEMARK_HOT const uint8_t* EventScanner::member(const uint8_t* from, bool is_first, bool in_args, Glue& glue, Step& step) {
  const uint8_t* p = skip_blanks(from);
  const int mends = mends_;
  next_ = nullptr;
  if (!is_first) {
    if (*p != ',' && *p != '}') p = mend(p, *last_, in_args);
    if (p == nullptr) return nullptr;
    if (*p == ',') p = skip_blanks(p + 1);
  }
  if (*p == '}') {
    next_ = p + 1;
    return nullptr;
  }
  StringMarks marks;
  if (*p != '"') return fail(p);
  const uint8_t* const key = p + 1;
  const uint8_t* const quote = key_end(key, end_, marks);
  if (quote == nullptr) return fail(end_);
  event_.is_odd |= marks.odd;
  p = skip_blanks(quote + 1);
  if (*p != ':') return fail(p);
  p = skip_blanks(p + 1);
  const auto length = static_cast<size_t>(quote - key);
  step.what = in_args ? static_cast<uint8_t>(arg_of(key, length)) : what_of(key, length);
  step.slot = static_cast<uint8_t>((word_at(key, length) + length) * 0x9e3779b97f4a7c15ull >> 58);
  if (mends_ == mends && !marks.odd && p < end_) glue.learn(from, p, step);
  return p;
}

TIDEMARK_HOT const uint8_t* EventScanner::args(const uint8_t* p) {
  Token& whole = event_.fields[static_cast<size_t>(Field::args)];
  if (event_.has(Field::args)) event_.findings.count(Code::duplicate_key, offset_of(p));
  event_.fields_seen |= 1u << static_cast<int>(Field::args);
  event_.args_seen = 0;
  const uint8_t* const begin = p++;
  Step step;
  for (bool is_first = true;; is_first = false) {
    Glues& glues = arg_glue_[step.slot];
    if (const Glue* const glue = glues.fitting(p); glue != nullptr) {
      p = glue->follow(p, step);
    } else {
      p = member(p, is_first, true, glues.unused(), step);
      if (p == nullptr) break;
    }
    if (step.what < static_cast<uint8_t>(Arg::count)) {
      p = token(static_cast<Arg>(step.what), p);
    } else {
      last_ = &skipped_;
      p = value(p, skipped_);
    }
    if (p == nullptr) return nullptr;
  }
  if (next_ == nullptr) return nullptr;
  whole = {begin, static_cast<uint32_t>(next_ - begin), Kind::container, false};
  last_ = &whole;
  return next_;
}

TIDEMARK_HOT const uint8_t* EventScanner::field(uint8_t what, const uint8_t* p) {
  switch (what) {
    case kPhase: return phase(p);
    case static_cast<uint8_t>(Field::ts): return moment(Field::ts, p, event_.start, event_.start_known);
    case static_cast<uint8_t>(Field::dur): return moment(Field::dur, p, event_.length, event_.length_known);
    case static_cast<uint8_t>(Field::args):
      if (*p == '{') return args(p);
      return token(Field::args, p);
    case static_cast<uint8_t>(Field::count):
      last_ = &skipped_;
      return value(p, skipped_);
    default: return token(static_cast<Field>(what), p);
  }
}

Scan EventScanner::scan(const uint8_t* at, const uint8_t* end, uint64_t offset, bool is_last) {
  event_.clear();
  is_last_ = is_last;
  begin_ = at;
  end_ = end;
  offset_ = offset;
  failure_ = Scan::damaged;
  reach_ = at;
  mends_ = 0;
  const uint8_t* p = at + 1;
  Step step;
  for (bool is_first = true;; is_first = false) {
    Glues& glues = field_glue_[step.slot];
    if (const Glue* const glue = glues.fitting(p); glue != nullptr) {
      p = glue->follow(p, step);
    } else {
      p = member(p, is_first, false, glues.unused(), step);
      if (p == nullptr) {
        event_.is_empty = is_first;
        return next_ == nullptr ? failure_ : Scan::done;
      }
    }
    p = field(step.what, p);
    if (p == nullptr) return failure_;
  }
}

}  // namespace tidemark::readers::trace
