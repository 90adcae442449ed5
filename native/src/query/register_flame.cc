// The SQL face of flame graphs (native/README.md, Flame graphs).
#include <algorithm>

#include "model/json_number.h"
#include "query/flame.h"
#include "query/flame_options.h"
#include "query/json.h"
#include "query/question.h"

namespace tidemark {
namespace {

constexpr int64_t kMostNodes = 100'000;

// The tree of the options' text, of a device whose allocations are loaded, or nullptr: of a profile; nullptr when the error is answered already.
std::shared_ptr<const CallTree> load_tree(const Question& q, const DeviceColumns* device, const std::string& text, const StackFrames*& frames) {
  CallTreeOptions options;
  Failure failure = read_call_tree_options(q.context.state().db(), text, options);
  std::shared_ptr<const CallTree> tree;
  if (!failure.failed()) frames = device ? q.context.stack_frames(*device, failure) : q.context.profile_frames(failure);
  if (!failure.failed()) tree = q.context.call_tree(*frames, text, options, failure);
  if (!tree) answer_error(q.sql, failure);
  return tree;
}

bool is_node(const CallTree& tree, int64_t node) { return node >= 0 && static_cast<uint64_t>(node) < tree.nodes.size(); }

void add_nodes(BatchWriter& batch, const StackFrames& frames, const CallTree& tree, const FlameSums& sums, const std::vector<uint32_t>& lines,
               const FlameSelection& selection) {
  const auto add = [&](const char* name, auto&& value_of) {
    std::vector<double> values;
    values.reserve(selection.nodes.size());
    for (const uint32_t node : selection.nodes) values.push_back(static_cast<double>(value_of(node)));
    batch.add_f64(name, values);
  };
  batch.add_f64("parent", as_numbers(selection.parent));
  add("node", [](uint32_t node) { return node; });
  const auto frame_id = [&](uint32_t node) {
    const uint32_t frame = tree.nodes[node].frame;
    return frame < frames.frame_count() ? frames.frame_id(frame) : int64_t{-1};
  };
  add("frame", frame_id);
  add("line_frame", [&](uint32_t node) {
    return lines[node] == kSeveralLines ? int64_t{-1} : frames.frame_id(lines[node]);
  });
  add("bare", [&](uint32_t node) { return bare_slot(tree.nodes[node]); });
  add("depth", [&](uint32_t node) { return tree.nodes[node].depth; });
  add("total", [&](uint32_t node) { return sums.total[node].value; });
  add("self", [&](uint32_t node) { return sums.self[node].value; });
  add("base_total", [&](uint32_t node) { return sums.total[node].base; });
  add("base_self", [&](uint32_t node) { return sums.self[node].base; });
  add("count", [&](uint32_t node) { return sums.total[node].count; });
  add("bytes", [&](uint32_t node) { return sums.total[node].bytes; });
}

// The category that holds the most of a node's bytes, and how many of them.
void add_categories(BatchWriter& batch, const std::vector<CategoryBytes>& categories, const FlameSelection& selection) {
  std::vector<double> slots, bytes;
  for (const uint32_t node : selection.nodes) {
    const auto most = std::max_element(categories[node].begin(), categories[node].end());
    slots.push_back(*most > 0 ? static_cast<double>(most - categories[node].begin() + 1) : 0);
    bytes.push_back(*most);
  }
  batch.add_f64("category", slots);
  batch.add_f64("category_bytes", bytes);
}

// What the functions about weights ask first.
struct WeighedTree {
  FlameQuestion question;
  std::string options, filter;
  const Lifetimes* lifetimes = nullptr;
  const StackFrames* frames = nullptr;
  std::shared_ptr<const CallTree> tree;
  FlameSums sums;
  std::vector<CategoryBytes> categories;  // by node, where the question has them
  std::vector<uint32_t> lines;            // likewise
  uint32_t root = 0;
};

// The arguments measure, unit, from_event, to_event, options, filter.
void read_question(SqlArguments& arguments, WeighedTree& out) {
  out.question.measure = arguments.word<FlameMeasure>("measure", {{"alive", FlameMeasure::alive},
                                                                  {"allocated", FlameMeasure::allocated},
                                                                  {"growth", FlameMeasure::growth},
                                                                  {"diff", FlameMeasure::diff},
                                                                  {"area", FlameMeasure::area},
                                                                  {"profile", FlameMeasure::profile}});
  out.question.unit = arguments.word<FlameUnit>("unit", {{"bytes", FlameUnit::bytes}, {"count", FlameUnit::count}});
  out.question.from_event = arguments.integer("from_event");
  out.question.to_event = arguments.integer("to_event");
  out.options = arguments.text("options");
  out.filter = arguments.text("filter");
}

// The parts of the device that the measure reads, and whether the question fits them. False when the error is answered already.
bool load_device(const Question& q, bool with_categories, WeighedTree& out) {
  out.lifetimes = q.load(kAllocationsPart | (out.question.measure == FlameMeasure::area ? kTimesPart : 0u));
  if (!out.lifetimes) return false;
  const DeviceColumns& device = *out.lifetimes->columns;
  Failure error = check_flame(device, out.question);
  if (!error.failed()) error = q.read_filter(out.filter, device, out.question.filter);
  if (!error.failed() && with_categories) error = q.read_colors(ColorBy::category, device, out.question.categories);
  if (error.failed()) answer_error(q.sql, error);
  return !error.failed();
}

// A profile has no device, and nothing that a filter could tell apart.
bool check_profile(const Question& q, const WeighedTree& of) {
  Failure error = q.arguments.error();
  if (!error.failed() && !of.filter.empty()) error = bad_argument("A profile takes no filter.");
  if (error.failed()) answer_error(q.sql, error);
  return !error.failed();
}

// Weighs the tree once all arguments were read; false when the error is answered already.
bool weigh(const Question& q, int64_t root, bool with_categories, WeighedTree& out) {
  const bool is_profile = out.question.measure == FlameMeasure::profile;
  if (!(is_profile ? check_profile(q, out) : load_device(q, with_categories, out))) return false;
  out.tree = load_tree(q, is_profile ? nullptr : out.lifetimes->columns, out.options, out.frames);
  if (!out.tree) return false;
  if (out.question.categories) out.question.frames = out.frames;
  Failure error;
  std::vector<FlameWeight> weights;
  std::vector<CategoryBytes> categories;
  if (!is_node(*out.tree, root)) {
    error = bad_argument("root is no node of this tree.");
  } else if (is_profile) {
    error = weigh_profile(q.context.state().db(), out.question.from_event, out.frames->stack_count(), q.context.stop_signal(), weights);
  } else {
    error = weigh_stacks(*out.lifetimes, out.question, q.context.stop_signal(), weights, categories);
  }
  if (error.failed()) {
    answer_error(q.sql, error);
    return false;
  }
  out.root = static_cast<uint32_t>(root);
  out.sums = add_up(*out.tree, weights);
  if (with_categories) out.lines = lines_of(*out.tree, *out.frames, weights);
  if (out.question.categories) out.categories = add_up(*out.tree, categories);
  else if (with_categories) out.categories.resize(out.tree->nodes.size());  // a profile has none
  return true;
}

void answer_tree(const Question& q) {
  WeighedTree of;
  FlameRequest request;
  read_question(q.arguments, of);
  request.order = q.arguments.word<FlameOrder>("order", {{"size", FlameOrder::size}, {"time", FlameOrder::time}});
  const int64_t root = q.arguments.integer("root");
  const int64_t limit = q.arguments.integer("limit");
  if (!weigh(q, root, true, of)) return;
  if (limit < 1 || limit > kMostNodes) return answer_error(q.sql, bad_argument("limit must be 1 to 100000."));
  request.root = of.root;
  request.limit = static_cast<size_t>(limit);
  FlameSelection selection;
  const Failure error = select_flame(*of.tree, of.sums, request, q.context.stop_signal(), selection);
  if (error.failed()) return answer_error(q.sql, error);
  constexpr uint32_t kColumns = 15;
  BatchWriter batch(kColumns, (kColumns - 1) * sizeof(double) * selection.nodes.size() + 512);
  add_nodes(batch, *of.frames, *of.tree, of.sums, of.lines, selection);
  add_categories(batch, of.categories, selection);
  JsonObject meta;
  meta.number("left_out", selection.left_out).number("hidden_frames", of.tree->hidden_frames);
  meta.json("categories", json_array(of.categories[of.root], [](double bytes) { return json_number(bytes); }));
  batch.add_json("meta", meta.take());
  answer_batch(q.sql, batch);
}

void answer_match(const Question& q) {
  constexpr size_t kMostFrames = 1000;
  WeighedTree of;
  read_question(q.arguments, of);
  const int64_t root = q.arguments.integer("root");
  const std::string text = q.arguments.text("text");
  if (!weigh(q, root, false, of)) return;
  const std::vector<uint8_t> matches = of.frames->holding({text}, true);
  FlameMatch match = match_flame(*of.tree, of.sums, of.root, matches);
  JsonObject answer;
  answer.json("total", json_number(match.total.value)).json("base_total", json_number(match.total.base));
  answer.json("count", json_number(match.total.count)).json("bytes", json_number(match.total.bytes));
  answer.number("nodes", match.nodes).number("frame_count", match.frames.size());
  if (match.frames.size() > kMostFrames) match.frames.resize(kMostFrames);
  answer.json("frames", json_array(match.frames, [&](uint32_t frame) { return std::to_string(of.frames->frame_id(frame)); }));
  answer_text(q.sql, answer.take());
}

void answer_stacks(const Question& q) {
  const std::string options = q.arguments.text("options");
  const int64_t node = q.arguments.integer("node");
  const Lifetimes* lifetimes = q.load(kAllocationsPart);
  if (!lifetimes) return;
  const StackFrames* frames = nullptr;
  const auto tree = load_tree(q, lifetimes->columns, options, frames);
  if (!tree) return;
  if (!is_node(*tree, node)) return answer_error(q.sql, bad_argument("node is no node of this tree."));
  JsonObject answer;
  answer.json("stacks", json_array(stacks_below(*tree, static_cast<uint32_t>(node)), [](int64_t id) { return std::to_string(id); }));
  const uint32_t slot = bare_slot(tree->nodes[static_cast<size_t>(node)]);
  if (slot > 0) answer.json("categories", "[\"" + std::string(kCategoryNames[slot - 1]) + "\"]");
  answer_text(q.sql, answer.take());
}

}  // namespace

QueryFunctions flame_functions() {
  return {
      {"flame_tree", 10, run<answer_tree>},
      {"flame_match", 9, run<answer_match>},
      {"flame_stacks", 3, run<answer_stacks>},
  };
}

}  // namespace tidemark
