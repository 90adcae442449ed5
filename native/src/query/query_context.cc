#include "query/query_context.h"

#include <climits>

#include "query/question.h"
#include "store/sql.h"

namespace tidemark {
const Lifetimes* QueryContext::device(int64_t device, unsigned wanted, std::string& error) {
  if (device < INT32_MIN || device > INT32_MAX) {
    error = error_text("query/bad_argument", "device is out of range.");
    return nullptr;
  }
  const int32_t key = static_cast<int32_t>(device);
  const DeviceColumns* columns = state_->device_columns(key, wanted, error);
  if (!columns) return nullptr;
  Derived& derived = derived_[key];
  if (derived.generation != state_->generation()) derived = {};
  derived.generation = state_->generation();
  if (derived.lifetimes.columns == columns && derived.parts == columns->parts) return &derived.lifetimes;
  const Failure problem = derive_lifetimes(*columns, derived.lifetimes);
  if (problem.failed()) {
    derived_.erase(key);
    error = error_text(problem.code, problem.message);
    return nullptr;
  }
  derived.parts = columns->parts;
  return &derived.lifetimes;
}

const CurveIntegrals* QueryContext::integrals(const Lifetimes& lifetimes) {
  Derived& derived = derived_[lifetimes.columns->device];
  if (!derived.has_integrals) {
    if (integrate_curves(*lifetimes.columns, stop_signal(), derived.integrals).failed()) return nullptr;
    derived.has_integrals = true;
  }
  return &derived.integrals;
}

const SliceTree* QueryContext::slice_tree(Failure& failure) {
  TraceState& state = trace();
  if (state.slices) return state.slices.get();
  auto tree = std::make_unique<SliceTree>();
  failure = load_slice_tree(state_->db(), stop_signal(), *tree);
  if (!failure.failed()) state.slices = std::move(tree);
  return state.slices.get();
}

LifetimeSpace& QueryContext::lifetime_space(const Lifetimes& lifetimes) {
  auto& space = derived_[lifetimes.columns->device].lifetime_space;
  if (!space) space = std::make_unique<LifetimeSpace>(lifetimes);
  return *space;
}

std::shared_ptr<const BlockLayout> QueryContext::layout(int64_t device, int64_t event, unsigned further_parts,
                                                        std::string& error) {
  const Lifetimes* lifetimes = this->device(device, kAllocationsPart | kBlocksPart | further_parts, error);
  if (!lifetimes) return nullptr;
  const DeviceColumns& columns = *lifetimes->columns;
  Failure problem = columns.is_of_trace ? bad_argument("A trace does not say where memory lies: it has no segments and blocks.")
                                        : check_event(columns, event);
  std::shared_ptr<const BlockLayout> layout;
  if (!problem.failed()) layout = blocks_.layout(columns, state_->generation(), event, stop_signal(), problem);
  if (!layout) error = error_text(problem.code, problem.message);
  return layout;
}

const StackFrames* QueryContext::stack_frames(const DeviceColumns& device, Failure& failure) {
  return flames_.frames(state_->db(), state_->generation(), device.stack_slot.size(), stop_signal(), failure);
}

const StackFrames* QueryContext::profile_frames(Failure& failure) {
  Statement count(state_->db(), "SELECT count(*) FROM stack_depth");
  const int result = count.step();
  failure = read_failure(result, "the stacks");
  if (failure.failed()) return nullptr;
  return flames_.frames(state_->db(), state_->generation(), static_cast<size_t>(count.integer(0)), stop_signal(), failure);
}

std::shared_ptr<const Categories> QueryContext::shared_categories(const DeviceColumns& columns, Failure& failure) {
  std::shared_ptr<const Categories>& kept = derived_[columns.device].categories;
  if (kept) return kept;
  std::string error;
  // The parts are added to the same columns.
  if (!state_->device_columns(columns.device, category_parts(columns), error)) {
    const Failure damaged{"index/not_an_index", "The columns that categories are made of could not be read."};
    failure = is_interrupted(state_->db()) ? query_cancelled() : damaged;
    return nullptr;
  }
  const StackFrames* frames = stack_frames(columns, failure);
  if (!frames) return nullptr;
  auto categories = std::make_shared<Categories>();
  failure = classify(state_->db(), columns, *frames, category_rules_, stop_signal(), *categories);
  if (!failure.failed()) kept = std::move(categories);
  return kept;
}

void QueryContext::set_category_rules(std::shared_ptr<const CategoryRules> rules) {
  category_rules_ = std::move(rules);
  for (auto& [device, derived] : derived_) derived.categories = nullptr;
}

std::shared_ptr<const CallTree> QueryContext::call_tree(const StackFrames& frames, const std::string& key, const CallTreeOptions& options,
                                                        Failure& failure) {
  return flames_.tree(frames, key, options, stop_signal(), failure);
}

TraceState& QueryContext::trace() {
  if (!trace_ || trace_generation_ != state_->generation()) trace_ = std::make_unique<TraceState>(state_->db());
  trace_generation_ = state_->generation();
  return *trace_;
}

StopSignal QueryContext::stop_signal() const {
  return {[](void* db) { return is_interrupted(static_cast<sqlite3*>(db)); }, state_->db()};
}

}  // namespace tidemark
