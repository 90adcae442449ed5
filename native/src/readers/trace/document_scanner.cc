#include "readers/trace/document_scanner.h"

#include <algorithm>

#include "readers/trace/members.h"
#include "readers/trace/metadata_text.h"
#include "readers/trace/text_scan.h"

namespace tidemark::readers::trace {
namespace {

constexpr size_t kLongestEvent = 64u << 20;
constexpr size_t kLongestMetadata = 1u << 20;
// How much text tells, nearly always, whether an object is an event, or where reading can go on after damage.
constexpr size_t kLookAhead = 64 * 1024;
// Behind a broken key or value the next key is looked for at most this much before the place where reading failed.
constexpr ptrdiff_t kLookBack = 512;
// An event that was looked for in vain over more bytes makes these bytes dark, and what may be spent in the dark at least.
constexpr uint64_t kDark = 4 * 1024;
constexpr uint64_t kLeastAllowance = 256 * 1024;

}  // namespace

Shape shape_of(const uint8_t* begin, const uint8_t* end) {
  const uint8_t* const p = skip_blanks(begin);
  if (p < end && *p == '[') return Shape::array;
  if (p >= end || *p != '{') return Shape::object;
  const Scan scan = is_event(p, end);
  return scan == Scan::done || (scan == Scan::more && begins_with_event_key(p)) ? Shape::lines : Shape::object;
}

DocumentScanner::DocumentScanner(Window& window, PartBuilder& builder, const Place& start)
    : window_(window), builder_(builder), place_(start), at_(window.begin()) {
  if (start.offset > window.offset()) at_ += std::min<uint64_t>(start.offset - window.offset(), window.size());
}

void DocumentScanner::run(uint64_t limit) {
  while (place_.mode != Mode::ended && !window_.cancelled()) {
    place_.offset = offset_of(at_);
    if (place_.offset >= limit && place_.mode != Mode::events) break;
    const Mode before = place_.mode;
    switch (place_.mode) {
      case Mode::document: document(); break;
      case Mode::object: object(); break;
      default: events(limit);
    }
    place_.offset = offset_of(at_);
    if (before == Mode::events && place_.mode == Mode::events) break;
  }
}

bool DocumentScanner::refill() {
  window_.drop_before(at_);
  const bool got = window_.more();
  at_ = window_.begin();
  return got;
}

void DocumentScanner::look_ahead(size_t count) {
  window_.drop_before(at_);
  window_.ensure(count);
  at_ = window_.begin();
}

// Whether the object at at_ is an event. Its phase may stand behind args of any length that an event may have.
bool DocumentScanner::begins_event() {
  for (size_t count = kLookAhead;; count *= 2) {
    look_ahead(count + kPadding);
    const Scan scan = is_event(at_, std::min(window_.end(), at_ + count));
    if (scan != Scan::more) return scan == Scan::done;
    if (count >= kLongestEvent || window_.size() <= count) return false;
  }
}

bool DocumentScanner::blanks() {
  for (;;) {
    at_ = skip_blanks(at_);
    if (at_ < window_.end()) return true;
    if (!refill()) return false;
  }
}

void DocumentScanner::cut(uint64_t at) { builder_.findings().count(Code::truncated, at); }

void DocumentScanner::end() {
  if (place_.recovering && !window_.cancelled())
    builder_.findings().count(place_.lost_as, place_.lost_at);
  place_.recovering = false;
  place_.mode = Mode::ended;
}

void DocumentScanner::begin_document(Mode mode, Shape shape) {
  if (place_.seen_document) builder_.findings().count(Code::several_documents, offset_of(at_));
  place_.seen_document = true;
  place_.seen_events = false;
  place_.mode = mode;
  place_.shape = shape;
}

// Passes over what stands between documents: blanks, and zeros, with which some tools fill files up. False = the text ends.
bool DocumentScanner::padding() {
  while (blanks()) {
    if (*at_ != '\0' || !place_.seen_document) return true;
    ++at_;
  }
  return false;
}

void DocumentScanner::document() {
  if (!padding()) return end();
  if (*at_ == '{') {
    if (begins_event()) return begin_document(Mode::events, Shape::lines);
    begin_document(Mode::object, Shape::object);
    ++at_;
    return;
  }
  if (*at_ == '[') {
    begin_document(Mode::events, Shape::array);
    ++at_;
    return;
  }
  builder_.findings().count(place_.seen_document ? Code::bytes_after_end : Code::syntax, offset_of(at_));
  for (;;) {
    while (at_ < window_.end() && *at_ != '{' && *at_ != '[') ++at_;
    if (at_ < window_.end()) return;
    if (!refill()) return end();
  }
}

void DocumentScanner::object() {
  if (!blanks()) {
    cut(offset_of(at_));
    return end();
  }
  if (*at_ == '}' || *at_ == ',') {
    if (*at_++ == '}') place_.mode = Mode::document;
    return;
  }
  std::string name;
  if (*at_ == '"' && key(name)) return member(name);
  if (place_.mode != Mode::ended) lose_member(at_);
}

// Reads a key and its colon. False = there is none; where the text ends in it, the scan has ended.
bool DocumentScanner::key(std::string& text) {
  for (;;) {
    StringMarks marks;
    const uint8_t* const quote = string_end(at_ + 1, std::min(window_.end(), at_ + kLookAhead), marks);
    const uint8_t* p = quote == nullptr ? window_.end() : skip_blanks(quote + 1);
    if (p < window_.end() && *p != ':') return false;
    p = p < window_.end() ? skip_blanks(p + 1) : p;
    if (p < window_.end()) {
      if (marks.odd) inspect_strings(at_, quote + 1, offset_of(at_), builder_.findings());
      const Token token{at_ + 1, static_cast<uint32_t>(quote - at_ - 1), Kind::text, marks.escaped};
      std::string scratch;
      text = decoded(token, scratch);
      at_ = p;
      return true;
    }
    if (static_cast<size_t>(window_.end() - at_) > kLookAhead) return false;
    if (refill()) continue;
    cut(offset_of(at_));
    end();
    return false;
  }
}

void DocumentScanner::member(const std::string& key) {
  if (key == "traceEvents" && *at_ == '[') {
    if (place_.seen_events) builder_.findings().count(Code::duplicate_key, offset_of(at_));
    place_.seen_events = true;
    place_.mode = Mode::events;
    ++at_;
    return;
  }
  keep(key);
}

// Keeps the value of a top-level key as text.
void DocumentScanner::keep(const std::string& key) {
  const bool is_frames = key == "stackFrames";
  const size_t limit = is_frames ? kLongestEvent : kLongestMetadata;
  for (;;) {
    const uint8_t* next = nullptr;
    const Scan scan = check_value(at_, std::min(window_.end(), at_ + limit), next);
    if (scan == Scan::damaged) return lose_member(next);
    if (scan == Scan::done) {
      const auto length = static_cast<size_t>(next - at_);
      if (is_frames) add_frames(next);
      if (length <= kLongestMetadata) {
        builder_.add_metadata(key, valid_json(at_, next, offset_of(at_), builder_.findings()));
      } else {
        builder_.findings().count(Code::metadata_too_long, offset_of(at_));
      }
      at_ = next;
      return;
    }
    if (static_cast<size_t>(window_.end() - at_) >= limit + kPadding) return skip_long();
    if (refill()) continue;
    cut(offset_of(at_));
    return end();
  }
}

// The table of frames at at_, which names the frames of samples.
void DocumentScanner::add_frames(const uint8_t* end) {
  for_each_member(at_, end, [&](const Token& id, const Token& frame) {
    if (frame.kind != Kind::container) return;
    for_each_member(frame.at, frame.at + frame.length, [&](const Token& field, const Token& value) {
      if (field.raw() == "name" && value.kind == Kind::text) builder_.add_frame(id, value);
    });
  });
}

// A value that is too long to keep: only its end is looked for.
void DocumentScanner::skip_long() {
  builder_.findings().count(Code::metadata_too_long, offset_of(at_));
  const bool is_text = *at_ == '"';
  if (!is_text && *at_ != '{' && *at_ != '[') return lose_member(at_);
  ContainerSkipper skipper;
  bool escaped = false;
  if (is_text) ++at_;
  for (;;) {
    // Whole blocks only, as the skipper asks for.
    const uint8_t* stop = window_.end();
    if (!window_.ended()) stop -= static_cast<size_t>(stop - at_) % 64;
    const uint8_t* next = nullptr;
    if (is_text) {
      for (const uint8_t* p = at_; p < stop && next == nullptr; ++p) {
        if (*p == '"' && !escaped) next = p + 1;
        escaped = *p == '\\' && !escaped;
      }
    } else {
      next = skipper.skip(at_, stop);
    }
    if (next != nullptr) {
      at_ = next;
      return;
    }
    at_ = stop;
    if (refill()) continue;
    cut(offset_of(at_));
    return end();
  }
}

// A key or value that cannot be read, because of what stands at `failed`: goes on at the next key.
void DocumentScanner::lose_member(const uint8_t* failed) {
  builder_.findings().count(Code::syntax, offset_of(at_));
  at_ = failed - at_ > kLookBack ? failed - kLookBack : at_ + 1;
  for (;;) {
    look_ahead(kLookAhead);
    const uint8_t* const next = find_key(window_.begin(), at_, window_.end());
    if (next != nullptr) {
      at_ = next;
      return;
    }
    const size_t kept = std::min(window_.size(), size_t{512});
    at_ = window_.ended() ? window_.end() : window_.end() - kept;
    if (!refill()) return end();
  }
}

void DocumentScanner::events(uint64_t limit) {
  while (!window_.cancelled()) {
    if (!blanks()) {
      if (place_.shape == Shape::object && !place_.recovering) cut(offset_of(at_));
      return end();
    }
    const uint8_t c = *at_;
    if (c == ',') {
      ++at_;
      continue;
    }
    if (offset_of(at_) >= limit) return;
    if (c == '{') {
      if (place_.shape == Shape::lines && !begins_event()) {
        place_.mode = Mode::document;
        return;
      }
      event();
      if (place_.mode != Mode::events) return;
      continue;
    }
    if (place_.shape == Shape::lines || c == '\0') {
      if (place_.shape == Shape::object) cut(offset_of(at_));
      place_.mode = Mode::document;
      return;
    }
    if (c == ']') {
      ++at_;
      place_.mode = place_.shape == Shape::object ? Mode::object : Mode::document;
      return;
    }
    if (c == '}' && place_.shape == Shape::object) {
      builder_.findings().count(Code::syntax, offset_of(at_));
      ++at_;
      place_.mode = Mode::document;
      return;
    }
    if (!place_.recovering) {
      place_.recovering = true;
      place_.lost_as = Code::syntax;
      place_.lost_at = offset_of(at_);
    }
    resync();
    if (place_.mode != Mode::events) return;
  }
}

// How long an event that begins at `offset` may be.
size_t DocumentScanner::longest_event(uint64_t offset) const {
  if (offset >= place_.dark_until) return kLongestEvent;
  return static_cast<size_t>(std::clamp<uint64_t>(place_.allowance / 4, 2048, kLookAhead));
}

void DocumentScanner::event() {
  const uint64_t offset = offset_of(at_);
  const size_t longest = longest_event(offset);
  for (;;) {
    const bool is_limited = window_.size() - static_cast<size_t>(at_ - window_.begin()) > longest;
    const uint8_t* const end = is_limited ? at_ + longest : window_.end();
    const Scan scan = scanner_.scan(at_, end, offset, window_.ended() && !is_limited);
    if (scan == Scan::done && scanner_.next() <= end) return add(offset);
    Code reason = Code::syntax;
    if (scan == Scan::more && !is_limited) {
      if (static_cast<size_t>(end - at_) > patience_) {
        gave_up_ = true;
        place_.mode = Mode::ended;
        return;
      }
      if (refill()) continue;
      if (window_.cancelled()) return;
      reason = Code::truncated;
    } else if (scan != Scan::damaged && longest == kLongestEvent) {
      reason = Code::event_too_long;
    }
    return lose_event(reason, offset, scan == Scan::done ? longest : static_cast<uint64_t>(scanner_.reach() - at_));
  }
}

// Hands on the event that was scanned.
void DocumentScanner::add(uint64_t offset) {
  RawEvent& event = scanner_.event();
  const uint8_t* const begin = at_;
  at_ = scanner_.next();
  if (place_.recovering) {
    if (event.phase == '\0') return;
    builder_.findings().count(place_.lost_as == Code::truncated ? Code::syntax : place_.lost_as, place_.lost_at);
    place_.recovering = false;
  }
  if (event.is_odd && event.findings.of(Code::unescaped_quote) == 0) inspect_strings(begin, at_, offset, event.findings);
  builder_.add(event, offset, static_cast<uint32_t>(at_ - begin));
}

// Goes on behind an event that cannot be read, which was found out after looking at `cost` bytes.
void DocumentScanner::lose_event(Code reason, uint64_t offset, uint64_t cost) {
  if (offset < place_.dark_until) {
    place_.allowance -= std::min(place_.allowance, cost);
  } else if (cost >= kDark) {
    place_.dark_until = offset + cost;
    place_.allowance = std::max(kLeastAllowance, 4 * cost);
  }
  if (!place_.recovering) {
    place_.recovering = true;
    place_.lost_as = reason;
    place_.lost_at = offset;
  }
  resync();
}

// Goes on at the next place behind at_ that may be the beginning of an event, or the end of the events.
void DocumentScanner::resync() {
  size_t skipped = 1;
  for (;;) {
    // Without text behind it a place cannot be judged.
    const size_t behind = window_.ended() ? 0 : kLookAhead / 16;
    const uint8_t* const stop = window_.end() - std::min(behind, window_.size());
    const uint8_t* const from = at_ + skipped;
    const uint8_t* const next = from < stop ? find_event(window_.begin(), from, stop, place_.shape == Shape::object) : nullptr;
    if (next != nullptr) {
      at_ = next;
      return;
    }
    // What was looked through is given up, except what stands before the next place.
    const uint8_t* const done = std::max(at_, stop - std::min<size_t>(256, static_cast<size_t>(stop - window_.begin())));
    if (stop > from) {
      skipped = static_cast<size_t>(stop - done);
      at_ = done;
    }
    if (!refill()) {
      at_ = window_.end();
      return end();
    }
  }
}

}  // namespace tidemark::readers::trace
