#include "query/flame_options.h"

#include "query/json_object.h"

namespace tidemark {
namespace {

// More texts or frames than anyone picks; keeps the work of a question in bounds.
constexpr size_t kMostItems = 1000;

class OptionReader {
 public:
  explicit OptionReader(CallTreeOptions& out) : out_(out) {}

  // Whether the option is known and its value fits.
  bool read(const JsonMember& option) {
    const std::string& key = option.key;
    if (key == "direction") return read_word(option, "callees", "callers", out_.from_innermost);
    if (key == "merge") {
      bool by_line = false;
      const bool fits = read_word(option, "function", "line", by_line);
      out_.merge = by_line ? FrameMerge::line : FrameMerge::function;
      return fits;
    }
    if (key == "fold_recursion") {
      out_.fold_recursion = option.type == "true";
      return option.is_flag();
    }
    if (key == "pivot") {
      out_.pivot = option.number;
      return option.is_count();
    }
    if (key == "hide") return option.each_item("text", [&](const Statement& item) { out_.hide.emplace_back(item.text(1)); }, kMostItems);
    if (key == "with") return option.each_item("integer", [&](const Statement& item) { out_.with.push_back(item.integer(1)); }, kMostItems);
    if (key == "without") return option.each_item("integer", [&](const Statement& item) { out_.without.push_back(item.integer(1)); }, kMostItems);
    return false;
  }

 private:
  static bool read_word(const JsonMember& option, const char* no, const char* yes, bool& out) {
    out = option.text == yes;
    return out || option.text == no;
  }

  CallTreeOptions& out_;
};

}  // namespace

Failure read_call_tree_options(sqlite3* db, const std::string& json, CallTreeOptions& out) {
  out = {};
  OptionReader reader(out);
  return read_json_object(db, json, "options", [&](const JsonMember& option) { return reader.read(option); });
}

}  // namespace tidemark
