// Trees of JSON objects that hold their children in a list: walked without recursion, whatever the order of keys.
#pragma once

#include <cstdint>
#include <vector>

#include "readers/profile/json_tokens.h"
#include "readers/profile/stack_builder.h"

namespace tidemark::readers::profile {

// Reads the object that begins at the token given last, and all below it, as nodes: `root` is the node of the object itself.
// read_key(node, key) reads the value of every key but "children". Stops where the text ends or is damaged.
template <typename ReadKey>
void read_tree(JsonTokens& tokens, StackBuilder& stacks, uint32_t root, ReadKey&& read_key) {
  struct Open {
    uint32_t node;
    bool in_children;
  };
  std::vector<Open> open{{root, false}};
  while (!open.empty()) {
    const JsonToken token = tokens.next();
    Open& at = open.back();
    if (token == JsonToken::end || token == JsonToken::damaged) return;
    if (token == JsonToken::array_end) {
      at.in_children = false;
    } else if (token == JsonToken::object_end) {
      open.pop_back();
    } else if (at.in_children) {
      if (token == JsonToken::object) {
        open.push_back({stacks.append(at.node), false});
        continue;
      }
      stacks.note("profile/bad_value", "warning", tokens.offset(), "Some values cannot be read as numbers; they are left out.");
      if (!tokens.skip(token)) return;
    } else if (tokens.text() == "children") {
      const JsonToken first = tokens.next();
      at.in_children = first == JsonToken::array;
      if (!at.in_children && !tokens.skip(first)) return;
    } else if (!read_key(at.node, tokens.text())) {
      return;
    }
  }
}

}  // namespace tidemark::readers::profile
