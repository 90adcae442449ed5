#include <algorithm>
#include <map>

#include "store/index_writer.h"
#include "store/pack_column.h"

namespace tidemark {
namespace {

struct BlockRow {
  const Segment* segment;
  const Block* block;
};

void write_segment_rows(const IndexWrite& write, const Snapshot& snapshot, const std::vector<const Segment*>& segments) {
  Insert insert(write, "INSERT INTO segment VALUES (?,?,?,?,?,?,?,?,?,?,?,?)");
  for (const Segment* s : segments) {
    if (!write.goes_on()) return;
    int64_t allocated = 0, active = 0, requested = 0;
    for (const Block& b : s->blocks) {
      if (b.state == BlockState::inactive) continue;
      active += static_cast<int64_t>(b.size);
      requested += static_cast<int64_t>(b.requested_size);
      if (b.state == BlockState::active_allocated) allocated += static_cast<int64_t>(b.size);
    }
    std::optional<int64_t> stack;
    if (s->stack != kNone) stack = s->stack;
    const std::string pool = s->pool == kNone ? "(0,0)" : pool_name(snapshot.pools[s->pool]);
    insert.row(s->device, hex_address(s->address), static_cast<int64_t>(s->total_size), allocated, active, requested,
               static_cast<int64_t>(s->stream), s->is_large ? "large" : "small", pool, int{s->is_expandable},
               static_cast<int64_t>(s->blocks.size()), stack);
  }
}

void write_blocks(PieceWriter& writer, const Snapshot& snapshot, int32_t device, const std::vector<const Segment*>& segments,
                  const Progress& progress) {
  std::vector<BlockRow> rows;
  for (const Segment* segment : segments) {
    for (const Block& block : segment->blocks) rows.push_back({segment, &block});
  }
  std::map<uint64_t, int64_t> streams;
  for (size_t i = 0; i < snapshot.streams.size(); ++i) streams.emplace(snapshot.streams[i], static_cast<int64_t>(i));
  const auto write = [&](const char* name, auto value) {
    pack_column(rows.size(), progress, [&](size_t i) { return static_cast<int64_t>(value(rows[i])); },
                [&](int64_t piece, PieceBytes data) { writer.write({"block", device, name, piece, std::move(data)}); });
  };
  write("address", [](const BlockRow& r) { return r.block->address; });
  write("size", [](const BlockRow& r) { return r.block->size; });
  write("requested", [](const BlockRow& r) {
    return r.block->state == BlockState::inactive ? uint64_t{0} : r.block->requested_size;
  });
  write("state", [](const BlockRow& r) { return static_cast<int>(r.block->state); });
  write("stack", [](const BlockRow& r) { return stored_id(r.block->stack); });
  write("stream", [&](const BlockRow& r) {
    const auto at = streams.find(r.segment->stream);
    return at == streams.end() ? int64_t{-1} : at->second;
  });
  write("pool", [](const BlockRow& r) { return r.segment->pool == kNone ? int64_t{0} : int64_t{r.segment->pool}; });
  write("segment_type", [](const BlockRow& r) { return int{r.segment->is_large}; });
  write("is_expandable", [](const BlockRow& r) { return int{r.segment->is_expandable}; });
  write("segment_address", [](const BlockRow& r) { return r.segment->address; });
}

}  // namespace

void write_segments(const IndexWrite& write, PieceWriter& writer, const Snapshot& snapshot) {
  std::map<int32_t, std::vector<const Segment*>> by_device;
  for (const Segment& segment : snapshot.segments) by_device[segment.device].push_back(&segment);
  for (auto& [device, segments] : by_device) {
    std::stable_sort(segments.begin(), segments.end(),
                     [](const Segment* a, const Segment* b) { return a->address < b->address; });
    write_segment_rows(write, snapshot, segments);
    write_blocks(writer, snapshot, device, segments, write.progress);
  }
}

}  // namespace tidemark
