#include "query/category_rules.h"

#include <algorithm>
#include <functional>

#include "store/sql.h"

namespace tidemark {
namespace {

// More than anyone writes; they keep what a text costs in bounds, and a rule's number in 16 bits.
constexpr size_t kMostRules = 2000;
constexpr size_t kMostItems = 1000;

// One value of the text: where it stands, its JSON type and its JSON.
struct Value {
  std::string path, type, text;
  int64_t integer = 0;
  double real = 0;
};

class RuleReader {
 public:
  RuleReader(sqlite3* db, CategoryRules& out) : db_(db), out_(out) {}

  Failure read(const std::string& json) {
    Statement shape(db_, "SELECT CASE WHEN json_valid(?1) THEN json_type(?1) END");
    shape.bind(1, json);
    if (shape.step() != SQLITE_ROW || shape.text(0) != "object") return bad_argument("The rules must be a JSON object.");
    members({"", "object", json}, [&](const std::string& key, const Value& value) {
      if (key == "format") return expect(value, value.type == "integer" && value.integer == 1, "must be 1");
      if (key == "steps") return texts(value, out_.steps);
      if (key == "phases") return items(value, kMostItems, [&](const Value& item) { read_phase(item); });
      if (key == "rules") return items(value, kMostRules, [&](const Value& item) { read_rule(item); });
      refuse(value, "is unknown");
    });
    return failure_;
  }

 private:
  using Member = std::function<void(const std::string& key, const Value& value)>;
  using Item = std::function<void(const Value& item)>;

  void refuse(const Value& at, const std::string& message) {
    if (!failure_.failed()) failure_ = bad_argument((at.path.empty() ? "It" : at.path) + " " + message + ".");
  }
  void expect(const Value& value, bool fits, const std::string& message) {
    if (!fits) refuse(value, message);
  }

  void walk(const Value& of, const Member& take, bool is_array, size_t most) {
    Statement rows(db_, "SELECT key, type, value FROM json_each(?1)");
    rows.bind(1, of.text);
    size_t count = 0;
    int result = failure_.failed() ? SQLITE_DONE : rows.step();
    for (; result == SQLITE_ROW && !failure_.failed(); result = rows.step()) {
      const std::string key(rows.text(0));
      if (++count > most) return refuse(of, "has too many items");
      const std::string path = is_array ? of.path + "[" + key + "]" : of.path + (of.path.empty() ? "" : ".") + key;
      take(key, {path, std::string(rows.text(1)), std::string(rows.text(2)), rows.integer(2), sqlite3_column_double(rows.get(), 2)});
    }
    if (!failure_.failed() && result != SQLITE_DONE) refuse(of, "could not be read");
  }
  void members(const Value& of, const Member& take) {
    if (of.type != "object") return refuse(of, "must be an object");
    walk(of, take, false, kMostItems);
  }
  void items(const Value& of, size_t most, const Item& take) {
    if (of.type != "array") return refuse(of, "must be an array");
    walk(of, [&](const std::string&, const Value& item) { take(item); }, true, most);
  }

  void texts(const Value& of, std::vector<std::string>& out) {
    items(of, kMostItems, [&](const Value& item) {
      if (item.type != "text" || item.text.empty()) return refuse(item, "must be a text");
      out.push_back(item.text);
    });
  }
  void count(const Value& value, int64_t& out) {
    expect(value, value.type == "integer" && value.integer >= 0, "must be a whole number from 0 on");
    out = value.integer;
  }
  void flag(const Value& value, int8_t& out) {
    expect(value, value.type == "true" || value.type == "false", "must be true or false");
    out = value.type == "true" ? 1 : 0;
  }
  // An array of words, each a bit at its place.
  void words(const Value& of, const std::vector<std::string_view>& known, unsigned& out) {
    items(of, kMostItems, [&](const Value& item) {
      const auto found = std::find(known.begin(), known.end(), item.text);
      if (item.type != "text" || found == known.end()) return refuse(item, "must be one of: " + list(known));
      out |= 1u << (found - known.begin());
    });
  }
  static std::string list(const std::vector<std::string_view>& words) {
    std::string out;
    for (const std::string_view word : words) out += (out.empty() ? "" : ", ") + std::string(word);
    return out;
  }
  static std::vector<std::string_view> categories() { return {std::begin(kCategoryNames), std::end(kCategoryNames)}; }

  void read_phase(const Value& of) {
    PhaseRule phase;
    unsigned named = 0;
    int8_t without_python = 0;
    members(of, [&](const std::string& key, const Value& value) {
      if (key == "phase") {
        const auto found = std::find(phases_.begin(), phases_.end(), value.text);
        if (found == phases_.end()) return refuse(value, "must be one of: " + list(phases_));
        phase.phase = static_cast<Phase>(found - phases_.begin());
        named = 1;
      } else if (key == "frames") {
        texts(value, phase.frames);
      } else if (key == "entry") {
        texts(value, phase.entry);
      } else if (key == "outermost") {
        texts(value, phase.outermost);
      } else if (key == "annotations") {
        texts(value, phase.annotations);
      } else if (key == "without_python") {
        flag(value, without_python);
      } else {
        refuse(value, "is unknown");
      }
    });
    expect(of, named != 0, "needs a phase");
    phase.without_python = without_python == 1;
    out_.phases.push_back(std::move(phase));
  }

  void read_rule(const Value& of) {
    CategoryRule rule;
    bool has_category = false, has_confidence = false, has_match = false;
    members(of, [&](const std::string& key, const Value& value) {
      if (key == "id") {
        expect(value, value.type == "text" && !value.text.empty(), "must be a text");
        rule.id = value.text;
      } else if (key == "category") {
        rule.category = category_slot_of(value.text);
        expect(value, value.type == "text" && rule.category != 0, "must be one of: " + list(categories()));
        has_category = true;
      } else if (key == "confidence") {
        const bool is_number = value.type == "integer" || value.type == "real";
        expect(value, is_number && value.real >= 0 && value.real <= 1, "must be a number from 0 to 1");
        rule.confidence = value.real;
        has_confidence = true;
      } else if (key == "match") {
        members(value, [&](const std::string& name, const Value& condition) { read_condition(name, condition, rule.match); });
        has_match = true;
      } else if (key != "title" && key != "why") {
        refuse(value, "is unknown");
      }
    });
    const auto has_id = [&](const CategoryRule& other) { return other.id == rule.id; };
    expect(of, !rule.id.empty() && has_category && has_confidence && has_match, "needs id, category, confidence and match");
    expect(of, std::none_of(out_.rules.begin(), out_.rules.end(), has_id), "has the id of another rule: " + rule.id);
    out_.rules.push_back(std::move(rule));
  }

  void read_condition(const std::string& key, const Value& value, RuleMatch& out) {
    if (key == "frames") return texts(value, out.frames);
    if (key == "innermost") return texts(value, out.innermost);
    if (key == "without_frames") return texts(value, out.without_frames);
    if (key == "python_stack") return flag(value, out.python_stack);
    if (key == "made_in") return words(value, phases_, out.made_in);
    if (key == "freed_in") return words(value, phases_, out.freed_in);
    if (key == "life") return words(value, {"within_phase", "beyond_phase", "open"}, out.life);
    if (key == "size_of") return words(value, categories(), out.size_of);
    if (key == "made_before") return flag(value, out.made_before);
    if (key == "never_freed") return flag(value, out.never_freed);
    if (key == "most_events") return count(value, out.most_events);
    if (key == "least_events") return count(value, out.least_events);
    if (key == "least_steps") return count(value, out.least_steps);
    if (key == "most_steps") return count(value, out.most_steps);
    if (key == "min_bytes" || key == "max_bytes") {
      int64_t bytes = 0;
      count(value, bytes);
      (key == "min_bytes" ? out.min_bytes : out.max_bytes) = static_cast<uint64_t>(bytes);
      return;
    }
    if (key != "bytes") return refuse(value, "is unknown");
    items(value, kMostItems, [&](const Value& item) {
      int64_t bytes = 0;
      count(item, bytes);
      out.bytes.push_back(static_cast<uint64_t>(bytes));
    });
  }

  sqlite3* db_;
  CategoryRules& out_;
  Failure failure_;
  const std::vector<std::string_view> phases_{"program", "backward", "optimizer"};
};

}  // namespace

uint8_t category_slot_of(std::string_view name) {
  const auto found = std::find(std::begin(kCategoryNames), std::end(kCategoryNames), name);
  return found == std::end(kCategoryNames) ? 0 : static_cast<uint8_t>(found - std::begin(kCategoryNames) + 1);
}

Failure read_category_rules(sqlite3* db, const std::string& json, CategoryRules& out) {
  out = {};
  return RuleReader(db, out).read(json);
}

}  // namespace tidemark
