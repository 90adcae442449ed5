#include <zlib.h>

#include <algorithm>
#include <numeric>

#include "model/bits.h"
#include "store/schema.h"
#include "store/trace_columns.h"
#include "store/trace_writer.h"

namespace tidemark {
namespace {

// Times of the file that look like Unix time: 2001 to 2128, in nanoseconds.
constexpr int64_t kFirstUnixNs = 1'000'000'000'000'000'000;
constexpr int64_t kLastUnixNs = 5'000'000'000'000'000'000;

const char* word_of(CategoryKind kind) {
  switch (kind) {
    case CategoryKind::cpu_op: return "cpu_op";
    case CategoryKind::python_function: return "python_function";
    case CategoryKind::user_annotation: return "user_annotation";
    case CategoryKind::runtime: return "runtime";
    case CategoryKind::gpu: return "gpu";
    case CategoryKind::gpu_annotation: return "gpu_annotation";
    case CategoryKind::overhead: return "overhead";
    case CategoryKind::span: return "span";
    default: return "other";
  }
}

// Color slots of names: by total time for the first, else by a hash of the text, so that a name keeps its color from capture to capture.
std::vector<uint8_t> name_slots(const Trace& trace, const std::vector<SliceTotal>& names, const Progress& progress) {
  std::vector<uint8_t> slots(names.size());
  std::vector<uint32_t> order;
  for (uint32_t id = 0; id < names.size() && !is_cancelled_at(id, progress); ++id) {
    if (names[id].count == 0) continue;
    const std::string& text = trace.strings.at(id);
    slots[id] = static_cast<uint8_t>(1 + kRankedNameSlots + (hash_bytes(text.data(), text.size()) >> 32) % kHashedNameSlots);
    order.push_back(id);
  }
  const size_t ranked = std::min<size_t>(kRankedNameSlots, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(ranked), order.end(), [&](uint32_t a, uint32_t b) {
    return names[a].total_ns != names[b].total_ns ? names[a].total_ns > names[b].total_ns : a < b;
  });
  for (size_t rank = 0; rank < ranked; ++rank) slots[order[rank]] = static_cast<uint8_t>(rank + 1);
  return slots;
}

void write_strings(const IndexWrite& write, const Trace& trace, const NestedTrace& nested, const SliceTotals& totals) {
  std::vector<uint8_t> used(trace.strings.size());
  const auto mark = [&](uint32_t id) {
    if (id != kNone) used[id] = 1;
  };
  for (size_t i = 0; i < nested.instants.size() && !is_cancelled_at(i, write.progress); ++i) mark(nested.instants[i].name);
  for (size_t i = 0; i < nested.flows.size() && !is_cancelled_at(i, write.progress); ++i) mark(nested.flows[i].name);
  Insert insert(write, "INSERT INTO string VALUES (?,?)");
  for (uint32_t id = 0; id < used.size() && write.goes_on(); ++id) {
    if (used[id] || totals.names[id].count) insert.row(int64_t{id}, clean_text(trace.strings.at(id)));
  }
}

// Unix time in microseconds of the capture's start, where the file tells it.
std::optional<int64_t> unix_start_us(const Trace& trace, const NestedTrace& nested) {
  int64_t start;
  if (trace.has_base) {
    if (add_overflows(trace.base_ns, nested.start_ns, start)) return std::nullopt;
  } else {
    start = nested.start_ns;
    if (start < kFirstUnixNs || start > kLastUnixNs) return std::nullopt;
  }
  return start / 1000;
}

}  // namespace

void write_trace_names(const IndexWrite& write, const Trace& trace, const NestedTrace& nested, const SliceTotals& totals) {
  write_strings(write, trace, nested, totals);
  const std::vector<uint8_t> slots = name_slots(trace, totals.names, write.progress);
  Insert name(write, "INSERT INTO trace_name VALUES (?,?,?,?)");
  for (uint32_t id = 0; id < totals.names.size() && write.goes_on(); ++id) {
    const SliceTotal& total = totals.names[id];
    if (total.count) name.row(int64_t{id}, total.count, total.total_ns, int{slots[id]});
  }
  Insert category(write, "INSERT INTO trace_category VALUES (?,?,?,?,?,?)");
  for (uint32_t c = 0; c < trace.categories.size(); ++c) {
    const SliceTotal& total = totals.categories[c];
    std::optional<std::string> text;
    if (trace.categories[c] != kNone && c > 0) text = clean_text(trace.strings.at(trace.categories[c]));
    category.row(int64_t{c}, text, total.count, total.total_ns, int64_t{1 + c % kCategorySlots}, word_of(trace.category_kinds[c]));
  }
}

void write_checkpoints(const IndexWrite& write, const std::vector<InflateCheckpoint>& checkpoints) {
  Insert insert(write, "INSERT INTO source_checkpoint VALUES (?,?,?,?)");
  std::string packed;
  for (const InflateCheckpoint& at : checkpoints) {
    if (!write.goes_on()) return;
    packed.resize(compressBound(static_cast<uLong>(at.window.size())));
    auto length = static_cast<uLongf>(packed.size());
    const int result = compress2(reinterpret_cast<Bytef*>(packed.data()), &length, reinterpret_cast<const Bytef*>(at.window.data()),
                                 static_cast<uLong>(at.window.size()), Z_BEST_SPEED);
    if (result != Z_OK) write.failure = {"engine/out_of_memory", "Out of memory while a checkpoint was packed.", -1};
    insert.row(static_cast<int64_t>(at.offset), static_cast<int64_t>(at.packed_offset), int{at.bits},
               BlobView{std::string_view(packed.data(), length)});
  }
}

void write_trace_capture(const IndexWrite& write, const Trace& trace, const NestedTrace& nested, const SourceInfo& source) {
  Insert insert(write, "INSERT INTO capture VALUES ('chrome_trace',?,?,?,?,?,?,?,?,?)");
  insert.row(source.name, source.bytes, source.fingerprint, trace.format_detail, unix_start_us(trace, nested), nested.duration_ns,
             static_cast<int64_t>(trace.event_count), kSchemaVersion, source.tool_version);
  // As of a snapshot's unknown keys: plain values as they are, objects and lists as JSON text.
  Insert metadata(write, "INSERT OR REPLACE INTO metadata VALUES (?1, CASE WHEN json_valid(?2) THEN json_extract(?2,'$') ELSE ?2 END)");
  for (const auto& [key, value] : trace.metadata) {
    if (!write.goes_on()) return;
    metadata.row(clean_text(key), clean_text(value));
  }
}

}  // namespace tidemark
