#include "readers/json_text.h"

namespace tidemark::readers {

void JsonText::add(std::string_view key, std::string_view item, size_t limit) {
  if (cut) return;
  if (text.size() + key.size() + item.size() > limit) {
    cut = true;
    return;
  }
  if (!text.empty()) text += ',';
  if (is_dict) {
    text += key;
    text += ':';
  }
  text += item;
}

std::string JsonText::rendered() const {
  std::string out;
  out.reserve(text.size() + 16);
  out += is_dict ? '{' : '[';
  out += text;
  if (cut) {
    if (!text.empty()) out += ',';
    out += is_dict ? "\"…\":\"…\"" : "\"…\"";
  }
  out += is_dict ? '}' : ']';
  return out;
}

}  // namespace tidemark::readers
