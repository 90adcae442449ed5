#include "readers/read_snapshot.h"

#include <new>

#include "readers/assembler.h"
#include "readers/head.h"
#include "readers/json_reader.h"
#include "readers/pickle_reader.h"
#include "readers/read_source.h"
#include "readers/snapshot_builder.h"

namespace tidemark {
namespace readers {
namespace {

constexpr const char* kNotASnapshot = "The file holds no allocator segments and no device traces.";

// What a cut or complete document amounts to.
Failure conclude(const ByteSource& source, SnapshotBuilder& builder, bool truncated) {
  const auto offset = static_cast<int64_t>(source.offset());
  if (truncated && !builder.found_content()) {
    return {"snapshot/truncated", "The file ends at byte " + std::to_string(offset) + ", before anything usable.",
            offset};
  }
  if (!builder.found_snapshot()) return {"snapshot/not_a_snapshot", kNotASnapshot, 0};
  if (truncated) {
    builder.log().count("snapshot/truncated", "error", offset,
                        "The file ends early; the complete segments and events before the cut are shown.");
  }
  return {};
}

Failure refuse_family(const Head& head) {
  switch (head.family) {
    case Family::empty: return {"file/empty", "The file is empty.", 0};
    case Family::cut: return cut_failure();
    case Family::sqlite: return {"file/unknown_format", "The file is an SQLite database, not a capture.", 0};
    case Family::container:
      return {"file/unsupported_container", "The file is " + head.detail + "; unpack it first.", 0};
    default: return {"file/unknown_format", "The file looks like " + head.detail + ", not like a snapshot.", 0};
  }
}

Failure read_path(const std::string& path, Progress& progress, Snapshot& out) {
  Failure error;
  progress.stage = 0;
  progress.done = 0;
  const Head head = read_head(path, error);
  if (error.failed()) return error;
  progress.total = head.disk_size;
  if ((head.family != Family::pickle && head.family != Family::json) || head.is_utf16) return refuse_family(head);
  std::unique_ptr<Input> input = open_input(path, head.is_gzip, error);
  if (!input) return error;
  ByteSource source(std::move(input), progress);
  error = read_source(source, head.family, head.detail, out);
  if (!head.is_gzip && source.failed() && error.code != "query/cancelled") {
    return {"file/unreadable", "The disk or network reported an error while the file was read.",
            static_cast<int64_t>(source.offset())};
  }
  if (!error.failed()) progress.done = head.disk_size;
  return error;
}

}  // namespace

Failure read_source(ByteSource& source, Family family, const std::string& detail, Snapshot& out) {
  SnapshotBuilder builder(out, source);
  Assembler assembler(builder);
  Failure error;
  bool truncated = false;
  if (family == Family::pickle) {
    PickleReader reader(source, assembler);
    error = reader.read();
    truncated = reader.truncated();
  } else {
    JsonReader reader(source, assembler);
    error = reader.read();
    truncated = reader.truncated();
  }
  if (!error.failed()) error = conclude(source, builder, truncated);
  if (error.failed()) return error;
  if (!truncated && source.ensure(1)) {
    builder.log().count("snapshot/bytes_after_stop", "info", static_cast<int64_t>(source.offset()),
                        "The file goes on after the snapshot's end; the rest is ignored.");
  }
  // Cut files are told already; here all was read and the check sum at the end does not fit.
  if (!truncated && source.failed()) {
    builder.log().count("snapshot/damaged_gzip", "error", static_cast<int64_t>(source.offset()),
                        "The compressed file is damaged: its check sum does not fit, so any value may be wrong.");
  }
  if (source.cancelled()) return {"query/cancelled", "The load was cancelled.", static_cast<int64_t>(source.offset())};
  builder.finish();
  out.format_detail = detail + (out.has_traces_key ? "" : ", segments only");
  return {};
}

}  // namespace readers

Failure read_snapshot(const std::string& path, Progress& progress, Snapshot& out) {
  try {
    return readers::read_path(path, progress, out);
  } catch (const std::bad_alloc&) {
    return {"engine/out_of_memory", "There is not enough memory to read the file.", -1};
  } catch (const std::exception& failure) {
    return {"engine/internal", std::string("The reader failed: ") + failure.what() + ".", -1};
  }
}

}  // namespace tidemark
