#include "readers/trace/read_opened.h"

#include <algorithm>
#include <new>

#include "readers/trace/document_scanner.h"
#include "readers/trace/memory_timeline.h"
#include "readers/trace/parallel_scan.h"
#include "readers/trace/part_merger.h"
#include "readers/trace/text_scan.h"
#include "readers/trace/text_source.h"

namespace tidemark {
namespace readers::trace {
namespace {

constexpr uint64_t kByteOrderMark = 3;  // of UTF-8

void scan_in_order(TextSource& source, const Place& start, const Cut& cut, const Progress& progress, PartMerger& merger) {
  Window window(source, progress, 0, cut.step);
  PartBuilder builder(0);
  DocumentScanner scanner(window, builder, start);
  for (uint64_t limit = cut.block; scanner.place().mode != Mode::ended && !window.cancelled();) {
    scanner.run(limit);
    merger.add(builder.take());
    limit = std::max(limit, scanner.place().offset) + cut.block;
  }
}

// What is said of the file as a whole once all of it was read.
Failure conclude(const Progress& progress, PartMerger& merger, Trace& out) {
  merger.finish(progress);
  if (progress.cancel) return {"query/cancelled", "The load was cancelled.", -1};
  if (out.event_count > 0) return {};
  if (merger.findings().of(Code::truncated) > 0)
    return {"trace/truncated", "The file ends before its first event is complete.", -1};
  return {"trace/not_a_trace", "The file holds no trace events.", 0};
}

Failure refuse(const Head& head) {
  if (head.family == Family::empty) return {"file/empty", "The file is empty.", 0};
  if (head.family == Family::cut) return cut_failure();
  if (head.family == Family::container) return {"file/unsupported_container", "The file is " + head.detail + "; unpack it first.", 0};
  return {"trace/not_a_trace", "The file looks like " + head.detail + ", not like a trace.", 0};
}

std::string format_of(const Head& head, const Place& start) {
  const std::string text = head.bytes + std::string(kPadding, '\0');
  const auto* const begin = reinterpret_cast<const uint8_t*>(text.data());
  const Shape shape = shape_of(begin + start.offset, begin + head.bytes.size());
  std::string detail = shape == Shape::array ? "JSON array" : shape == Shape::lines ? "JSON lines" : "JSON object";
  if (head.is_utf16) detail += ", UTF-16";
  if (head.is_gzip) detail += ", gzip";
  return detail;
}

Failure read_gzip(const Head& head, std::unique_ptr<Input> packed, const Place& start, const Cut& cut, Progress& progress, Trace& out) {
  GzipSource source(std::move(packed), progress);
  Utf16Source wide(source);
  PartMerger merger(out);
  if (head.is_utf16) merger.findings().count(Code::utf16, 0);
  scan_in_order(head.is_utf16 ? static_cast<TextSource&>(wide) : source, start, cut, progress, merger);
  if (progress.cancel) return {"query/cancelled", "The load was cancelled.", -1};
  source.note_end(merger.findings());
  if (!head.is_utf16) out.checkpoints = source.take_checkpoints();
  return conclude(progress, merger, out);
}

Failure read_plain(const Head& head, const Opened& opened, const Place& start, const Cut& cut, Progress& progress, Trace& out) {
  PartMerger merger(out);
  if (head.is_utf16) merger.findings().count(Code::utf16, 0);
  if (!head.is_utf16 && cut.threads > 1 && head.disk_size > cut.block) {
    scan_parallel(*opened.anywhere, head.disk_size, start, cut, progress, merger);
  } else {
    Utf16Source wide(*opened.anywhere);
    scan_in_order(head.is_utf16 ? static_cast<TextSource&>(wide) : *opened.anywhere, start, cut, progress, merger);
  }
  if (opened.anywhere->failed() && !progress.cancel)
    return {"file/unreadable", "The disk or network reported an error while the file was read.", -1};
  return conclude(progress, merger, out);
}

Failure read_path(const std::string& path, const Cut& cut, Progress& progress, Trace& out) {
  progress.stage = 0;
  progress.done = 0;
  Failure error;
  const Head head = read_head(path, error);
  if (error.failed()) return error;
  progress.total = head.disk_size;
  Opened opened;
  FileSource file(path, &progress);
  opened.anywhere = &file;
  opened.packed = open_input(path, false, error);
  if (!file.opened() && !error.failed()) error = {"file/unreadable", "The file cannot be opened any more.", -1};
  if (!error.failed()) error = read_opened(head, std::move(opened), cut, progress, out);
  if (!error.failed()) progress.done = head.disk_size;
  return error;
}

}  // namespace

Failure read_opened(const Head& head, Opened opened, const Cut& cut, Progress& progress, Trace& out) {
  if (head.family != Family::json) return refuse(head);
  out.is_compressed = head.is_gzip;
  if (const TimelineForm form = timeline_form(head.bytes); form != TimelineForm::none)
    return read_memory_timeline(head, std::move(opened), form, cut.step, progress, out);
  Place start;
  if (head.bytes.compare(0, kByteOrderMark, "\xEF\xBB\xBF") == 0) start.offset = kByteOrderMark;
  const Failure error = head.is_gzip ? read_gzip(head, std::move(opened.packed), start, cut, progress, out)
                                     : read_plain(head, opened, start, cut, progress, out);
  if (!error.failed()) out.format_detail = format_of(head, start);
  return error;
}

Failure read_trace_cut(const std::string& path, const Cut& cut, Progress& progress, Trace& out) {
  try {
    return read_path(path, cut, progress, out);
  } catch (const std::bad_alloc&) {
    return {"engine/out_of_memory", "There is not enough memory to read the file.", -1};
  } catch (const std::exception& failure) {
    return {"engine/internal", std::string("The reader failed: ") + failure.what() + ".", -1};
  }
}

}  // namespace readers::trace

Failure read_trace(const std::string& path, Progress& progress, Trace& out) {
  return readers::trace::read_trace_cut(path, {}, progress, out);
}

}  // namespace tidemark
