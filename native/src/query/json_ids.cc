#include "query/json_ids.h"

#include <charconv>

namespace tidemark {
namespace {

void skip_space(std::string_view& text) {
  while (!text.empty() && (text[0] == ' ' || text[0] == '\t' || text[0] == '\n' || text[0] == '\r')) text.remove_prefix(1);
}

bool take(std::string_view& text, char wanted) {
  skip_space(text);
  if (text.empty() || text[0] != wanted) return false;
  text.remove_prefix(1);
  return true;
}

}  // namespace

bool read_ids(std::string_view json, size_t most, std::vector<int64_t>& out) {
  out.clear();
  if (!take(json, '[')) return false;
  if (!take(json, ']')) {
    do {
      skip_space(json);
      int64_t id = -1;
      const auto [end, error] = std::from_chars(json.data(), json.data() + json.size(), id);
      if (error != std::errc() || id < 0 || out.size() == most) return false;
      json.remove_prefix(static_cast<size_t>(end - json.data()));
      out.push_back(id);
    } while (take(json, ','));
    if (!take(json, ']')) return false;
  }
  skip_space(json);
  return json.empty();
}

}  // namespace tidemark
