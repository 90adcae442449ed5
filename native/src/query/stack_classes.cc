#include "query/stack_classes.h"

#include <algorithm>
#include <map>

#include "query/glob.h"

namespace tidemark {
namespace {

// Whether the frame is one of Python's: a file of source, or text that was run as such.
bool is_python(const std::string& text) {
  const size_t colon = text.rfind(".py:");
  return text[0] == '<' || (colon != std::string::npos && text.find(':', colon + 4) == std::string::npos);
}

using Bits = std::vector<uint64_t>;  // by pattern

// Which patterns each frame matches; patterns that rules share are compared once.
class PatternTable {
 public:
  // The places of the patterns, as bits.
  Bits add(const std::vector<std::string>& patterns) {
    Bits places;
    for (const std::string& pattern : patterns) {
      const size_t place = places_.emplace(pattern, places_.size()).first->second;
      places.resize(std::max(places.size(), place / 64 + 1));
      places[place / 64] |= uint64_t{1} << place % 64;
    }
    return places;
  }

  // Once all patterns are added.
  void compare(const StackFrames& frames) {
    words_ = places_.size() / 64 + 1;
    matches_.assign(words_ * frames.frame_count(), 0);
    for (const auto& [pattern, place] : places_) {
      const std::string tail = "*" + pattern;
      for (uint32_t frame = 0; frame < frames.frame_count(); ++frame) {
        if (matches_glob(tail, frames.text(frame))) matches_[frame * words_ + place / 64] |= uint64_t{1} << place % 64;
      }
    }
  }

  size_t words() const { return words_; }
  const uint64_t* of(uint32_t frame) const { return matches_.data() + frame * words_; }

 private:
  std::map<std::string, size_t> places_;
  size_t words_ = 1;
  Bits matches_;  // by frame, words_ each
};

// Whether the two have a bit in common; `all` is at least as long.
bool meet(const Bits& some, const uint64_t* all) {
  for (size_t i = 0; i < some.size(); ++i) {
    if (some[i] & all[i]) return true;
  }
  return false;
}

struct PhaseMarks {
  Bits frames, entry, outermost;
};

struct StackConditions {
  Bits frames, innermost, without_frames;
};

class StackSorter {
 public:
  StackSorter(const StackFrames& frames, const CategoryRules& rules) : rules_(rules) {
    for (const CategoryRule& rule : rules.rules) {
      const RuleMatch& match = rule.match;
      conditions_.push_back({table_.add(match.frames), table_.add(match.innermost), table_.add(match.without_frames)});
    }
    for (const PhaseRule& phase : rules.phases) {
      marks_.push_back({table_.add(phase.frames), table_.add(phase.entry), table_.add(phase.outermost)});
    }
    table_.compare(frames);
    python_.resize(frames.frame_count());
    for (uint32_t frame = 0; frame < python_.size(); ++frame) python_[frame] = is_python(frames.text(frame));
  }

  // Takes the stack between two places of its frames.
  void look_at(const uint32_t* begin, const uint32_t* end) {
    matched_.assign(table_.words(), 0);
    for (const uint32_t* frame = begin; frame != end; ++frame) {
      for (size_t word = 0; word < table_.words(); ++word) matched_[word] |= table_.of(*frame)[word];
    }
    const uint32_t* found = std::find_if(begin, end, [&](uint32_t frame) { return python_[frame]; });
    innermost_ = found == end ? nullptr : found;
    outermost_ = innermost_;
    for (; found != end; ++found) outermost_ = python_[*found] ? found : outermost_;
    const uint32_t* entry = std::find_if(begin, end, [&](uint32_t frame) { return is_entry(frame); });
    runs_python_ = has_python() && innermost_ < entry;
  }
  bool has_python() const { return innermost_ != nullptr; }

  bool fits(size_t rule) const {
    const RuleMatch& match = rules_.rules[rule].match;
    const StackConditions& places = conditions_[rule];
    if (match.python_stack >= 0 && (match.python_stack == 1) != runs_python_) return false;
    if (!match.frames.empty() && !meet(places.frames, matched_.data())) return false;
    if (!match.innermost.empty() && !(has_python() && meet(places.innermost, table_.of(*innermost_)))) return false;
    return !meet(places.without_frames, matched_.data());
  }

  uint8_t phase(bool capture_has_python) const {
    for (size_t i = 0; i < marks_.size(); ++i) {
      const PhaseRule& rule = rules_.phases[i];
      const bool is_bare = rule.without_python && capture_has_python && !has_python();
      const bool is_entered = meet(marks_[i].frames, matched_.data()) || meet(marks_[i].entry, matched_.data());
      const bool is_marked = is_entered || (outermost_ && meet(marks_[i].outermost, table_.of(*outermost_)));
      if (is_bare || is_marked) return static_cast<uint8_t>(rule.phase);
    }
    return StackClasses::kNoPhase;
  }

 private:
  bool is_entry(uint32_t frame) const {
    return std::any_of(marks_.begin(), marks_.end(), [&](const PhaseMarks& marks) { return meet(marks.entry, table_.of(frame)); });
  }

  const CategoryRules& rules_;
  PatternTable table_;
  std::vector<StackConditions> conditions_;  // by rule
  std::vector<PhaseMarks> marks_;            // by phase rule
  std::vector<bool> python_;                 // by frame
  Bits matched_;                             // by the stack that is looked at
  const uint32_t* innermost_ = nullptr;      // Python frames; nullptr = none
  const uint32_t* outermost_ = nullptr;
  bool runs_python_ = false;  // a Python frame stands within the innermost entry of a phase
};

}  // namespace

Failure StackClasses::sort(const StackFrames& frames, const CategoryRules& rules, const StopSignal& stop) {
  StackSorter sorter(frames, rules);
  const size_t items = frames.stack_count() + 1;
  has_python_.assign(items, 0);
  phase_.assign(items, kNoPhase);
  first_.assign(1, 0);
  candidates_.clear();
  const auto look_at = [&](size_t item) {
    if (item == 0) return sorter.look_at(nullptr, nullptr);
    sorter.look_at(frames.begin(item - 1), frames.end(item - 1));
  };
  for (size_t item = 0; item < items; ++item) {
    look_at(item);
    has_python_[item] = sorter.has_python();
  }
  const bool capture_has_python = std::find(has_python_.begin(), has_python_.end(), 1) != has_python_.end();
  for (size_t item = 0; item < items; ++item) {
    if (item % 1024 == 0 && stop()) return query_cancelled();
    look_at(item);
    phase_[item] = sorter.phase(capture_has_python);
    for (size_t rule = 0; rule < rules.rules.size(); ++rule) {
      if (sorter.fits(rule)) candidates_.push_back(static_cast<uint16_t>(rule));
    }
    first_.push_back(candidates_.size());
  }
  return {};
}

}  // namespace tidemark
