// Fuzz entry of the readers of profiles: whatever the bytes are, they must answer with sound stacks or with a code of the closed list.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "readers/profile_bytes.h"

namespace {

void demand(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "broken promise: %s\n", what);
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto read = profile_bytes::read_profile_bytes(std::string(reinterpret_cast<const char*>(data), size));
  const tidemark::Profile& profile = read->profile;
  if (read->error.failed()) {
    constexpr std::string_view kCodes = " profile/not_a_profile file/unknown_format file/empty file/truncated ";
    demand(kCodes.find(" " + read->error.code + " ") != std::string_view::npos, read->error.code.c_str());
    demand(!read->error.message.empty(), "a message");
    return 0;
  }
  demand(!profile.values.empty(), "a value");
  demand(profile.default_type < profile.value_types.size(), "a default that exists");
  for (const tidemark::ProfileValue& value : profile.values) {
    demand(value.stack < profile.stacks.size(), "a stack that exists");
    demand(value.type < profile.value_types.size(), "a value type that exists");
    demand(std::isfinite(value.value), "a finite value");
  }
  for (uint32_t stack = 0; stack < profile.stacks.size(); ++stack) {
    for (size_t i = 0; i < profile.stacks.depth(stack); ++i) demand(profile.stacks.frames(stack)[i] < profile.frames.size(), "a frame that exists");
  }
  return 0;
}
