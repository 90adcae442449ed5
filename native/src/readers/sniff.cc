// sniff(): what a file is, from its beginning.
#include <new>

#include "readers/head.h"
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

Sniffed sniff_path(const std::string& path, Failure& error) {
  const readers::Head head = readers::read_head(path, error);
  if (error.failed()) return {"unknown", ""};
  switch (head.family) {
    case readers::Family::pickle: return {"torch_snapshot", head.detail};
    case readers::Family::json: return {kind_of_json(head.bytes), head.detail};
    case readers::Family::sqlite: return {"tidemark_index", head.detail};
    case readers::Family::empty: return {"empty", head.detail};
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
