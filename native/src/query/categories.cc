#include "query/categories.h"

#include <algorithm>
#include <unordered_set>

#include "query/program_phases.h"
#include "query/stack_classes.h"

namespace tidemark {
namespace {

// What is known of one allocation beside its stack.
struct Facts {
  int64_t made = kBefore;
  int64_t freed = kNever;
  uint64_t bytes = 0;     // asked for
  unsigned made_in = 0;   // a Phase as bit; 0 = before the first event
  unsigned freed_in = 0;  // 0 = not freed
  unsigned life = 0;      // a Life as bit; 0 = unknown
};

unsigned bit_of(Phase phase) { return 1u << static_cast<unsigned>(phase); }
unsigned bit_of(Life life) { return 1u << static_cast<unsigned>(life); }

class Classifier {
 public:
  Classifier(const DeviceColumns& device, const CategoryRules& rules, const StackClasses& stacks, const ProgramPhases& phases,
             const StopSignal& stop)
      : device_(device), rules_(rules), stacks_(stacks), phases_(phases), stop_(stop),
        end_(static_cast<int64_t>(device.event_count)) {}

  Failure classify(Categories& out) {
    out.category.assign(device_.alloc_event.size(), kUnknownCategory);
    out.rule.assign(device_.alloc_event.size(), kNoRule);
    for (const CategoryRule& rule : rules_.rules) wanted_ |= rule.match.size_of;
    // Sizes are those of what the other rules find, so that it does not matter which allocation comes first.
    if (wanted_ != 0 && !visit([&](size_t, size_t rule, const Facts& facts) { remember_size(rule, facts); })) return query_cancelled();
    knows_sizes_ = true;
    const bool done = visit([&](size_t allocation, size_t rule, const Facts&) {
      out.rule[allocation] = static_cast<uint16_t>(rule);
      out.category[allocation] = rules_.rules[rule].category;
    });
    return done ? Failure{} : query_cancelled();
  }

 private:
  // Calls take(allocation, rule, facts) where a rule matches; false when stopped.
  template <class Take>
  bool visit(Take take) const {
    for (size_t i = 0; i < device_.alloc_event.size(); ++i) {
      if (i % (1 << 16) == 0 && stop_()) return false;
      const Facts facts = facts_of(i);
      const size_t stack = stack_of(i);
      for (const uint16_t* rule = stacks_.begin(stack); rule != stacks_.end(stack); ++rule) {
        if (!fits(rules_.rules[*rule].match, facts)) continue;
        take(i, *rule, facts);
        break;
      }
    }
    return true;
  }

  // What was made before the first event and is given back in the capture has the stack of its free, which tells nothing.
  size_t stack_of(size_t i) const {
    const bool is_of_free = device_.alloc_event[i] == kBefore && device_.free_requested[i] != kNever;
    return is_of_free ? 0 : static_cast<size_t>(device_.stack.at(i) + 1);
  }

  Facts facts_of(size_t i) const {
    Facts facts;
    facts.made = device_.alloc_event[i];
    facts.freed = device_.free_requested[i];
    facts.bytes = device_.is_of_trace ? device_.size[i] : static_cast<uint64_t>(device_.requested.at(i));
    if (facts.freed != kNever) facts.freed_in = bit_of(phases_.phase(phases_.stretch_at(facts.freed)));
    if (facts.made == kBefore) return facts;
    const size_t stretch = phases_.stretch_at(facts.made);
    const int64_t stretch_end = phases_.end(stretch);
    facts.made_in = bit_of(phases_.phase(stretch));
    facts.life = bit_of(facts.freed < stretch_end ? Life::within : stretch_end == kNever ? Life::open : Life::beyond);
    return facts;
  }

  bool fits(const RuleMatch& match, const Facts& facts) const {
    if (match.made_before >= 0 && (match.made_before == 1) != (facts.made == kBefore)) return false;
    if (match.never_freed >= 0 && (match.never_freed == 1) != (facts.freed == kNever)) return false;
    if (match.made_in != 0 && (match.made_in & facts.made_in) == 0) return false;
    if (match.freed_in != 0 && (match.freed_in & facts.freed_in) == 0) return false;
    if (match.life != 0 && (match.life & facts.life) == 0) return false;
    if (facts.bytes < match.min_bytes || facts.bytes > match.max_bytes) return false;
    if (!match.bytes.empty() && std::find(match.bytes.begin(), match.bytes.end(), facts.bytes) == match.bytes.end()) return false;
    return fits_age(match, facts) && (match.size_of == 0 || (knows_sizes_ && has_size_of(match.size_of, facts.bytes)));
  }

  bool fits_age(const RuleMatch& match, const Facts& facts) const {
    const bool is_freed = facts.freed != kNever;
    if (match.most_events >= 0 && !(is_freed && facts.made != kBefore && facts.freed - facts.made <= match.most_events)) return false;
    const int64_t until = is_freed ? facts.freed : end_;
    if (match.least_events >= 0 && until - facts.made < match.least_events) return false;
    if (match.least_steps < 0 && match.most_steps < 0) return true;
    const std::vector<int64_t>& steps = phases_.steps();
    const auto first = std::upper_bound(steps.begin(), steps.end(), facts.made);
    const auto count = std::upper_bound(first, steps.end(), until) - first;
    return count >= match.least_steps && (match.most_steps < 0 || (!steps.empty() && count <= match.most_steps));
  }

  bool has_size_of(unsigned categories, uint64_t bytes) const {
    for (size_t category = 0; category < kCategoryCount; ++category) {
      if ((categories >> category & 1) != 0 && sizes_[category].count(bytes) != 0) return true;
    }
    return false;
  }

  void remember_size(size_t rule, const Facts& facts) {
    const size_t category = rules_.rules[rule].category - size_t{1};
    if (wanted_ >> category & 1) sizes_[category].insert(facts.bytes);
  }

  const DeviceColumns& device_;
  const CategoryRules& rules_;
  const StackClasses& stacks_;
  const ProgramPhases& phases_;
  const StopSignal& stop_;
  const int64_t end_;
  unsigned wanted_ = 0;  // categories whose sizes a rule asks for
  bool knows_sizes_ = false;
  std::unordered_set<uint64_t> sizes_[kCategoryCount];
};

}  // namespace

unsigned category_parts(const DeviceColumns& device) {
  return kAllocationsPart | (device.is_of_trace ? 0u : kBlocksPart) | (device.has_times ? kTimesPart : 0u);
}

Failure classify(sqlite3* db, const DeviceColumns& device, const StackFrames& frames, const std::shared_ptr<const CategoryRules>& rules,
                 const StopSignal& stop, Categories& out) {
  out.rules = rules;
  StackClasses stacks;
  ProgramPhases phases;
  Failure failure = stacks.sort(frames, *rules, stop);
  if (!failure.failed()) failure = phases.find(db, device, *rules, stacks, stop);
  if (!failure.failed()) failure = Classifier(device, *rules, stacks, phases, stop).classify(out);
  return failure;
}

}  // namespace tidemark
