// The SQL face of flame graphs (native/README.md, Flame graphs).
#include "query/flame.h"
#include "query/flame_options.h"
#include "query/json.h"
#include "query/question.h"

namespace tidemark {
namespace {

constexpr int64_t kMostNodes = 100'000;

// The tree of the options' text for a device whose allocations are loaded; nullptr when the error is answered already.
std::shared_ptr<const CallTree> load_tree(const Question& q, const DeviceColumns& device, const std::string& text, const StackFrames*& frames) {
  CallTreeOptions options;
  Failure failure = read_call_tree_options(q.context.state().db(), text, options);
  std::shared_ptr<const CallTree> tree;
  if (!failure.failed()) frames = q.context.stack_frames(device, failure);
  if (!failure.failed()) tree = q.context.call_tree(*frames, text, options, failure);
  if (!tree) answer_error(q.sql, failure);
  return tree;
}

bool is_node(const CallTree& tree, int64_t node) { return node >= 0 && static_cast<uint64_t>(node) < tree.nodes.size(); }

void add_nodes(BatchWriter& batch, const StackFrames& frames, const CallTree& tree, const FlameSums& sums, const FlameSelection& selection) {
  const auto add = [&](const char* name, auto&& value_of) {
    std::vector<double> values;
    values.reserve(selection.nodes.size());
    for (const uint32_t node : selection.nodes) values.push_back(static_cast<double>(value_of(node)));
    batch.add_f64(name, values);
  };
  batch.add_f64("parent", as_numbers(selection.parent));
  add("node", [](uint32_t node) { return node; });
  add("frame", [&](uint32_t node) {
    const uint32_t frame = tree.nodes[node].frame;
    return frame < frames.frame_count() ? frames.frame_id(frame) : int64_t{-1};
  });
  add("depth", [&](uint32_t node) { return tree.nodes[node].depth; });
  add("total", [&](uint32_t node) { return sums.total[node].value; });
  add("self", [&](uint32_t node) { return sums.self[node].value; });
  add("base_total", [&](uint32_t node) { return sums.total[node].base; });
  add("base_self", [&](uint32_t node) { return sums.self[node].base; });
  add("count", [&](uint32_t node) { return sums.total[node].count; });
  add("bytes", [&](uint32_t node) { return sums.total[node].bytes; });
}

void answer_tree(const Question& q) {
  FlameQuestion question;
  FlameRequest request;
  question.measure = q.arguments.word<FlameMeasure>("measure", {{"alive", FlameMeasure::alive},
                                                                {"allocated", FlameMeasure::allocated},
                                                                {"growth", FlameMeasure::growth},
                                                                {"diff", FlameMeasure::diff},
                                                                {"area", FlameMeasure::area}});
  question.unit = q.arguments.word<FlameUnit>("unit", {{"bytes", FlameUnit::bytes}, {"count", FlameUnit::count}});
  question.from_event = q.arguments.integer("from_event");
  question.to_event = q.arguments.integer("to_event");
  const std::string options = q.arguments.text("options");
  const std::string filter = q.arguments.text("filter");
  request.order = q.arguments.word<FlameOrder>("order", {{"size", FlameOrder::size}, {"time", FlameOrder::time}});
  const int64_t root = q.arguments.integer("root");
  const int64_t limit = q.arguments.integer("limit");
  const Lifetimes* lifetimes = q.load(kAllocationsPart | (question.measure == FlameMeasure::area ? kTimesPart : 0u));
  if (!lifetimes) return;
  const DeviceColumns& device = *lifetimes->columns;
  Failure error = check_flame(device, question);
  if (!error.failed() && (limit < 1 || limit > kMostNodes)) error = bad_argument("limit must be 1 to 100000.");
  if (!error.failed()) error = q.read_filter(filter, device, question.filter);
  if (error.failed()) return answer_error(q.sql, error);
  const StackFrames* frames = nullptr;
  const auto tree = load_tree(q, device, options, frames);
  if (!tree) return;
  if (!is_node(*tree, root)) return answer_error(q.sql, bad_argument("root is no node of this tree."));

  request.root = static_cast<uint32_t>(root);
  request.limit = static_cast<size_t>(limit);
  std::vector<FlameWeight> weights;
  FlameSelection selection;
  FlameSums sums;
  error = weigh_stacks(*lifetimes, question, q.context.stop_signal(), weights);
  if (!error.failed()) {
    sums = add_up(*tree, weights);
    error = select_flame(*tree, sums, request, q.context.stop_signal(), selection);
  }
  if (error.failed()) return answer_error(q.sql, error);
  constexpr uint32_t kColumns = 11;
  BatchWriter batch(kColumns, (kColumns - 1) * sizeof(double) * selection.nodes.size() + 256);
  add_nodes(batch, *frames, *tree, sums, selection);
  JsonObject meta;
  meta.number("left_out", selection.left_out).number("hidden_frames", tree->hidden_frames);
  batch.add_json("meta", meta.take());
  answer_batch(q.sql, batch);
}

void answer_stacks(const Question& q) {
  const std::string options = q.arguments.text("options");
  const int64_t node = q.arguments.integer("node");
  const Lifetimes* lifetimes = q.load(kAllocationsPart);
  if (!lifetimes) return;
  const StackFrames* frames = nullptr;
  const auto tree = load_tree(q, *lifetimes->columns, options, frames);
  if (!tree) return;
  if (!is_node(*tree, node)) return answer_error(q.sql, bad_argument("node is no node of this tree."));
  answer_text(q.sql, json_array(stacks_below(*tree, static_cast<uint32_t>(node)), [](int64_t id) { return std::to_string(id); }));
}

}  // namespace

QueryFunctions flame_functions() {
  return {
      {"flame_tree", 10, run<answer_tree>},
      {"flame_stacks", 3, run<answer_stacks>},
  };
}

}  // namespace tidemark
