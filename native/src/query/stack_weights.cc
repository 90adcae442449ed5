#include "query/stack_weights.h"

#include <algorithm>

#include "query/stoppable.h"

namespace tidemark {
namespace {

class StackScale {
 public:
  StackScale(const Lifetimes& lifetimes, const FlameQuestion& question, const StopSignal& stop)
      : lifetimes_(lifetimes), device_(*lifetimes.columns), question_(question), stop_(stop), passes_all_(question.filter.passes_all()) {
    weights_.resize(device_.stack_slot.size() + 1 + kCategoryCount);
    if (question.categories) categories_.resize(weights_.size());
  }

  Failure weigh() {
    switch (question_.measure) {
      case FlameMeasure::alive: add_alive(question_.from_event); break;
      case FlameMeasure::allocated: add_made(); break;
      case FlameMeasure::growth:
      case FlameMeasure::diff: compare(); break;
      case FlameMeasure::area: add_areas(); break;
      case FlameMeasure::profile: break;  // weigh_profile() reads those
    }
    return stopped_ ? query_cancelled() : Failure{};
  }

  std::vector<FlameWeight> take() { return std::move(weights_); }
  std::vector<CategoryBytes> take_categories() { return std::move(categories_); }

 private:
  bool may_go_on() {
    if (++looked_ % kItemsPerLook == 0 && stop_()) stopped_ = true;
    return !stopped_;
  }
  bool passes(size_t allocation) const { return passes_all_ || question_.filter.passes(device_, allocation); }

  size_t item_of(size_t allocation) const {
    const size_t stacks = device_.stack_slot.size();
    const auto stack = static_cast<uint64_t>(device_.stack.at(allocation));  // −1 is beyond every stack
    if (question_.frames && !(stack < stacks && question_.frames->has_frames(stack))) return stacks + question_.categories[allocation];
    return stack < stacks ? stack + 1 : 0;
  }

  void add(size_t allocation, double times) {
    const size_t place = item_of(allocation);
    FlameWeight& weight = weights_[place];
    const auto bytes = static_cast<double>(device_.size[allocation]);
    weight.value += (question_.unit == FlameUnit::bytes ? bytes : 1.0) * times;
    weight.count += 1;
    weight.bytes += bytes;
    weight.first = std::min(weight.first, static_cast<double>(allocation));
    if (question_.categories) categories_[place][question_.categories[allocation] - 1] += bytes;
  }

  void add_alive(int64_t event) {
    visit_outliving(lifetimes_, event, allocations_until(device_, event), [&](size_t allocation) {
      if (passes(allocation) && !device_.is_pending_before(allocation)) add(allocation, 1);
      return may_go_on();
    });
  }

  void add_made() {
    const size_t end = allocations_until(device_, question_.to_event - 1);
    for (size_t i = allocations_until(device_, question_.from_event - 1); i < end && may_go_on(); ++i) {
      if (passes(i)) add(i, 1);
    }
  }

  void compare() {
    add_alive(question_.from_event);
    std::vector<FlameWeight> before(weights_.size());
    before.swap(weights_);
    std::fill(categories_.begin(), categories_.end(), CategoryBytes{});
    add_alive(question_.to_event);
    for (size_t item = 0; item < weights_.size(); ++item) {
      FlameWeight& weight = weights_[item];
      weight.base = before[item].value;
      weight.first = std::min(weight.first, before[item].first);
      if (question_.measure != FlameMeasure::growth) continue;
      const double grown = weight.value - weight.base;
      weight.value = std::max(grown, 0.0);
      weight.base = std::max(-grown, 0.0);
    }
  }

  // Of what was made before `to` and given back after `from`.
  void add_areas() {
    const double x0 = place_of(question_.from_event);
    const double x1 = place_of(question_.to_event);
    visit_outliving(lifetimes_, question_.from_event, allocations_until(device_, question_.to_event - 1), [&](size_t allocation) {
      const int64_t freed = device_.free_requested[allocation];
      const double begin = std::max(x0, place_of(device_.alloc_event[allocation]));
      const double end = std::min(x1, freed == kNever ? x1 : place_of(freed));
      if (end > begin && passes(allocation)) add(allocation, end - begin);
      return may_go_on();
    });
  }

  // Where an event lies on the axis; the state after the last event stands for no time.
  double place_of(int64_t event) const {
    if (!device_.has_times) return static_cast<double>(event);
    const auto last = static_cast<int64_t>(device_.event_count) - 1;
    return static_cast<double>(device_.time_ns.at(static_cast<size_t>(std::clamp<int64_t>(event, 0, last))));
  }

  const Lifetimes& lifetimes_;
  const DeviceColumns& device_;
  const FlameQuestion& question_;
  const StopSignal& stop_;
  const bool passes_all_;
  std::vector<FlameWeight> weights_;
  std::vector<CategoryBytes> categories_;
  size_t looked_ = 0;
  bool stopped_ = false;
};

}  // namespace

void FlameWeight::add(const FlameWeight& other) {
  value += other.value;
  base += other.base;
  count += other.count;
  bytes += other.bytes;
  first = std::min(first, other.first);
}

Failure check_flame(const DeviceColumns& device, const FlameQuestion& question) {
  const auto count = static_cast<int64_t>(device.event_count);
  const bool is_range = question.measure == FlameMeasure::allocated || question.measure == FlameMeasure::area;
  if (is_range) {
    const bool fits = question.from_event >= 0 && question.from_event < question.to_event && question.to_event <= count;
    return fits ? Failure{} : bad_argument("from_event and to_event must satisfy 0 ≤ from_event < to_event ≤ event count.");
  }
  const auto is_moment = [&](int64_t event) { return event >= kBefore && event < count; };
  const bool has_two = question.measure != FlameMeasure::alive;
  if (is_moment(question.from_event) && (!has_two || is_moment(question.to_event))) return {};
  return bad_argument("An event must be −1 or one of the device's.");
}

Failure weigh_stacks(const Lifetimes& lifetimes, const FlameQuestion& question, const StopSignal& stop, std::vector<FlameWeight>& out) {
  std::vector<CategoryBytes> categories;
  return weigh_stacks(lifetimes, question, stop, out, categories);
}

Failure weigh_stacks(const Lifetimes& lifetimes, const FlameQuestion& question, const StopSignal& stop, std::vector<FlameWeight>& out,
                     std::vector<CategoryBytes>& categories) {
  StackScale scale(lifetimes, question, stop);
  const Failure failure = scale.weigh();
  if (failure.failed()) return failure;
  out = scale.take();
  categories = scale.take_categories();
  return {};
}

}  // namespace tidemark
