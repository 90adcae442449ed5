#include "replay/trace_stacks.h"

#include <algorithm>
#include <string_view>

namespace tidemark {
namespace {

constexpr std::string_view kStep = "ProfilerStep#";

// Ops that only get memory: what it is for, their parent says.
constexpr std::string_view kMakers[] = {
    "aten::empty",       "aten::empty_strided",   "aten::empty_like",      "aten::empty_permuted",
    "aten::new_empty",   "aten::resize_",         "aten::resize_as_",      "aten::new_empty_strided",
    "aten::empty_quantized", "aten::_resize_output_", "aten::_empty_affine_quantized",
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_digits(std::string_view text) { return !text.empty() && std::all_of(text.begin(), text.end(), is_digit); }

struct PythonFrame {
  std::string_view file;
  int64_t line = 0;
  std::string_view name;
};

// "file(line): name", as Kineto names Python frames; false for other names, such as those of built-in functions.
bool parse_python_frame(std::string_view text, PythonFrame& out) {
  constexpr size_t kMostDigits = 9;
  for (size_t at = text.find("): "); at != std::string_view::npos; at = text.find("): ", at + 1)) {
    size_t first = at;
    while (first > 0 && at - first < kMostDigits && is_digit(text[first - 1])) --first;
    if (first == at || first < 2 || text[first - 1] != '(') continue;
    out = {text.substr(0, first - 1), std::stoll(std::string(text.substr(first, at - first))), text.substr(at + 3)};
    return true;
  }
  return false;
}

uint64_t hash_node(uint32_t parent, uint32_t frame) {
  const uint32_t key[2] = {parent, frame};
  return hash_bytes(key, sizeof key, hash_seed());
}

}  // namespace

bool is_step_name(const std::string& name) {
  return name.compare(0, kStep.size(), kStep) == 0 && is_digits(std::string_view(name).substr(kStep.size()));
}

TraceStacks::TraceStacks(const Trace& trace, const NestedTrace& nested, Snapshot& names)
    : trace_(trace), nested_(nested), names_(names) {
  node_of_slice_.resize(nested.slices.size(), kUnset);
  nodes_.emplace_back();
  nodes_[0].stack = kNone;
  frames_.resize(trace.strings.size());
  name_kinds_.resize(trace.strings.size(), kUnknownName);
}

TraceStacks::Place TraceStacks::at(int64_t slice) {
  if (slice == kNoSlice) return {};
  const uint32_t node = node_of(slice);
  return {stack_of(node), nodes_[node].op};
}

uint32_t TraceStacks::node_of(int64_t slice) {
  chain_.clear();
  for (; slice != kNoSlice && node_of_slice_[static_cast<size_t>(slice)] == kUnset; slice = nested_.slices[chain_.back()].parent) {
    chain_.push_back(static_cast<uint64_t>(slice));
  }
  uint32_t node = slice == kNoSlice ? 0 : node_of_slice_[static_cast<size_t>(slice)];
  for (size_t i = chain_.size(); i-- > 0;) {
    node = child(node, nested_.slices[chain_[i]]);
    node_of_slice_[chain_[i]] = node;
  }
  return node;
}

// Steps are no frames: code would have another stack in each of them. They are annotations.
uint32_t TraceStacks::child(uint32_t parent, const NestedSlice& slice) {
  const NameKind kind = kind_of(slice.name);
  if (kind == kStepName) return parent;
  const uint32_t frame = frame_of(slice);
  const uint64_t hash = hash_node(parent, frame);
  const uint32_t known = node_ids_.find(hash, [&](uint32_t id) { return nodes_[id].parent == parent && nodes_[id].frame == frame; });
  if (known != IdSet::kEmpty) return known;
  Node node;
  node.parent = parent;
  node.frame = frame;
  node.op = nodes_[parent].op;
  node.op_says_something = nodes_[parent].op_says_something;
  const bool is_op = trace_.category_kinds[slice.category] == CategoryKind::cpu_op;
  if (is_op && !(kind == kMakerName && node.op_says_something)) {
    node.op = slice.name;
    node.op_says_something = kind != kMakerName;
  }
  const auto id = static_cast<uint32_t>(nodes_.size());
  nodes_.push_back(node);
  node_ids_.add(hash, id, [this](uint32_t old) { return hash_node(nodes_[old].parent, nodes_[old].frame); });
  return id;
}

TraceStacks::NameKind TraceStacks::kind_of(uint32_t name) {
  if (name == kNone) return kPlainName;
  NameKind& kind = name_kinds_[name];
  if (kind != kUnknownName) return kind;
  const std::string& text = trace_.strings.at(name);
  const bool is_maker = std::find(std::begin(kMakers), std::end(kMakers), text) != std::end(kMakers);
  return kind = is_step_name(text) ? kStepName : is_maker ? kMakerName : kPlainName;
}

uint32_t TraceStacks::frame_of(const NestedSlice& slice) {
  static const std::string kNoName;
  if (slice.name != kNone) {
    const NameFrame& known = frames_[slice.name];
    if (known.frame != kNone && known.category == slice.category) return known.frame;
  }
  const std::string& name = slice.name == kNone ? kNoName : trace_.strings.at(slice.name);
  PythonFrame python;
  const bool is_python = trace_.category_kinds[slice.category] == CategoryKind::python_function && parse_python_frame(name, python);
  const uint32_t category = trace_.categories[slice.category];
  const std::string_view file = is_python ? python.file : category == kNone ? std::string_view() : trace_.strings.at(category);
  const uint32_t frame = names_.frames.intern(names_.strings.intern(is_python ? python.name : std::string_view(name)),
                                              names_.strings.intern(file), python.line);
  if (slice.name != kNone) frames_[slice.name] = {frame, slice.category};
  return frame;
}

uint32_t TraceStacks::stack_of(uint32_t node) {
  if (nodes_[node].stack != kUnset) return nodes_[node].stack;
  const size_t most = frame_count_ < kMostFramesOfAll ? kMostFrames : kFewFrames;
  frames_of_stack_.clear();
  uint32_t at = node;
  for (; at != 0 && frames_of_stack_.size() < most; at = nodes_[at].parent) frames_of_stack_.push_back(nodes_[at].frame);
  if (at != 0 && most == kFewFrames) ++cut_count_;
  frame_count_ += frames_of_stack_.size();
  return nodes_[node].stack = names_.stacks.intern(frames_of_stack_.data(), frames_of_stack_.size());
}

}  // namespace tidemark
