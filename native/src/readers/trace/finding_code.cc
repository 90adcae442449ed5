#include "readers/trace/finding_code.h"

namespace tidemark::readers::trace {
namespace {

struct Text {
  const char* code;
  const char* severity;
  const char* message;
};

// By Code.
constexpr Text kTexts[] = {
    {"trace/truncated", "error", "The file ends in the middle; everything complete before the cut was read."},
    {"trace/damaged_gzip", "error", "The compressed file is damaged; what could be inflated before the damage was read."},
    {"trace/syntax", "error", "Places that are no JSON: the events there were lost and reading went on at the next event."},
    {"trace/unescaped_quote", "warning", "Quotes inside texts were not escaped; the texts were put together again."},
    {"trace/bad_escape", "info", "Backslashes that begin no JSON escape were kept as they are."},
    {"trace/control_character", "info", "Control characters stand unescaped in texts; they were kept."},
    {"trace/invalid_utf8", "warning", "Texts hold bytes that are not UTF-8; they are shown as U+FFFD."},
    {"trace/utf16", "info", "The file is UTF-16 text; it was read as such."},
    {"trace/non_finite_number", "info", "NaN or infinity stands where JSON has no such number; it counts as no number."},
    {"trace/odd_number", "info", "Numbers are not written as JSON asks for; they were read by their meaning."},
    {"trace/bad_time", "warning", "Events without a usable time were left out."},
    {"trace/below_nanosecond", "info", "Times with digits below a nanosecond: starts were rounded down and ends up."},
    {"trace/duplicate_key", "info", "A key occurs twice in one object; the last one counts."},
    {"trace/no_phase", "info", "Objects among the events have no phase and were left out."},
    {"trace/unknown_phase", "info", "Events of a phase that the format does not have were left out."},
    {"trace/several_documents", "info", "The file holds several documents one after another; all their events were read."},
    {"trace/bytes_after_end", "info", "The file goes on after the trace's end; what is no trace there is ignored."},
    {"trace/event_too_long", "warning", "Events longer than 64 MB were left out."},
    {"trace/metadata_too_long", "info", "Metadata longer than 1 MB is not kept."},
    {"trace/missing_duration", "warning", "Complete events without a duration last to the end of their track."},
    {"trace/negative_duration", "warning", "Negative durations count as zero."},
    {"trace/ignored_phase", "info", "Events of kinds that are not shown (memory dumps, clock marks, contexts, links)."},
    {"trace/event_cap", "warning", "The file has exactly 1,000,000 events, the limit of the tool that writes such files: events are likely missing."},
    {"trace/no_memory_events", "info", "The trace has no memory events: it was recorded without profile_memory."},
    {"trace/no_python_stacks", "info", "The trace has no Python frames: it was recorded without with_stack."},
    {"trace/timeline_row", "warning", "Rows of the memory timeline are not as PyTorch writes them and were left out."},
    {"trace/timeline_action", "warning", "Rows of the memory timeline have an unknown action; their bytes count all the same."},
    {"trace/timeline_category", "warning", "Rows of the memory timeline have an unknown category; their bytes count as unknown."},
    {"trace/timeline_lengths", "warning", "The memory timeline has more times than rows, or more rows than times; the surplus was left out."},
    {"trace/timeline_order", "warning", "Rows of the memory timeline are not in the order of time; they count at the time of the row before."},
    {"trace/timeline_negative", "warning", "A category of the memory timeline holds fewer than 0 bytes at times: what was freed there is counted elsewhere."},
};
static_assert(sizeof(kTexts) / sizeof(kTexts[0]) == static_cast<size_t>(Code::count));

}  // namespace

std::vector<Finding> FindingCounts::findings() const {
  std::vector<Finding> out;
  for (size_t i = 0; i < rows_.size(); ++i) {
    if (rows_[i].count == 0) continue;
    out.push_back({kTexts[i].code, kTexts[i].severity, rows_[i].count, static_cast<int64_t>(rows_[i].first_at),
                   kTexts[i].message});
  }
  return out;
}

}  // namespace tidemark::readers::trace
