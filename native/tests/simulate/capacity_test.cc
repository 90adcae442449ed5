// What a recording tells of the program behind it: when it emptied the cache, and how much memory it could have had.
#include "check.h"
#include "simulate/simulate.h"

using namespace tidemark;

namespace {

constexpr uint64_t kMiB = uint64_t{1} << 20;
constexpr uint64_t kBase = uint64_t{1} << 40;

// 40 MiB are made and freed, given back by a burst at event 4, and another request gets 60 MiB.
Recording with_burst(int64_t burst_stack, int64_t next_stack) {
  Recording recording;
  recording.event_count = 7;
  recording.allocations.resize(2);
  recording.allocations[0] = {40 * kMiB, 1, 2, 3, 0, 0, false, false};
  recording.allocations[1] = {60 * kMiB, 6, UINT32_MAX, UINT32_MAX, 0, 0, false, false};
  recording.calls = {{0, DriverAction::alloc, kBase, 40 * kMiB, -1, 1, 0, 0},
                     {4, DriverAction::free, kBase, 40 * kMiB, -1, burst_stack, 0, 0},
                     {5, DriverAction::alloc, kBase, 60 * kMiB, -1, next_stack, 0, 0}};
  recording.allocated.assign(7, 0);
  return recording;
}

Program read(const Recording& recording, const SimulatorSettings& own = {}) {
  Program program;
  CHECK(!read_program(recording, own, {}, program).failed());
  return program;
}

bool empties(const Program& program) {
  for (const Step& step : program.steps) {
    if (step.kind == StepKind::empty_cache) return true;
  }
  return false;
}

Recording with_failure(uint64_t reserved, uint64_t asked, int64_t device_free) {
  Recording recording;
  recording.event_count = 3;
  recording.allocations.push_back({reserved, 1, UINT32_MAX, UINT32_MAX, 0, 0, false, false});
  recording.calls = {{0, DriverAction::alloc, kBase, reserved, -1, 1, 0, 0}, {2, DriverAction::oom, 0, asked, device_free, -1, 0, 0}};
  recording.allocated.assign(3, 0);
  return recording;
}

SimulatorSettings with_four_divisions() {
  SimulatorSettings own;
  for (uint32_t& divisions : own.rules.roundup_divisions) divisions = 4;
  return own;
}

}  // namespace

TEST(a_burst_of_the_stack_of_the_next_reservation_is_a_retry) {
  const Program program = read(with_burst(7, 7));
  CHECK(!empties(program));
  CHECK(program.capacity.limit == Limit::fraction);
  CHECK_EQ(program.capacity.least, 60 * kMiB);
  CHECK_EQ(program.capacity.below, 100 * kMiB);
  CHECK_EQ(program.capacity.bytes, 64 * kMiB);
}

TEST(a_burst_of_another_stack_empties_the_cache) {
  const Program program = read(with_burst(7, 8));
  CHECK(empties(program));
  CHECK(program.capacity.limit == Limit::none);
}

TEST(without_stacks_a_burst_is_a_retry_only_where_memory_ran_out_and_was_needed) {
  Recording recording = with_burst(-1, -1);
  CHECK(empties(read(recording)));  // nothing says that memory was short
  recording.event_count = 8;
  recording.calls.push_back({7, DriverAction::oom, 0, 200 * kMiB, int64_t{1} << 40, -1, 0, 0});
  CHECK(!empties(read(recording)));  // 40 + 60 MiB were never reserved at once: they did not fit
  recording.event_count = 10;
  recording.calls.back().event = 9;
  recording.calls.insert(recording.calls.end() - 1, {7, DriverAction::alloc, kBase + (kMiB << 10), 50 * kMiB, -1, -1, 0, 0});
  recording.allocations.push_back({50 * kMiB, 8, UINT32_MAX, UINT32_MAX, 0, 0, false, false});
  CHECK(empties(read(recording)));  // 110 MiB were
}

TEST(a_burst_of_what_would_have_served_the_request_empties_the_cache) {
  Recording recording = with_burst(-1, -1);
  recording.calls.push_back({7, DriverAction::oom, 0, 200 * kMiB, int64_t{1} << 40, -1, 0, 0});
  recording.allocations[1].requested = 40 * kMiB;
  CHECK(empties(read(recording)));
}

TEST(a_burst_before_a_failure_is_the_retry_whatever_the_stacks_say) {
  Recording recording = with_burst(7, 7);
  recording.allocations.pop_back();
  recording.calls.back() = {5, DriverAction::oom, 0, 60 * kMiB, int64_t{1} << 40, 8, 0, 0};
  CHECK(!empties(read(recording)));
}

TEST(the_roundest_cap_that_explains_the_failure_is_taken) {
  const Program program = read(with_failure(1200 * kMiB, 700 * kMiB, int64_t{1} << 40));
  CHECK_EQ(program.capacity.bytes, 1536 * kMiB);
  CHECK_EQ(program.capacity.least, 1200 * kMiB);
  CHECK_EQ(program.capacity.below, 1900 * kMiB);
}

TEST(a_device_without_enough_memory_tells_the_capacity) {
  const Program program = read(with_failure(1200 * kMiB, 700 * kMiB, int64_t{100} << 20));
  CHECK(program.capacity.limit == Limit::device);
  CHECK_EQ(program.capacity.bytes, 1300 * kMiB);
}

TEST(a_failure_ends_the_run_only_where_the_recording_has_none) {
  const Recording recording = with_failure(1200 * kMiB, 700 * kMiB, int64_t{1} << 40);
  const Program program = read(recording);
  SimulationOutcome outcome;
  CHECK(!simulate(recording, program, {{}, Limit::fraction, 1536 * kMiB}, {}, outcome).failed());
  CHECK_EQ(outcome.failing_event, int64_t{2});
  CHECK_EQ(outcome.retries, uint64_t{1});
  CHECK(!simulate(recording, program, {{}, Limit::fraction, 2048 * kMiB}, {}, outcome).failed());
  CHECK_EQ(outcome.failing_event, int64_t{-1});
  CHECK_EQ(outcome.reserved_peak, 1900 * kMiB);
  CHECK(!simulate(recording, program, {{}, Limit::fraction, 1000 * kMiB}, {}, outcome).failed());
  CHECK_EQ(outcome.failing_event, int64_t{1});
  CHECK_EQ(outcome.last_event, int64_t{1});
}

TEST(the_least_request_of_a_rounded_size_rounds_to_it) {
  const SimulatorSettings own = with_four_divisions();
  CHECK(own.rules.least_request(896 * kMiB) > 768 * kMiB);
  CHECK(own.rules.least_request(896 * kMiB) <= 768 * kMiB + 512);
}

TEST(a_failed_request_is_known_unless_sizes_are_rounded_to_steps) {
  const Recording recording = with_failure(1200 * kMiB, 896 * kMiB, int64_t{1} << 40);
  CHECK(read(recording).loose_request() == nullptr);
  const Program program = read(recording, with_four_divisions());
  CHECK(program.loose_request() != nullptr);
  CHECK_EQ(program.loose_request()->likely, 896 * kMiB);
  CHECK_EQ(program.loose_request()->most, 896 * kMiB);
}

TEST(a_failure_is_taken_to_have_asked_for_what_was_asked_last_in_its_size) {
  Recording recording = with_failure(1200 * kMiB, 896 * kMiB, int64_t{1} << 40);
  recording.allocations.clear();
  for (const uint64_t mib : {800, 780, 500}) {
    const auto event = static_cast<uint32_t>(recording.allocations.size());
    recording.allocations.push_back({mib * kMiB, event, UINT32_MAX, UINT32_MAX, 0, 0, false, false});
  }
  recording.calls.back().event = 3;
  recording.event_count = 5;
  recording.allocations.push_back({850 * kMiB, 4, UINT32_MAX, UINT32_MAX, 0, 0, false, false});  // after it: says nothing
  CHECK_EQ(read(recording, with_four_divisions()).loose_request()->likely, 780 * kMiB);
}
