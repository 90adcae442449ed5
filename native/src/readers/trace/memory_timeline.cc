#include "readers/trace/memory_timeline.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "readers/trace/decimal.h"
#include "readers/trace/finding_code.h"
#include "readers/trace/text_scan.h"
#include "readers/trace/text_source.h"

namespace tidemark::readers::trace {
namespace {

// In the order of PyTorch's numbers; the last is "no category known".
constexpr const char* kCategories[] = {"parameter",  "optimizer_state", "input",           "temporary",
                                       "activation", "gradient",        "autograd_detail", "unknown"};
constexpr size_t kCategoryCount = sizeof(kCategories) / sizeof(kCategories[0]);
constexpr size_t kStateWidth = kCategoryCount + 1;  // a 0 leads, the ground that PyTorch's plot stacks on
constexpr size_t kChangeWidth = 4;
constexpr int64_t kLastAction = 4;
constexpr int64_t kMostBytes = int64_t{1} << 53;  // what a counter's double holds exactly
constexpr int64_t kNoTime = INT64_MIN;
constexpr size_t kLongestNumber = 64;
constexpr std::string_view kMark = "\xEF\xBB\xBF";  // byte order mark

enum class Kind : uint8_t { open, close, comma, number, other, end };

bool begins_number(int c) { return c == '-' || (c >= '0' && c <= '9'); }
bool is_of_number(int c) { return begins_number(c) || c == '+' || c == '.' || c == 'e' || c == 'E'; }

// The text as brackets, commas and numbers. Neither form has strings, so a damaged byte is just that.
class Lexer {
 public:
  Lexer(TextSource& source, const Progress& progress, size_t step) : window_(source, progress, 0, step) {
    window_.ensure(kMark.size());
    at_ = window_.begin();
    if (std::string_view(reinterpret_cast<const char*>(at_), window_.size()).substr(0, kMark.size()) == kMark) at_ += kMark.size();
  }

  Kind next() {
    int c = peek();
    while (c >= 0 && is_blank(static_cast<uint8_t>(c))) c = after();
    start_ = window_.offset() + static_cast<uint64_t>(at_ - window_.begin());
    if (c < 0) return Kind::end;
    if (begins_number(c)) return number(c);
    ++at_;
    return c == '[' ? Kind::open : c == ']' ? Kind::close : c == ',' ? Kind::comma : Kind::other;
  }
  // Passes over the zeros and blanks that some tools leave behind the text.
  void skip_padding() {
    int c = peek();
    while (c == 0 || (c > 0 && is_blank(static_cast<uint8_t>(c)))) c = after();
  }
  std::string_view text() const { return text_; }  // of the number
  uint64_t offset() const { return start_; }       // of the token, in the inflated text

 private:
  int peek() {
    while (at_ == window_.end()) {
      window_.drop_before(at_);
      const bool more = window_.more();
      at_ = window_.begin();
      if (!more) return -1;
    }
    return *at_;
  }
  int after() {
    ++at_;
    return peek();
  }
  Kind number(int c) {
    text_.clear();
    bool fits = true;
    for (; c >= 0 && is_of_number(c); c = after()) {
      fits = fits && text_.size() < kLongestNumber;
      if (fits) text_ += static_cast<char>(c);
    }
    return fits ? Kind::number : Kind::other;
  }

  Window window_;
  const uint8_t* at_ = nullptr;
  std::string text_;
  uint64_t start_ = 0;
};

using Row = std::array<int64_t, kStateWidth>;

// Takes a row's tokens and tells whether they are `width` whole numbers between commas.
class RowParser {
 public:
  explicit RowParser(size_t width) : width_(width) {}
  void begin(uint64_t offset, bool is_odd) {
    offset_ = offset;
    numbers_ = commas_ = 0;
    is_odd_ = is_odd;
  }
  void take(Kind kind, std::string_view text) {
    if (kind == Kind::comma) {
      ++commas_;
    } else if (kind == Kind::number && numbers_ < width_ && to_integer(text, row_[numbers_])) {
      ++numbers_;
    } else {
      is_odd_ = true;
    }
  }
  const Row* row() const { return !is_odd_ && numbers_ == width_ && commas_ + 1 == width_ ? &row_ : nullptr; }
  uint64_t offset() const { return offset_; }

 private:
  size_t width_;
  Row row_{};
  size_t numbers_ = 0;
  size_t commas_ = 0;
  bool is_odd_ = false;
  uint64_t offset_ = 0;
};

class TimelineReader {
 public:
  TimelineReader(TextSource& source, const Progress& progress, size_t step, Trace& out) : lexer_(source, progress, step), out_(out) {
    out_.categories.push_back(out_.strings.intern({}));
    out_.category_kinds.push_back(CategoryKind::other);
    TraceProcess process;
    process.name = out_.strings.intern("Memory timeline");
    out_.processes.push_back(process);
    const uint32_t name = out_.strings.intern("Memory by category");
    for (const char* category : kCategories) out_.series.push_back({0, name, out_.strings.intern(category), kNone});
  }

  // Reads to the end of the text.
  void read(TimelineForm form) {
    lexer_.next();  // the outer bracket, which the head showed
    const bool is_whole = form == TimelineForm::states ? states() : changes();
    if (!is_whole) findings_.count(Code::truncated, lexer_.offset());
    lexer_.skip_padding();
    for (bool told = false; lexer_.next() != Kind::end; told = true) {
      if (!told) findings_.count(Code::bytes_after_end, lexer_.offset());
    }
  }
  FindingCounts& findings() { return findings_; }

 private:
  // use(row or nullptr, offset) for each row until their list ends. A bracket that damage took away costs the row it belongs to. False = the
  // text ends first.
  template <typename Use>
  bool each_row(size_t width, Use&& use) {
    RowParser parser(width);
    bool is_inside = false;
    for (;;) {
      const Kind kind = lexer_.next();
      if (kind == Kind::end) return false;
      if (kind == Kind::open || kind == Kind::close) {
        if (is_inside) use(kind == Kind::close ? parser.row() : nullptr, parser.offset());
        if (kind == Kind::close && !is_inside) return true;
        is_inside = kind == Kind::open;
        if (is_inside) parser.begin(lexer_.offset(), false);
        continue;
      }
      if (!is_inside && kind == Kind::comma) continue;
      if (!is_inside) parser.begin(lexer_.offset(), true);
      is_inside = true;
      parser.take(kind, lexer_.text());
    }
  }

  // The list of times, up to the bracket that closes it or, where that is damaged, the one that opens the rows.
  Kind read_times(std::vector<int64_t>& times) {
    lexer_.next();
    bool is_filled = false, is_odd = false;
    Moment time;
    for (;;) {
      const Kind kind = lexer_.next();
      if (kind == Kind::number || kind == Kind::other) {
        is_odd = is_odd || is_filled || kind == Kind::other || to_moment(lexer_.text(), time) != Decimal::good;
        is_filled = true;
        continue;
      }
      if (kind == Kind::end) return kind;
      if (is_filled || kind == Kind::comma) {
        if (!is_filled || is_odd) findings_.count(Code::bad_time, lexer_.offset());
        times.push_back(!is_filled || is_odd ? kNoTime : time.ns);
      }
      if (kind != Kind::comma) return kind;
      is_filled = is_odd = false;
    }
  }

  bool states() {
    std::vector<int64_t> times;
    Kind kind = read_times(times);
    while (kind != Kind::open && kind != Kind::end) {
      const Kind next = lexer_.next();
      if (next == Kind::close || next == Kind::other || next == Kind::number) findings_.count(Code::syntax, lexer_.offset());
      kind = next;
    }
    size_t count = 0;
    const bool is_whole = kind == Kind::open && each_row(kStateWidth, [&](const Row* row, uint64_t offset) {
      const int64_t time = count < times.size() ? times[count] : kNoTime;
      if (count++ >= times.size()) return findings_.count(Code::timeline_lengths, offset);
      if (row == nullptr || !is_state(*row)) return findings_.count(Code::timeline_row, offset);
      if (time == kNoTime) return;
      for (size_t i = 0; i < kCategoryCount; ++i) bytes_[i] = (*row)[i + 1];
      ++out_.event_count;
      add_samples(time, offset);
    });
    if (is_whole && count < times.size()) findings_.count(Code::timeline_lengths, lexer_.offset(), times.size() - count);
    return is_whole && lexer_.next() == Kind::close;
  }

  static bool is_state(const Row& row) {
    for (const int64_t value : row) {
      if (value > kMostBytes || value < -kMostBytes) return false;
    }
    return row[0] == 0;
  }

  bool changes() {
    const bool is_whole = each_row(kChangeWidth, [&](const Row* row, uint64_t offset) {
      if (row == nullptr) return findings_.count(Code::timeline_row, offset);
      change(*row, offset);
    });
    if (out_.event_count > 0) add_samples(now_.value_or(0), lexer_.offset());
    return is_whole;
  }

  void change(const Row& row, uint64_t offset) {
    const int64_t time = row[0], action = row[1], bytes = row[2], number = row[3];
    if (time > kLargestTime) return findings_.count(Code::bad_time, offset);
    const bool is_known = number >= 0 && number < static_cast<int64_t>(kCategoryCount);
    int64_t& sum = bytes_[is_known ? static_cast<size_t>(number) : kCategoryCount - 1];
    const bool fits = bytes <= kMostBytes && bytes >= -kMostBytes && sum + bytes <= kMostBytes && sum + bytes >= -kMostBytes;
    if (!fits) return findings_.count(Code::timeline_row, offset);
    if (!is_known) findings_.count(Code::timeline_category, offset);
    if (action < 1 || action > kLastAction) findings_.count(Code::timeline_action, offset);
    advance(time, offset);
    sum += bytes;
    ++out_.event_count;
  }

  // Writes down what was held until `time`. Rows are in order; one that is not counts at the time of the row before it.
  void advance(int64_t time, uint64_t offset) {
    if (!now_ && time < 0) return;
    if (now_ && time < *now_) return findings_.count(Code::timeline_order, offset);
    if (now_ && time == *now_) return;
    if (out_.event_count > 0) add_samples(now_ ? *now_ : time - 1, offset);
    now_ = time;
  }

  void add_samples(int64_t time, uint64_t offset) {
    bool is_negative = false;
    for (uint32_t i = 0; i < kCategoryCount; ++i) {
      is_negative = is_negative || bytes_[i] < 0;
      out_.samples.push_back({time, static_cast<double>(bytes_[i]), i});
    }
    if (is_negative) findings_.count(Code::timeline_negative, offset);
  }

  Lexer lexer_;
  Trace& out_;
  FindingCounts findings_;
  std::array<int64_t, kCategoryCount> bytes_{};
  std::optional<int64_t> now_;  // of changes: the time of the last row that has one
};

std::string_view without_blanks(std::string_view text) {
  const size_t start = text.find_first_not_of(" \t\r\n");
  return start == std::string_view::npos ? std::string_view() : text.substr(start);
}

// Takes `bracket` from the front of `text`.
bool takes(std::string_view& text, char bracket) {
  text = without_blanks(text);
  if (text.empty() || text[0] != bracket) return false;
  text.remove_prefix(1);
  return true;
}

// Takes numbers and commas from the front of `text`; keeps the first of the numbers. False = a number is none.
bool takes_numbers(std::string_view& text, std::array<int64_t, kChangeWidth>& first, size_t& count, bool& is_whole) {
  is_whole = true;
  count = 0;
  do {
    text = without_blanks(text);
    size_t length = 0;
    while (length < text.size() && is_of_number(text[length])) ++length;
    if (length == 0) return true;
    double value;
    if (length < text.size() && to_double(text.substr(0, length), value) != Decimal::good) return false;
    int64_t number = 0;
    is_whole = is_whole && to_integer(text.substr(0, length), number);
    if (count < kChangeWidth) first[count] = number;
    ++count;
    text.remove_prefix(length);
  } while (takes(text, ','));
  return true;
}

Failure conclude(const Progress& progress, const FindingCounts& findings, Trace& out) {
  if (progress.cancel) return {"query/cancelled", "The load was cancelled.", -1};
  out.findings = findings.findings();
  if (out.event_count > 0) return {};
  if (findings.of(Code::truncated) > 0) return {"trace/truncated", "The memory timeline ends before its first row is complete.", -1};
  return {"trace/not_a_trace", "The memory timeline is empty: the profiler recorded no memory of its device.", 0};
}

}  // namespace

TimelineForm timeline_form(std::string_view head) {
  if (head.substr(0, kMark.size()) == kMark) head.remove_prefix(kMark.size());
  std::array<int64_t, kChangeWidth> first{};
  size_t count = 0;
  bool is_whole = false;
  if (!takes(head, '[') || !takes(head, '[') || !takes_numbers(head, first, count, is_whole)) return TimelineForm::none;
  // Times may go on behind the head; more than four in a row are times, though damage may follow.
  if (without_blanks(head).empty()) return count > kChangeWidth ? TimelineForm::states : TimelineForm::none;
  if (count > kChangeWidth) head.remove_prefix(std::min(head.find(']'), head.size()));
  if (!takes(head, ']')) return TimelineForm::none;
  if (takes(head, ',') && takes(head, '[') && (takes(head, '[') || (count == 0 && takes(head, ']')))) return TimelineForm::states;
  // Lists of four numbers are many things; the second of these is an action.
  return count == kChangeWidth && is_whole && first[1] >= 1 && first[1] <= kLastAction ? TimelineForm::changes : TimelineForm::none;
}

Failure read_memory_timeline(const Head& head, Opened opened, TimelineForm form, size_t step, Progress& progress, Trace& out) {
  std::optional<GzipSource> inflated;
  if (head.is_gzip) inflated.emplace(std::move(opened.packed), progress);
  TextSource& text = inflated ? static_cast<TextSource&>(*inflated) : *opened.anywhere;
  Utf16Source wide(text);
  TimelineReader reader(head.is_utf16 ? static_cast<TextSource&>(wide) : text, progress, step, out);
  reader.read(form);
  FindingCounts& findings = reader.findings();
  if (head.is_utf16) findings.count(Code::utf16, 0);
  if (!progress.cancel && inflated) {
    inflated->note_end(findings);
  } else if (!progress.cancel && text.failed()) {
    return {"file/unreadable", "The disk or network reported an error while the file was read.", -1};
  }
  out.format_detail = std::string("PyTorch memory timeline (") + (form == TimelineForm::states ? "JSON" : "raw JSON") +
                      (head.is_utf16 ? ", UTF-16" : "") + (head.is_gzip ? ", gzip)" : ")");
  return conclude(progress, findings, out);
}

}  // namespace tidemark::readers::trace
