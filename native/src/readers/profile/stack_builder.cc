#include "readers/profile/stack_builder.h"

#include <cmath>

#include "model/text.h"

namespace tidemark::readers::profile {
namespace {

constexpr double kMostValue = 1e30;  // sums of as many as any file has stay finite
constexpr double kExact = 9007199254740992.0;  // 2^53

uint64_t hash_pair(uint32_t a, uint32_t b) {
  const uint32_t pair[2] = {a, b};
  return hash_bytes(pair, sizeof pair, hash_seed());
}

}  // namespace

// The tree once frames are known: nodes of equal frames below equal parents are one.
struct StackBuilder::Merged {
  struct Node {
    uint32_t parent;
    uint32_t frame;
    uint32_t depth;
    uint32_t shallow;  // the node itself, or that above it at kLeastDepth
  };
  std::vector<Node> nodes{{0, kNone, 0, 0}};
  std::vector<uint32_t> of;  // by node of the builder
  IdSet known;
  uint64_t cut = 0;

  uint32_t child(uint32_t parent, uint32_t frame) {
    if (nodes[parent].depth == kMostDepth) {
      ++cut;
      return parent;
    }
    const uint64_t hash = hash_pair(parent, frame);
    const uint32_t found = known.find(hash, [&](uint32_t id) { return nodes[id].parent == parent && nodes[id].frame == frame; });
    if (found != IdSet::kEmpty) return found;
    const auto made = static_cast<uint32_t>(nodes.size());
    const bool is_shallow = nodes[parent].depth < kLeastDepth;
    nodes.push_back({parent, frame, nodes[parent].depth + 1, is_shallow ? made : nodes[parent].shallow});
    known.add(hash, made, [this](uint32_t id) { return hash_pair(nodes[id].parent, nodes[id].frame); });
    return made;
  }
};

StackBuilder::StackBuilder(Profile& out, Progress& progress) : out_(out), progress_(progress) { nodes_.push_back({kRoot, kNone}); }

uint64_t StackBuilder::hash_of(uint32_t node) const { return hash_pair(nodes_[node].parent, nodes_[node].frame); }

uint32_t StackBuilder::child(uint32_t node, uint32_t frame) {
  const uint64_t hash = hash_pair(node, frame);
  const uint32_t found = children_.find(hash, [&](uint32_t id) { return nodes_[id].parent == node && nodes_[id].frame == frame; });
  if (found != IdSet::kEmpty) return found;
  const uint32_t made = append(node);
  nodes_[made].frame = frame;
  children_.add(hash, made, [this](uint32_t id) { return hash_of(id); });
  return made;
}

uint32_t StackBuilder::append(uint32_t node) {
  nodes_.push_back({node, kNone});
  return static_cast<uint32_t>(nodes_.size() - 1);
}

uint32_t StackBuilder::add_type(std::string_view name, std::string_view unit) {
  if (out_.value_types.size() >= kMostTypes) {
    log_.count("profile/types_left_out", "warning", -1, "The file holds more than 256 profiles or sample types; the rest is left out.");
    return kNone;
  }
  out_.value_types.push_back({std::string(name), std::string(unit)});
  return static_cast<uint32_t>(out_.value_types.size() - 1);
}

void StackBuilder::add(uint32_t node, uint32_t type, double value) {
  if (type == kNone) return;
  if (!(std::abs(value) <= kMostValue)) {
    log_.count("profile/bad_value", "warning", -1, "Some values cannot be read as numbers; they are left out.");
    return;
  }
  values_.push_back({node, type, value});
}

uint32_t StackBuilder::text(std::string_view text) {
  if (text.size() > kLongestName) {
    log_.count("profile/name_cut", "info", -1, "Names of more than 64 KiB were cut.");
    text = text.substr(0, kLongestName);
  }
  const size_t before = out_.strings.size();
  const uint32_t id = out_.strings.intern(text);
  if (out_.strings.size() > before && !is_utf8(text))
    log_.count("profile/invalid_utf8", "info", -1, "Names that are not valid UTF-8 are shown with replacement characters.");
  return id;
}

void StackBuilder::finish(const FrameLists& frames) {
  Merged merged;
  merged.of.reserve(nodes_.size());
  merged.of.push_back(kRoot);
  uint32_t unknown = kNone;
  for (uint32_t node = 1; node < nodes_.size() && !is_cancelled_at(node, progress_); ++node) {
    uint32_t at = merged.of[nodes_[node].parent];
    const uint32_t list = nodes_[node].frame;
    if (list < frames.size()) {
      for (const uint32_t* frame = frames.begin(list); frame != frames.end(list); ++frame) at = merged.child(at, *frame);
    } else {
      if (unknown == kNone) unknown = out_.frames.intern(text("?"), text(""), 0);
      log_.count("profile/bad_reference", "warning", -1, "Stacks name frames that the file does not have; they are shown as \"?\".");
      at = merged.child(at, unknown);
    }
    merged.of.push_back(at);
  }
  if (!progress_.cancel) write_values(merged);
  out_.findings = log_.take();
}

void StackBuilder::write_values(const Merged& merged) {
  std::vector<uint32_t> stack_of(merged.nodes.size(), kNone);
  IdSet known;  // places in out_.values
  std::vector<uint32_t> frames;
  size_t total = 0;
  uint64_t cut = merged.cut;
  const auto hash_at = [&](uint32_t place) { return hash_pair(out_.values[place].stack, out_.values[place].type); };
  for (size_t i = 0; i < values_.size() && !is_cancelled_at(i, progress_); ++i) {
    const Value value = values_[i];
    uint32_t node = merged.of[value.node];
    if (stack_of[node] == kNone && total + merged.nodes[node].depth > kMostFrames && merged.nodes[node].depth > kLeastDepth) {
      node = merged.nodes[node].shallow;
      ++cut;
    }
    if (stack_of[node] == kNone) {
      frames.clear();
      for (uint32_t at = node; at != kRoot; at = merged.nodes[at].parent) frames.push_back(merged.nodes[at].frame);
      stack_of[node] = out_.stacks.intern(frames.data(), frames.size());
      total += frames.size();
    }
    const uint32_t stack = stack_of[node];
    const uint64_t hash = hash_pair(stack, value.type);
    const uint32_t place =
        known.find(hash, [&](uint32_t at) { return out_.values[at].stack == stack && out_.values[at].type == value.type; });
    if (place != IdSet::kEmpty) {
      out_.values[place].value += value.value;
      continue;
    }
    out_.values.push_back({stack, value.type, value.value});
    known.add(hash, static_cast<uint32_t>(out_.values.size() - 1), hash_at);
  }
  if (cut > 0)
    log_.add({"profile/stack_cut", "warning", cut, -1, "Stacks that are very deep are cut; what lies deeper counts at the last frame that is kept."});
  bool is_negative = false, is_rounded = false;
  for (const ProfileValue& value : out_.values) {
    is_negative = is_negative || value.value < 0;
    is_rounded = is_rounded || std::abs(value.value) > kExact;
  }
  if (is_negative) log_.count("profile/negative_values", "info", -1, "Some values are negative: the profile compares two others.");
  if (is_rounded) log_.count("profile/rounded", "info", -1, "Values beyond 2^53 are rounded.");
}

}  // namespace tidemark::readers::profile
