#include "readers/profile/profile_form.h"

#include <memory>

#include "readers/profile/json_tokens.h"

namespace tidemark::readers::profile {
namespace {

constexpr const char* kHeapSnapshot = "a V8 heap snapshot (record a sampling profile, .heapprofile, instead)";
constexpr const char* kRocprofiler = "the JSON of rocprofiler-sdk (let rocprofv3 write --output-format pftrace or csv instead)";

// What was seen of the document's own keys before the text of the head ends.
struct Seen {
  bool speedscope = false, heap_profile = false, heap_snapshot = false, rocprofiler = false;
  bool name = false, value = false, children = false;
  bool frames = false, profiles = false;
  bool foreign = false;  // a key that traces and snapshots have
};

// The first key inside the object or the first object of the list that begins with `first`; "" = none.
std::string first_key(JsonTokens& tokens, JsonToken& first) {
  if (first == JsonToken::array) first = tokens.next();
  if (first != JsonToken::object) return {};
  first = tokens.next();
  return first == JsonToken::key ? tokens.text() : std::string();
}

// Passes over the rest of what is open above `depth`.
bool close_to(JsonTokens& tokens, size_t depth) {
  while (tokens.depth() > depth) {
    const JsonToken token = tokens.next();
    if (token == JsonToken::end || token == JsonToken::damaged) return false;
  }
  return true;
}

bool is_tree_key(const std::string& key) { return key == "name" || key == "value" || key == "children" || key == "delta" || key == "libtype"; }

// Notes one key and its value; false = nothing more can be read.
bool note_key(JsonTokens& tokens, const std::string& key, Seen& seen) {
  const size_t depth = tokens.depth();
  JsonToken first = tokens.next();
  if (key == "$schema" && first == JsonToken::text) seen.speedscope = tokens.text().find("speedscope") != std::string::npos;
  if (key == "name") seen.name = first == JsonToken::text;
  if (key == "value") seen.value = first == JsonToken::number;
  if (key == "rocprofiler-sdk-tool") seen.rocprofiler = true;
  if (key == "traceEvents" || key == "segments" || key == "device_traces") seen.foreign = true;
  const bool is_open = first == JsonToken::object || first == JsonToken::array;
  if (is_open && (key == "head" || key == "snapshot" || key == "children" || key == "shared" || key == "profiles")) {
    const std::string inner = first_key(tokens, first);
    if (key == "head") seen.heap_profile = inner == "callFrame" || inner == "id" || inner == "selfSize" || inner == "children";
    if (key == "snapshot") seen.heap_snapshot = inner == "meta";
    if (key == "children") seen.children = is_tree_key(inner) || tokens.depth() == depth;
    if (key == "shared") seen.frames = inner == "frames";
    if (key == "profiles") seen.profiles = inner == "type" || inner == "name";
    return close_to(tokens, depth);
  }
  return tokens.skip(first);
}

}  // namespace

const char* word_of(ProfileForm form) {
  switch (form) {
    case ProfileForm::folded: return "folded";
    case ProfileForm::d3: return "d3";
    case ProfileForm::speedscope: return "speedscope";
    case ProfileForm::pprof: return "pprof";
    case ProfileForm::heapprofile: return "heapprofile";
    default: return "";
  }
}

ProfileForm form_of_json(const std::string& text, std::string& other) {
  Progress progress;
  ByteSource source(std::make_unique<MemoryInput>(text), progress);
  JsonTokens tokens(source);
  Seen seen;
  bool only_tree_keys = true;
  if (tokens.next() != JsonToken::object) return ProfileForm::none;
  while (!seen.foreign && tokens.next() == JsonToken::key) {
    const std::string key = tokens.text();
    only_tree_keys = only_tree_keys && is_tree_key(key);
    if (!note_key(tokens, key, seen)) break;
  }
  other = seen.foreign ? "" : seen.heap_snapshot ? kHeapSnapshot : seen.rocprofiler ? kRocprofiler : "";
  if (seen.foreign || !other.empty()) return ProfileForm::none;
  if (seen.speedscope || (seen.frames && seen.profiles)) return ProfileForm::speedscope;
  if (seen.heap_profile) return ProfileForm::heapprofile;
  const bool is_tree = seen.children && (only_tree_keys || (seen.name && seen.value));
  return is_tree ? ProfileForm::d3 : ProfileForm::none;
}

const char* other_tool(std::string_view text) {
  const auto begins = [&](std::string_view magic) { return text.substr(0, magic.size()) == magic; };
  if (begins(std::string_view("memray\0", 7))) return "a memray capture (let memray transform it, or open its JSON flame graph)";
  if (begins("\xd9\xd9\xf7")) return "CBOR data";
  const bool is_heaptrack = begins("v ") && text.find_first_not_of("0123456789abcdef ", 2) == text.find('\n');
  return is_heaptrack && text.find('\n') != std::string_view::npos ? "heaptrack data (let heaptrack_print write folded stacks with -F)" : "";
}

}  // namespace tidemark::readers::profile
