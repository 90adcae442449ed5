#include "query/block_answers.h"

#include <algorithm>

#include "query/json.h"

namespace tidemark {
namespace {

std::string stream_text(int32_t stream, RelationNames& names) {
  const auto handle = names.stream(stream);
  return handle ? std::to_string(*handle) : std::string();
}

std::string pool_text(int32_t pool, RelationNames& names) {
  const std::string* name = names.pool(pool);
  return name ? *name : std::string();
}

const char* type_word(bool is_small) { return is_small ? "small" : "large"; }

size_t allocation_of(const BlockLayout& layout, const ActiveBlock& block) { return layout.history->index[block.place]; }

int64_t id_of(const BlockLayout& layout, const ActiveBlock& block) {
  return layout.columns().first_allocation_id + static_cast<int64_t>(allocation_of(layout, block));
}

// When the block was made; null = before the first event.
std::string since_json(const BlockLayout& layout, const ActiveBlock& block) {
  const int32_t made = layout.columns().alloc_event[allocation_of(layout, block)];
  return made < 0 ? "null" : std::to_string(made);
}

std::string stack_json(const BlockLayout& layout, const ActiveBlock& block) {
  return std::to_string(layout.columns().stack.at(allocation_of(layout, block)));
}

void add_totals(JsonObject& out, uint64_t segments, uint64_t expandable_segments, const SpaceTotals& totals) {
  out.number("segments", segments)
      .number("expandable_segments", expandable_segments)
      .number("reserved_bytes", totals.reserved)
      .number("allocated_bytes", totals.allocated)
      .number("active_bytes", totals.active)
      .number("requested_bytes", totals.requested)
      .number("free_bytes", totals.free)
      .number("block_count", totals.blocks)
      .number("free_block_count", totals.free_blocks)
      .number("largest_free_bytes", totals.largest_free)
      .number("inactive_split_bytes", totals.inactive_split)
      .number("returnable_bytes", totals.returnable);
}

std::string group_json(const SpaceGroup& group, RelationNames& names) {
  JsonObject out;
  out.text("pool", pool_text(group.pool, names)).text("stream", stream_text(group.stream, names));
  out.text("segment_type", type_word(group.is_small));
  add_totals(out, group.segments, group.expandable_segments, group.totals);
  return out.take();
}

std::string bin_json(const SizeBin& bin) {
  JsonObject out;
  out.number("from_bytes", bin.from_bytes).number("to_bytes", bin.to_bytes);
  return out.number("count", bin.count).number("bytes", bin.bytes).take();
}

std::string holder_json(const BlockLayout& layout, const ActiveBlock& block) {
  JsonObject out;
  out.json("allocation_id", std::to_string(id_of(layout, block))).address("address", block.address);
  out.number("size_bytes", block.size).json("stack_id", stack_json(layout, block));
  return out.json("since_event", since_json(layout, block)).take();
}

std::string pin_json(const BlockLayout& layout, const PinnedSegment& pin) {
  const LayoutSegment& segment = layout.segments[pin.segment];
  JsonObject out;
  out.address("segment_address", segment.address)
      .number("total_bytes", segment.totals.reserved)
      .number("free_bytes", segment.totals.free)
      .number("largest_free_bytes", segment.totals.largest_free)
      .number("active_count", segment.block_end - segment.first_block)
      .number("active_bytes", segment.totals.active);
  const auto holder = [&](uint32_t block) { return holder_json(layout, layout.blocks[block]); };
  return out.json("holders", json_array(pin.holders, holder)).take();
}

std::string tally_json(const FreeTally& tally) {
  JsonObject out;
  out.number("count", tally.count).number("bytes", tally.bytes).number("largest_bytes", tally.largest_bytes);
  if (tally.count > 0) out.address("largest_address", tally.largest_address);
  else out.json("largest_address", "null");
  return out.number("fitting_count", tally.fitting_count).take();
}

std::string chosen_json(const FitAnswer& answer) {
  if (!answer.fits) return "null";
  JsonObject out;
  out.address("address", answer.address).number("size_bytes", answer.size);
  return out.address("segment_address", answer.segment_address).number("rest_bytes", answer.rest_bytes).take();
}

}  // namespace

const char* state_word(const SpaceBlock& block) { return kStateWords[static_cast<int>(block.state())]; }

std::string to_json(const BlockLayout& layout, const BlockAt& at) {
  JsonObject out;
  out.address("segment_address", at.segment->address)
      .number("segment_offset", at.block.address - at.segment->address)
      .number("segment_bytes", at.segment->totals.reserved)
      .address("address", at.block.address)
      .number("size_bytes", at.block.size)
      .number("requested_bytes", requested_bytes(layout, at.block))
      .text("state", state_word(at.block));
  const ActiveBlock* active = at.block.active;
  out.json("allocation_id", active ? std::to_string(id_of(layout, *active)) : "null");
  out.json("stack_id", active ? stack_json(layout, *active) : "-1");
  return out.json("since_event", active ? since_json(layout, *active) : "null").take();
}

std::string to_json(const BlockLayout& layout, const SpaceReport& report, RelationNames& names) {
  uint64_t expandable_segments = 0;
  for (const SpaceGroup& group : report.groups) expandable_segments += group.expandable_segments;
  JsonObject totals;
  add_totals(totals, layout.segments.size(), expandable_segments, layout.totals);
  JsonObject out;
  out.json("totals", totals.take())
      .json("groups", json_array(report.groups, [&](const SpaceGroup& group) { return group_json(group, names); }))
      .json("free_sizes", json_array(report.free_sizes, bin_json))
      .json("request_sizes", json_array(report.request_sizes, bin_json))
      .json("pins", json_array(report.pins, [&](const PinnedSegment& pin) { return pin_json(layout, pin); }));
  return out.take();
}

std::string to_json(const BlockLayout& layout, const FitRequest& request, const FitAnswer& answer, int64_t device_free,
                    RelationNames& names) {
  JsonObject out;
  out.number("requested", request.bytes)
      .number("rounded", answer.rounded)
      .number("segment_bytes", answer.segment_bytes)
      .text("stream", stream_text(request.stream, names))
      .text("pool", pool_text(request.pool, names))
      .text("segment_type", type_word(answer.is_small))
      .json("fits", answer.fits ? "true" : "false")
      .json("block", chosen_json(answer))
      .number("fitting_count", answer.free.fitting_count)
      .json("free", tally_json(answer.free))
      .json("oversize", tally_json(answer.oversize))
      .json("other_streams", tally_json(answer.other_streams))
      .json("other_pools", tally_json(answer.other_pools))
      .json("other_class", tally_json(answer.other_class))
      .json("pending", tally_json(answer.pending))
      .number("returnable_bytes", layout.totals.returnable)
      .number("reserved_bytes", layout.totals.reserved)
      .json("device_free_bytes", device_free < 0 ? "null" : std::to_string(device_free));
  return out.take();
}

}  // namespace tidemark
