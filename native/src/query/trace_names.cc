#include "query/trace_names.h"

#include <algorithm>
#include <tuple>
#include <vector>

#include "query/json.h"
#include "query/stoppable.h"
#include "store/sql.h"

namespace tidemark {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

bool contains(std::string_view text, std::string_view wanted) {
  const auto same = [](char a, char b) { return lower(a) == b; };
  return std::search(text.begin(), text.end(), wanted.begin(), wanted.end(), same) != text.end() || wanted.empty();
}

struct Name {
  int64_t id, count, total_ns;
};

}  // namespace

Failure trace_names(TraceIndex& index, const std::string& text, size_t limit, const StopSignal& stop, std::string& out) {
  std::string wanted = text;
  std::transform(wanted.begin(), wanted.end(), wanted.begin(), lower);
  std::vector<Name> names;
  uint64_t slices = 0;
  Statement rows(index.db(),
                 "SELECT string_id, text, slice_count, total_ns FROM main.trace_name JOIN main.string USING (string_id)");
  int result;
  for (size_t seen = 1; (result = rows.step()) == SQLITE_ROW; ++seen) {
    if (is_stopped_at(seen, stop)) return query_cancelled();
    if (!contains(rows.text(1), wanted)) continue;
    names.push_back({rows.integer(0), rows.integer(2), rows.integer(3)});
    slices += static_cast<uint64_t>(std::max<int64_t>(rows.integer(2), 0));
  }
  if (result != SQLITE_DONE) return read_failure(result, "relation trace_name");
  const size_t kept = std::min(limit, names.size());
  std::partial_sort(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(kept), names.end(), [](const Name& a, const Name& b) {
    return std::tuple(-a.total_ns, a.id) < std::tuple(-b.total_ns, b.id);
  });
  JsonObject answer;
  answer.number("count", names.size()).number("slices", slices);
  names.resize(kept);
  answer.json("names", json_array(names, [&](const Name& name) {
                JsonObject item;
                item.json("name_id", std::to_string(name.id)).json("text", index.quoted_name(name.id));
                return item.json("count", std::to_string(name.count)).json("total_ns", std::to_string(name.total_ns)).take();
              }));
  out = answer.take();
  return {};
}

}  // namespace tidemark
