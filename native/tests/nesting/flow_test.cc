// Flows: by correlation, by flow events of both versions.
#include "check.h"
#include "trace_maker.h"

using namespace tidemark;

namespace {

struct LaunchMaker : TraceMaker {
  LaunchMaker() : TraceMaker(2) {
    runtime = category("cuda_runtime", CategoryKind::runtime);
    gpu = category("kernel", CategoryKind::gpu);
  }
  void call(int64_t start, uint32_t correlation, const std::string& name) {
    TraceSlice& slice = complete(start, 10, name, 0);
    slice.category = runtime;
    slice.correlation = correlation;
  }
  void kernel(int64_t start, uint32_t correlation, const std::string& name) {
    TraceSlice& slice = complete(start, 10, name, 1);
    slice.category = gpu;
    slice.correlation = correlation;
  }
  uint16_t runtime, gpu;
};

std::string pairs(const Trace& trace, const NestedTrace& nested) {
  std::string out;
  for (const NestedFlow& flow : nested.flows) {
    if (!out.empty()) out += ' ';
    out += trace.strings.at(nested.slices[flow.from].name) + ">" + trace.strings.at(nested.slices[flow.to].name);
    if (flow.name != kNone) out += "*";
  }
  return out;
}

}  // namespace

TEST(a_runtime_call_leads_to_every_gpu_slice_of_its_correlation) {
  LaunchMaker make;
  make.call(0, 7, "launch");
  make.call(20, 8, "graph");
  make.kernel(100, 8, "k1");
  make.kernel(120, 7, "k2");
  make.kernel(140, 8, "k3");
  make.kernel(160, 99, "alone");
  const NestedTrace nested = make.nest();
  CHECK_EQ(pairs(make.trace(), nested), "launch>k2 graph>k1 graph>k3");
}

TEST(a_pair_found_both_by_correlation_and_by_flow_events_counts_once) {
  LaunchMaker make;
  make.call(0, 7, "launch");
  make.kernel(100, 7, "k");
  make.flow('f', 100, 1, 1);
  make.flow('s', 0, 1, 0);
  const NestedTrace nested = make.nest();
  CHECK_EQ(pairs(make.trace(), nested), "launch>k*");
  CHECK_EQ(finding(nested, "trace/unmatched_flow"), 0u);
}

TEST(of_calls_with_equal_correlations_the_last_before_the_work_counts) {
  LaunchMaker make;
  make.call(0, 7, "old");
  make.call(50, 7, "new");
  make.call(500, 7, "later");
  make.kernel(100, 7, "k");
  const NestedTrace nested = make.nest();
  CHECK_EQ(pairs(make.trace(), nested), "new>k");
}

TEST(a_flow_end_binds_to_the_next_slice_unless_it_binds_to_the_enclosing_one) {
  TraceMaker make(2);
  make.complete(0, 10, "source");
  make.complete(100, 50, "around", 1);
  make.complete(130, 5, "next", 1);
  make.flow('s', 5, 1, 0);
  make.flow('f', 120, 1, 1, true);
  make.flow('s', 5, 2, 0);
  make.flow('f', 120, 2, 1, false);
  const NestedTrace nested = make.nest();
  CHECK_EQ(pairs(make.trace(), nested), "source>around* source>next*");
}

TEST(steps_go_on_from_slice_to_slice) {
  TraceMaker make;
  for (int i = 0; i < 3; ++i) make.complete(i * 100, 10, "s" + std::to_string(i));
  make.flow('s', 5, 1);
  make.flow('t', 105, 1);
  make.flow('f', 205, 1);
  const NestedTrace nested = make.nest();
  CHECK_EQ(pairs(make.trace(), nested), "s0>s1* s1>s2*");
  CHECK_EQ(finding(nested, "trace/unmatched_flow"), 0u);
}

TEST(what_a_slice_gives_out_several_may_take_in) {
  TraceMaker make;
  for (int i = 0; i < 3; ++i) {
    make.complete(i * 100, 10, "s" + std::to_string(i));
    make.flow(i ? 'i' : 'o', i * 100, 1);
    make.trace().flow_points[static_cast<size_t>(i)].name = make.text("s" + std::to_string(i));
  }
  const NestedTrace nested = make.nest();
  CHECK_EQ(pairs(make.trace(), nested), "s0>s1* s0>s2*");
}

TEST(a_point_on_a_slice_binds_to_the_slice_of_its_name_not_to_a_child_that_starts_with_it) {
  TraceMaker make;
  make.complete(0, 10, "source");
  make.complete(0, 5, "child");
  make.complete(100, 10, "target");
  make.complete(100, 5, "other_child");
  make.flow('o', 0, 1);
  make.flow('i', 100, 1);
  make.trace().flow_points[0].name = make.text("source");
  make.trace().flow_points[1].name = make.text("target");
  const NestedTrace nested = make.nest();
  CHECK_EQ(pairs(make.trace(), nested), "source>target*");
}

TEST(points_without_a_partner_or_a_slice_are_counted) {
  TraceMaker make(2);
  make.complete(0, 10, "a");
  make.flow('s', 5, 1);       // no end
  make.flow('f', 5, 2);       // no start
  make.flow('s', 500, 3);     // no slice
  make.flow('s', 5, 4, 1);    // no slice on the thread
  const NestedTrace nested = make.nest();
  CHECK_EQ(nested.flows.size(), size_t{0});
  CHECK_EQ(finding(nested, "trace/unmatched_flow"), 4u);
}
