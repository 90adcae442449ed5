// sniff(): what a file is, from its beginning.
#include <algorithm>
#include <memory>
#include <new>

#include "readers/head.h"
#include "readers/profile/read_profile.h"
#include "readers/read_snapshot.h"
#include "readers/trace/memory_timeline.h"

namespace tidemark {
namespace {

// Which kind of capture a JSON text is, by the keys that its beginning shows.
std::string kind_of_json(const std::string& text) {
  const auto has = [&](const char* key) { return text.find(key) != std::string::npos; };
  if (has("\"traceEvents\"") || has("\"ph\"") || has("\"baseTimeNanoseconds\"") || has("\"deviceProperties\""))
    return "chrome_trace";
  if (has("\"segments\"") || has("\"device_traces\"") || has("\"total_size\"") || has("\"free_completed\""))
    return "torch_snapshot";
  if (readers::trace::timeline_form(text) != readers::trace::TimelineForm::none) return "chrome_trace";
  return "unknown";
}

// How much text behind the head is searched for a key that tells: a trace may begin with much metadata of its own.
constexpr size_t kSearchedBytes = 32 << 20;
constexpr size_t kBlockBytes = 1 << 20;
constexpr size_t kLongestKey = 16;  // of those below, with quotes

// The kind that the first telling key of a stretch of JSON text stands for; nullptr = there is none.
const char* kind_by_key(std::string_view text) {
  struct Telling {
    std::string_view key;
    const char* kind;
  };
  static constexpr Telling kTelling[] = {{"\"traceEvents\"", "chrome_trace"},
                                         {"\"ph\"", "chrome_trace"},
                                         {"\"segments\"", "torch_snapshot"},
                                         {"\"device_traces\"", "torch_snapshot"}};
  for (size_t at = text.find('"'); at != std::string_view::npos; at = text.find('"', at + 1)) {
    for (const Telling& telling : kTelling) {
      if (text.compare(at, telling.key.size(), telling.key) == 0) return telling.kind;
    }
  }
  return nullptr;
}

// Of a JSON text whose head does not tell: what the keys behind it say.
std::string kind_behind_head(const std::string& path, const readers::Head& head) {
  Failure ignored;  // the reader meets it too
  const std::unique_ptr<readers::Input> input = readers::open_input(path, head.is_gzip, ignored);
  if (!input || head.is_utf16) return "unknown";
  std::string text;
  for (size_t searched = 0; searched < kSearchedBytes;) {
    // A key may lie across the border of two blocks.
    text.erase(0, text.size() - std::min(text.size(), kLongestKey));
    const size_t kept = text.size();
    text.resize(kept + kBlockBytes);
    const size_t got = input->read(reinterpret_cast<uint8_t*>(text.data()) + kept, kBlockBytes);
    if (got == 0) break;
    text.resize(kept + got);
    if (const char* kind = kind_by_key(text)) return kind;
    searched += got;
  }
  return "unknown";
}

std::string kind_of_json_file(const std::string& path, const readers::Head& head) {
  const std::string kind = kind_of_json(head.bytes);
  return kind == "unknown" ? kind_behind_head(path, head) : kind;
}

Sniffed sniff_path(const std::string& path, Failure& error) {
  const readers::Head head = readers::read_head(path, error);
  if (error.failed()) return {"unknown", ""};
  const auto form = readers::profile::form_of(head);
  if (form != readers::profile::ProfileForm::none) return {"stack_profile", readers::profile::detail_of(form, head)};
  switch (head.family) {
    case readers::Family::pickle: return {"torch_snapshot", head.detail};
    case readers::Family::json: return {kind_of_json_file(path, head), head.detail};
    case readers::Family::sqlite: return {"tidemark_index", head.detail};
    case readers::Family::empty: return {"empty", head.detail};
    case readers::Family::cut: error = readers::cut_failure(); return {"unknown", ""};
    default: return {"unknown", head.detail};
  }
}

}  // namespace

Sniffed sniff(const std::string& path, Failure& error) {
  try {
    return sniff_path(path, error);
  } catch (const std::bad_alloc&) {
    error = {"engine/out_of_memory", "There is not enough memory to look at the file.", -1};
  }
  return {"unknown", ""};
}

}  // namespace tidemark
