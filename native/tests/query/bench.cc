// Times of the viewport queries on synthetic devices, 1200 × 700: p50 / p95 / max for each kind of view, in milliseconds of
// processor time of the thread, so that other work on the machine counts as little as possible.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <string>

#include "query/range_stats.h"
#include "query/timeline_curves.h"
#include "query/timeline_outline.h"
#include "query/timeline_raster.h"
#include "synthetic_device.h"

namespace {

using namespace tidemark;

constexpr int64_t kColumns = 1200;
constexpr int64_t kRows = 700;

struct Subject {
  const Lifetimes& lifetimes;
  std::mt19937 random{1};

  double events() const { return static_cast<double>(lifetimes.columns->event_count); }
  double peak() const {
    const DeviceColumns& columns = *lifetimes.columns;
    return static_cast<double>(columns.curve[kAllocated].at(static_cast<size_t>(columns.peak_event)));
  }
  double between(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random); }
  // A view of about 1 / `zoom` of the events.
  AxisRange view(double zoom) {
    const double width = events() / zoom;
    const double x0 = between(0, std::max(0.0, events() - width));
    return {Axis::event, x0, x0 + width, kColumns};
  }
};

// One for all views, as a connection has it.
RasterScratch& scratch() {
  static RasterScratch shared;
  return shared;
}

double thread_ms() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

void measure(const std::string& name, int rounds, const std::function<void()>& run) {
  std::vector<double> times;
  for (int round = 0; round < rounds; ++round) {
    const double start = thread_ms();
    run();
    times.push_back(thread_ms() - start);
  }
  std::sort(times.begin(), times.end());
  const size_t p95 = std::min(times.size() - 1, times.size() * 95 / 100);
  std::printf("  %-34s p50 %7.2f  p95 %7.2f  max %7.2f ms\n", name.c_str(), times[times.size() / 2], times[p95], times.back());
  std::fflush(stdout);
}

void measure_rasters(Subject& subject, ColorBy color_by, const char* color) {
  std::vector<uint8_t> cells(static_cast<size_t>(kColumns * kRows));
  uint64_t shown = 0;
  const auto paint = [&](const AxisRange& range, double y0, double y1) {
    RasterSummary summary;
    const RasterRequest request{range, kRows, y0, y1, color_by};
    const Failure error = paint_raster(subject.lifetimes, request, {}, scratch(), cells.data(), summary);
    if (error.failed()) std::abort();
    shown = std::max(shown, summary.shown);
  };
  const std::string prefix = std::string("raster ") + color;
  const double peak = subject.peak();
  const int rounds = 40;
  measure(prefix + " whole", rounds, [&] { paint(subject.view(1), 0, peak); });
  std::printf("    at most %llu allocations shown\n", static_cast<unsigned long long>(shown));
  for (const double zoom : {2.0, 10.0, 100.0, 1000.0, 100000.0}) {
    measure(prefix + " zoom " + std::to_string(static_cast<int>(zoom)), rounds, [&] { paint(subject.view(zoom), 0, peak); });
  }
  measure(prefix + " pan beyond ends", rounds, [&] {
    const double x0 = subject.between(-subject.events(), subject.events());
    paint({Axis::event, x0, x0 + subject.events(), kColumns}, 0, peak);
  });
  measure(prefix + " whole, y window 1/50", rounds, [&] {
    const double y0 = subject.between(0, peak);
    paint(subject.view(1), y0, y0 + peak / 50);
  });
}

void measure_others(Subject& subject) {
  const DeviceColumns& columns = *subject.lifetimes.columns;
  for (const double zoom : {1.0, 10.0, 1000.0}) {
    measure("curves zoom " + std::to_string(static_cast<int>(zoom)), 40, [&] {
      TimelineCurves curves;
      timeline_curves(columns, subject.view(zoom), {}, curves);
    });
  }
  const auto some_event = [&] { return static_cast<int64_t>(subject.between(0, subject.events() - 1)); };
  measure("outline", 40, [&] {
    const size_t count = subject.lifetimes.count();
    const size_t index = static_cast<size_t>(subject.between(0, static_cast<double>(count - 1)));
    timeline_outline(subject.lifetimes, subject.view(1), index);
  });
  measure("pick", 40, [&] { timeline_pick(subject.lifetimes, some_event(), subject.between(0, subject.peak())); });
  measure("top_stacks", 40, [&] { top_stacks(subject.lifetimes, some_event(), 20); });
  CurveIntegrals integrals;
  measure("integrals of range_stats, once", 1, [&] { integrate_curves(columns, {}, integrals); });
  RangeStats stats;
  const int64_t events = static_cast<int64_t>(columns.event_count);
  measure("range_stats whole", 10, [&] { range_stats(subject.lifetimes, integrals, 0, events, {}, stats); });
  measure("range_stats tenth", 20, [&] {
    const int64_t from = static_cast<int64_t>(subject.between(0, subject.events() * 0.9));
    range_stats(subject.lifetimes, integrals, from, from + std::max<int64_t>(1, events / 10), {}, stats);
  });
}

void run(const char* name, const tidemark_test::DeviceParts& parts) {
  DeviceColumns columns;
  tidemark_test::build_device(parts, columns);
  Lifetimes lifetimes;
  if (derive_lifetimes(columns, lifetimes).failed()) std::abort();
  std::printf("%s: %zu events, %zu allocations\n", name, columns.event_count, lifetimes.count());
  Subject subject{lifetimes};
  measure_rasters(subject, ColorBy::stack, "stack");
  measure_rasters(subject, ColorBy::age, "age");
  measure_others(subject);
}

}  // namespace

// Argument: events in millions of the training run (default 10).
int main(int count, char** arguments) {
  const double millions = count > 1 ? std::atof(arguments[1]) : 10;
  if (!(millions > 0 && millions <= 100)) return 1;
  std::mt19937 random(2024);
  run("training run", tidemark_test::training_parts(random, static_cast<size_t>(millions * 1e6), 3000));
  run("many live blocks, random frees", tidemark_test::many_live_parts(random, 40000, 311287));
  return 0;
}
