#include <algorithm>
#include <array>

#include "readers/trace/event_texts.h"
#include "store/trace_writer.h"

namespace tidemark {
namespace {

// The events that may be asked for their args, in the order of the file; they stand in three columns that each have it.
class EventSpans {
 public:
  explicit EventSpans(const Trace& trace) : trace_(trace) {}

  // False behind the last.
  bool next(SourceSpan& out) {
    while (slice_ < trace_.slices.size() && trace_.slices[slice_].phase == SlicePhase::end) ++slice_;
    const SourceSpan spans[] = {slice(), instant(), async()};
    const SourceSpan* first = std::min_element(spans, spans + 3, [](const SourceSpan& a, const SourceSpan& b) { return a.offset < b.offset; });
    if (first->offset == kNowhere) return false;
    out = *first;
    ++*std::array<size_t*, 3>{&slice_, &instant_, &async_}[static_cast<size_t>(first - spans)];
    return true;
  }

 private:
  static constexpr uint64_t kNowhere = UINT64_MAX;
  static constexpr SourceSpan kBehind{kNowhere, 0};

  SourceSpan slice() const {
    if (slice_ == trace_.slices.size()) return kBehind;
    const TraceSlice slice = trace_.slices[slice_];
    return {slice.source_offset, slice.source_length};
  }
  SourceSpan instant() const { return instant_ == trace_.instants.size() ? kBehind : trace_.instants[instant_].source; }
  SourceSpan async() const { return async_ == trace_.async_points.size() ? kBehind : trace_.async_points[async_].source; }

  const Trace& trace_;
  size_t slice_ = 0, instant_ = 0, async_ = 0;
};

}  // namespace

void write_event_texts(const IndexWrite& write, const std::string& path, const Trace& trace) {
  EventTexts texts(path, write.progress);
  Insert insert(write, "INSERT OR IGNORE INTO event_text(offset, text) VALUES (?,?)");
  EventSpans spans(trace);
  for (SourceSpan span; spans.next(span) && write.goes_on(); ++write.progress.done) {
    if (is_interrupted(write.db)) write.progress.cancel = true;
    if (span.length == 0) continue;
    std::string_view text;
    write.failure = texts.next(span.offset, span.length, text);
    if (write.failure.failed()) return;
    insert.row(static_cast<int64_t>(span.offset), clean_text(std::string(text)));
  }
}

}  // namespace tidemark
