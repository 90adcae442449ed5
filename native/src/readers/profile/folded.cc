#include "readers/profile/folded.h"

#include <algorithm>

#include "readers/profile/formats.h"
#include "readers/trace/decimal.h"

namespace tidemark::readers::profile {
namespace {

constexpr std::string_view kBlanks = " \t\r";

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) + 1 - first);
}

// Takes the number behind the last blank of `text`, which is trimmed.
bool take_number(std::string_view& text, double& value) {
  const size_t blank = text.find_last_of(kBlanks);
  if (blank == std::string_view::npos) return false;
  const std::string_view number = text.substr(blank + 1);
  const bool is_plain = number.find_first_not_of("0123456789.-+eE") == std::string_view::npos;
  if (!is_plain || trace::to_double(number, value) > trace::Decimal::odd) return false;
  text = trimmed(text.substr(0, blank));
  return true;
}

// The file that stands in brackets behind a name: with a line, a folder or an extension, since a type may stand there as well.
bool is_place(std::string_view text) {
  return !text.empty() && text.find_first_of("()<>") == std::string_view::npos && text.find("::") == std::string_view::npos &&
         text.find_first_of(":./\\") != std::string_view::npos;
}

class FoldedReader {
 public:
  FoldedReader(ByteSource& source, StackBuilder& stacks, Profile& out) : source_(source), stacks_(stacks), out_(out) {}

  FrameLists read() {
    std::string line;
    bool is_bad = false;
    while (!source_.cancelled()) {
      const uint64_t offset = source_.offset();
      const bool is_whole = source_.read_line(kLongestLine, line);
      const bool is_long = !is_whole && source_.available() > 0;
      if (is_long) pass_line();
      if (offset == 0 && line.compare(0, 3, "\xEF\xBB\xBF") == 0) line.erase(0, 3);
      is_bad = is_long || (!is_folded_remark(line) && !add(line));
      if (is_bad && (is_whole || is_long)) {
        stacks_.note("profile/bad_line", "warning", offset, "Lines that are no stack with a number behind it are left out.");
      }
      if (is_whole || is_long) continue;
      if (is_bad) stacks_.note("profile/truncated", "error", offset, "The file ends inside a stack.");
      break;
    }
    return finish();
  }

 private:
  void pass_line() {
    while (source_.ensure(1)) {
      const auto* const newline = std::find(source_.cursor(), source_.end(), uint8_t{'\n'});
      source_.set_cursor(newline == source_.end() ? newline : newline + 1);
      if (newline != source_.end()) return;
    }
  }

  bool add(std::string_view line) {
    FoldedLine parsed;
    if (!parse_folded(line, parsed)) return false;
    uint32_t node = StackBuilder::kRoot;
    for (std::string_view rest = parsed.stack;;) {
      const size_t end = rest.find(';');
      const std::string_view name = trimmed(rest.substr(0, end));
      if (!name.empty()) node = stacks_.child(node, stacks_.text(name));
      if (end == std::string_view::npos) break;
      rest.remove_prefix(end + 1);
    }
    if (out_.value_types.empty()) add_types(parsed.has_two);
    ++out_.sample_count;
    stacks_.add(node, has_two_ ? 1 : 0, parsed.value);
    if (!has_two_) return true;
    stacks_.add(node, 0, parsed.before);
    stacks_.add(node, 2, parsed.value - parsed.before);
    return true;
  }

  // The first line tells whether the file compares two profiles.
  void add_types(bool has_two) {
    has_two_ = has_two;
    if (!has_two) {
      stacks_.add_type("", "");
      return;
    }
    for (const char* name : {"before", "after", "change"}) stacks_.add_type(name, "");
    out_.default_type = 2;
  }

  // A frame's number is that of its text.
  FrameLists finish() {
    FrameLists frames;
    const size_t count = out_.strings.size();
    for (uint32_t text = 0; text < count; ++text) {
      frames.add(frame_of_text(out_, stacks_, out_.strings.at(text)));
      frames.end_list();
    }
    return frames;
  }

  ByteSource& source_;
  StackBuilder& stacks_;
  Profile& out_;
  bool has_two_ = false;
};

}  // namespace

bool parse_folded(std::string_view line, FoldedLine& out) {
  out = {};
  out.stack = trimmed(line);
  if (!take_number(out.stack, out.value)) return false;
  std::string_view stack = out.stack;
  if (take_number(stack, out.before) && !stack.empty()) {
    out.stack = stack;
    out.has_two = true;
  }
  return !out.stack.empty();
}

bool is_folded_remark(std::string_view line) {
  const std::string_view text = trimmed(line);
  return text.empty() || text[0] == '#';
}

bool looks_folded(std::string_view text, bool is_strict) {
  constexpr size_t kMostLines = 200;
  size_t lines = 0, good = 0, deep = 0;
  while (lines < kMostLines) {
    const size_t end = text.find('\n');
    const bool is_last = end == std::string_view::npos;  // perhaps cut by the end of the head
    const std::string_view line = text.substr(0, end);
    FoldedLine parsed;
    const bool is_good = parse_folded(line, parsed);
    if (!is_folded_remark(line) && (!is_last || is_good)) {
      ++lines;
      good += is_good ? 1 : 0;
      deep += is_good && parsed.stack.find(';') != std::string_view::npos ? 1 : 0;
    }
    if (is_last) break;
    text.remove_prefix(end + 1);
  }
  return deep > 0 && (is_strict ? good == lines : good * 3 >= lines * 2);
}

uint32_t frame_of_text(Profile& profile, StackBuilder& stacks, std::string_view text) {
  // A copy: interning may move what the view looks at.
  const std::string all(text);
  const size_t bracket = all.rfind(" (");
  if (bracket != std::string::npos && bracket > 0 && all.back() == ')') {
    std::string_view place = std::string_view(all).substr(bracket + 2, all.size() - bracket - 3);
    if (is_place(place)) {
      int64_t line = 0;
      const size_t colon = place.rfind(':');
      const bool has_line = colon != std::string_view::npos && colon > 0 && trace::to_integer(place.substr(colon + 1), line) && line >= 0;
      if (has_line) place = place.substr(0, colon);
      return profile.frames.intern(stacks.text(std::string_view(all).substr(0, bracket)), stacks.text(place), has_line ? line : 0);
    }
  }
  return profile.frames.intern(stacks.text(all), stacks.text(""), 0);
}

FrameLists read_folded(ByteSource& source, StackBuilder& stacks, Profile& out) { return FoldedReader(source, stacks, out).read(); }

}  // namespace tidemark::readers::profile
