#include <cmath>

#include "readers/profile/formats.h"
#include "readers/profile/json_tree.h"

namespace tidemark::readers::profile {
namespace {

// Where a node's bytes were allocated.
struct Place {
  uint32_t name = kNone;
  uint32_t file = kNone;
  int64_t line = 0;
};

class HeapProfileReader {
 public:
  HeapProfileReader(JsonTokens& tokens, StackBuilder& stacks, Profile& out) : tokens_(tokens), stacks_(stacks), out_(out) {}

  FrameLists read() {
    type_ = stacks_.add_type("", "bytes");
    if (tokens_.next() == JsonToken::object) read_document();
    places_.resize(stacks_.node_count());
    FrameLists frames;
    for (uint32_t node = 1; node < places_.size(); ++node) {
      const Place& place = places_[node];
      stacks_.set_frame(node, static_cast<uint32_t>(frames.size()));
      const uint32_t name = place.name == kNone || out_.strings.at(place.name).empty() ? stacks_.text("(anonymous)") : place.name;
      frames.add(out_.frames.intern(name, place.file == kNone ? stacks_.text("") : place.file, place.line));
      frames.end_list();
    }
    return frames;
  }

 private:
  void read_document() {
    for (JsonToken token = tokens_.next(); token == JsonToken::key; token = tokens_.next()) {
      const bool is_head = tokens_.text() == "head";
      const JsonToken first = tokens_.next();
      if (is_head && first == JsonToken::object) {
        read_tree(tokens_, stacks_, StackBuilder::kRoot, [&](uint32_t node, const std::string& key) { return field(node, key); });
      } else if (!tokens_.skip(first)) {
        return;
      }
    }
  }

  bool field(uint32_t node, const std::string& key) {
    const bool is_size = key == "selfSize", is_frame = key == "callFrame";
    const JsonToken token = tokens_.next();
    if (is_size && token == JsonToken::number) {
      ++out_.sample_count;
      if (tokens_.number() != 0) stacks_.add(node, type_, tokens_.number());
      return true;
    }
    if (!is_frame || token != JsonToken::object) return tokens_.skip(token);
    places_.resize(std::max<size_t>(places_.size(), node + size_t{1}));
    return call_frame(places_[node]);
  }

  // Lines count from 0.
  bool call_frame(Place& place) {
    for (JsonToken token = tokens_.next(); token != JsonToken::object_end; token = tokens_.next()) {
      if (token != JsonToken::key) return false;
      const std::string key = tokens_.text();
      const JsonToken value = tokens_.next();
      if (key == "functionName" && value == JsonToken::text) place.name = stacks_.text(tokens_.text());
      else if (key == "url" && value == JsonToken::text) place.file = stacks_.text(tokens_.text());
      else if (key == "lineNumber" && value == JsonToken::number && tokens_.number() >= 0 && tokens_.number() < 1e9)
        place.line = static_cast<int64_t>(tokens_.number()) + 1;
      else if (!tokens_.skip(value)) return false;
    }
    return true;
  }

  JsonTokens& tokens_;
  StackBuilder& stacks_;
  Profile& out_;
  std::vector<Place> places_;  // by node; the root is no place
  uint32_t type_ = kNone;
};

}  // namespace

FrameLists read_heapprofile(JsonTokens& tokens, StackBuilder& stacks, Profile& out) { return HeapProfileReader(tokens, stacks, out).read(); }

}  // namespace tidemark::readers::profile
