// Processor times of the stages of a trace before its index: bench FILE [ROUNDS]. Those of all threads: other work on the machine changes them less.
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "nesting/slice_levels.h"
#include "readers/trace/read_trace.h"

using namespace tidemark;

namespace {

struct Times {
  double wall = 0, processor = 0;
};

Times now() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) { return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6; };
  const auto wall = std::chrono::steady_clock::now().time_since_epoch();
  return {std::chrono::duration<double>(wall).count(), seconds(usage.ru_utime) + seconds(usage.ru_stime)};
}

template <typename Work>
void measure(const char* name, Work work) {
  const Times before = now();
  work();
  const Times after = now();
  std::printf("%s %.0f ms (processor %.0f ms)  ", name, (after.wall - before.wall) * 1e3, (after.processor - before.processor) * 1e3);
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) return std::fprintf(stderr, "usage: bench FILE [ROUNDS]\n"), 1;
  for (int round = count > 2 ? std::atoi(arguments[2]) : 3; round > 0; --round) {
    Progress progress;
    Trace trace;
    NestedTrace nested;
    SliceLevels levels;
    measure("read", [&] { read_trace(arguments[1], progress, trace); });
    measure("nest", [&] { nested = nest_trace(trace, progress); });
    measure("levels", [&] { levels = build_levels(nested, progress); });
    rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    std::printf("%zu slices, %zu level items, most memory %ld MiB\n", nested.slices.size(), levels.items.size(), usage.ru_maxrss / 1024);
  }
  return 0;
}
