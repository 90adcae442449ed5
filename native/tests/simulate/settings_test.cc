// The text of PYTORCH_CUDA_ALLOC_CONF as settings of the simulator.
#include "check.h"
#include "model/text.h"
#include "simulate/simulator_settings.h"

using namespace tidemark;

namespace {

SimulatorSettings read(const char* text) {
  SimulatorSettings settings;
  const Failure problem = apply_settings(text, settings);
  CHECK_EQ(problem.message, std::string());
  return settings;
}

std::string refusal(const char* text) {
  SimulatorSettings settings;
  return apply_settings(text, settings).code;
}

}  // namespace

TEST(every_setting_that_moves_memory_is_read) {
  const SimulatorSettings settings = read(
      "expandable_segments:True, max_split_size_mb:128, garbage_collection_threshold:0.6,max_non_split_rounding_mb:64,"
      "large_segment_size_mb:40,backend:native,pinned_num_register_threads:4");
  CHECK(settings.rules.expandable_segments);
  CHECK_EQ(settings.rules.max_split_size, uint64_t{128} << 20);
  CHECK_EQ(settings.rules.max_non_split_rounding, uint64_t{64} << 20);
  CHECK_EQ(settings.rules.large_segment_size, uint64_t{40} << 20);
  CHECK(settings.gc_threshold == 0.6);
}

TEST(divisions_are_one_number_or_a_list_by_size) {
  CHECK_EQ(read("roundup_power2_divisions:8").rules.roundup_divisions[15], uint32_t{8});
  const SimulatorSettings list = read("roundup_power2_divisions:[256:1,512:2,1024:4,>:8],expandable_segments:False");
  const uint32_t wanted[] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 4, 8, 8, 8, 8, 8};
  for (int i = 0; i < kRoundupClasses; ++i) CHECK_EQ(list.rules.roundup_divisions[i], wanted[i]);
}

TEST(a_list_forgets_the_divisions_that_were_set_before) {
  SimulatorSettings settings = read("roundup_power2_divisions:4");
  CHECK(!apply_settings("roundup_power2_divisions:[256:1,1024:2]", settings).failed());
  const uint32_t wanted[] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 2, 0, 0, 0, 0, 0};
  for (int i = 0; i < kRoundupClasses; ++i) CHECK_EQ(settings.rules.roundup_divisions[i], wanted[i]);
}

TEST(a_list_without_sizes_leaves_out_the_smallest_class) {
  const SimulatorSettings list = read("roundup_power2_divisions:[>:4]");
  CHECK_EQ(list.rules.roundup_divisions[0], uint32_t{0});
  for (int i = 1; i < kRoundupClasses; ++i) CHECK_EQ(list.rules.roundup_divisions[i], uint32_t{4});
}

TEST(the_waste_of_oversize_requests_follows_the_size_of_segments_unless_set) {
  CHECK_EQ(read("large_segment_size_mb:40").rules.max_non_split_rounding, uint64_t{40} << 20);
  CHECK_EQ(read("large_segment_size_mb:12,max_split_size_mb:16").rules.max_non_split_rounding, uint64_t{12} << 20);
  CHECK_EQ(read("max_non_split_rounding_mb:20,large_segment_size_mb:12").rules.max_non_split_rounding, uint64_t{20} << 20);
  SimulatorSettings settings = read("max_non_split_rounding_mb:64,large_segment_size_mb:40");
  CHECK(!apply_settings("large_segment_size_mb:32", settings).failed());
  CHECK_EQ(settings.rules.max_non_split_rounding, uint64_t{64} << 20);
  CHECK(!apply_settings("default,large_segment_size_mb:32", settings).failed());
  CHECK_EQ(settings.rules.max_non_split_rounding, uint64_t{32} << 20);
}

TEST(default_forgets_what_was_set_before) {
  SimulatorSettings settings = read("max_split_size_mb:128,roundup_power2_divisions:4,garbage_collection_threshold:0.5");
  CHECK(!apply_settings("default,expandable_segments:True", settings).failed());
  CHECK_EQ(settings.rules.max_split_size, UINT64_MAX);
  CHECK_EQ(settings.rules.roundup_divisions[3], uint32_t{0});
  CHECK(settings.gc_threshold == 0);
  CHECK(settings.rules.expandable_segments);
}

TEST(what_pytorch_refuses_is_refused) {
  for (const char* text : {"expandable_segment:True", "expandable_segments:yes", "max_split_size_mb:5", "max_split_size_mb:-1", "large_segment_size_mb:10", "max_split_size_mb:24,large_segment_size_mb:32",
                           "max_non_split_rounding_mb:24,large_segment_size_mb:32", "max_non_split_rounding_mb:19",
                           "garbage_collection_threshold:1.5", "roundup_power2_divisions:3", "roundup_power2_divisions:[256:1,512",
                           "roundup_power2_divisions:[300:2]", "backend:cudaMallocAsync", "per_process_memory_fraction:0.5", "true", ":"}) {
    CHECK_EQ(refusal(text), std::string("query/bad_argument"));
  }
}

TEST(a_long_text_is_not_repeated_in_full) {
  const std::string piece = "\u00e9\u00e9";  // two bytes each: none of them is cut in two
  std::string text = "a";
  while (text.size() < 100000) text += piece;
  for (const std::string& wrong : {text, text + ":1", "max_split_size_mb:" + text, "roundup_power2_divisions:" + text, "backend:" + text}) {
    SimulatorSettings settings;
    const std::string message = apply_settings(wrong, settings).message;
    CHECK(message.size() < 300);
    CHECK(is_utf8(message));
    CHECK(message.find("\u2026'") != std::string::npos);
  }
}
