#include "replay/trace_memory.h"

#include <algorithm>
#include <map>
#include <set>

#include "model/stoppable_sort.h"
#include "replay/innermost_slices.h"
#include "replay/trace_pairing.h"
#include "replay/trace_stacks.h"

namespace tidemark {
namespace {

constexpr uint64_t kMostBytes = uint64_t{1} << 48;     // of one event; no device has as many
constexpr uint64_t kMostOfAll = uint64_t{1} << 61;     // of all events together, and of a total: their sums stay in 64 bits
constexpr size_t kMostDevices = 64;
constexpr int32_t kCpu = -1;
constexpr int32_t kTypeStep = 1000;       // between the numbers of two accelerator types with the same ordinal
constexpr int32_t kFirstSpare = 1000000;  // for numbers that cannot be had otherwise

// Place of an event in time; Ev Idx decides where times are equal, then the file.
struct Place {
  int64_t time_ns;
  uint32_t order;
  uint32_t row;  // of Trace::memory_events
};

using DeviceKey = std::pair<int16_t, int16_t>;  // type, id

uint64_t magnitude(int64_t bytes) { return bytes < 0 ? uint64_t{0} - static_cast<uint64_t>(bytes) : static_cast<uint64_t>(bytes); }

DeviceKey key_of(const TraceMemoryEvent& event) {
  return event.device_type == 0 ? DeviceKey{0, -1} : DeviceKey{event.device_type, event.device_id};
}

// The numbers of the devices: the CPU is −1, accelerators keep their ordinal, and where two types share one the later type is moved.
std::map<DeviceKey, int32_t> device_numbers(const std::set<DeviceKey>& keys) {
  std::map<DeviceKey, int32_t> out;
  std::set<int32_t> taken;
  int32_t spare = kFirstSpare;
  for (const DeviceKey& key : keys) {
    int32_t number = key.first == 0 ? kCpu : key.second;
    const auto is_free = [&] { return (key.first == 0 || number >= 0) && taken.count(number) == 0; };
    if (!is_free()) number = key.second + kTypeStep * key.first;
    if (!is_free()) number = spare++;
    taken.insert(number);
    out[key] = number;
  }
  return out;
}

class Builder {
 public:
  Builder(const Trace& trace, const NestedTrace& nested) : trace_(trace), nested_(nested) {}

  TraceMemory run(const Progress& progress) {
    order_events(progress);
    if (progress.cancel || places_.empty()) return std::move(out_);
    find_slices(progress);
    if (progress.cancel) return std::move(out_);
    make_devices();
    fill_devices(progress);
    for (size_t i = 0; i < out_.devices.size() && !progress.cancel; ++i) {
      pair_trace_events(trace_, event_ops_[i], out_.devices[i], out_.findings, progress);
    }
    find_annotations(progress);
    return std::move(out_);
  }

 private:
  bool has_kind(CategoryKind kind) const {
    return std::find(trace_.category_kinds.begin(), trace_.category_kinds.end(), kind) != trace_.category_kinds.end();
  }

  void order_events(const Progress& progress) {
    const size_t n = std::min<size_t>(trace_.memory_events.size(), INT32_MAX);
    std::set<DeviceKey> keys;
    uint64_t claimed = 0;
    for (size_t row = 0; row < n && !is_cancelled_at(row, progress); ++row) {
      const TraceMemoryEvent event = trace_.memory_events[row];
      const uint64_t bytes = magnitude(event.bytes);
      const DeviceKey key = key_of(event);
      const bool is_known = keys.count(key) > 0;
      if (bytes > kMostBytes || bytes > kMostOfAll - claimed || (!is_known && keys.size() == kMostDevices)) {
        note("trace/memory_left_out", event.source,
             "Memory events of more bytes than any device has, or of more than 64 devices, were left out.");
        continue;
      }
      claimed += bytes;
      if (!is_known) keys.insert(key);
      places_.push_back({event.time_ns, event.order, static_cast<uint32_t>(row)});
    }
    const auto earlier = [](const Place& a, const Place& b) {
      if (a.time_ns != b.time_ns) return a.time_ns < b.time_ns;
      return a.order != b.order ? a.order < b.order : a.row < b.row;
    };
    sort_until_cancelled(places_, earlier, progress);
    numbers_ = device_numbers(keys);
  }

  void note(const char* code, const SourceSpan& source, const char* message) {
    out_.findings.count(code, "warning", source.length > 0 ? static_cast<int64_t>(source.offset) : -1, message);
  }

  // The innermost slice of every event: those of a thread in order of time walk along with its slices.
  void find_slices(const Progress& progress) {
    slice_of_.assign(trace_.memory_events.size(), kNoSlice);
    std::vector<std::vector<uint32_t>> by_thread(trace_.threads.size());
    for (size_t i = 0; i < places_.size() && !is_cancelled_at(i, progress); ++i) {
      by_thread[trace_.memory_events[places_[i].row].thread].push_back(places_[i].row);
    }
    for (size_t thread = 0; thread < by_thread.size() && !progress.cancel; ++thread) {
      const uint32_t track = nested_.thread_track[thread];
      if (by_thread[thread].empty() || track == kNone) continue;
      InnermostSlices slices(nested_, nested_.tracks[track], progress);
      const std::vector<uint32_t>& rows = by_thread[thread];
      for (size_t i = 0; i < rows.size() && !is_cancelled_at(i, progress); ++i) {
        slice_of_[rows[i]] = slices.at(since_start(trace_.memory_events[rows[i]].time_ns));
      }
    }
  }

  // As nesting counts; damaged times may wrap round, which finds the wrong slice and does no harm.
  int64_t since_start(int64_t time_ns) const {
    return static_cast<int64_t>(static_cast<uint64_t>(time_ns) - static_cast<uint64_t>(nested_.start_ns));
  }

  void make_devices() {
    for (const auto& [key, number] : numbers_) {
      out_.devices.emplace_back();
      out_.devices.back().device = number;
      out_.devices.back().type = key.first;
    }
    std::sort(out_.devices.begin(), out_.devices.end(), [](const auto& a, const auto& b) { return a.device < b.device; });
    event_ops_.resize(out_.devices.size());
  }

  void fill_devices(const Progress& progress) {
    std::map<DeviceKey, size_t> index;
    for (size_t i = 0; i < out_.devices.size(); ++i) {
      for (const auto& [key, number] : numbers_) {
        if (number == out_.devices[i].device) index[key] = i;
      }
    }
    TraceStacks stacks(trace_, nested_, out_.names);
    for (size_t i = 0; i < places_.size(); ++i) {
      if (is_cancelled_at(i, progress)) return;
      const TraceMemoryEvent event = trace_.memory_events[places_[i].row];
      const size_t device = index[key_of(event)];
      const uint64_t cut_before = stacks.cut_count();
      const TraceStacks::Place place = stacks.at(slice_of_[places_[i].row]);
      if (stacks.cut_count() > cut_before) {
        note("trace/stacks_cut", event.source, "The memory events have more than 8 million frames of stacks: some stacks keep their innermost 8 only.");
      }
      append(event, places_[i].row, place.stack, out_.devices[device]);
      event_ops_[device].push_back(place.op);
    }
  }

  void append(const TraceMemoryEvent& event, uint32_t row, uint32_t stack, TraceMemoryDevice& device) {
    const auto known = [](int64_t total) { return total >= 0 && static_cast<uint64_t>(total) <= kMostOfAll ? total : int64_t{-1}; };
    const Action action = event.is_out_of_memory ? Action::oom : event.bytes < 0 ? Action::free : Action::alloc;
    DeviceTrace& events = device.events;
    events.action.push_back(static_cast<uint8_t>(action));
    events.address.push_back(event.address);
    events.size.push_back(magnitude(event.bytes));
    events.stream.push_back(kNoStream);
    events.pool.push_back(kNoPool);
    events.time.push_back(event.time_ns);
    events.stack.push_back(stack);
    events.user_metadata.push_back(kNone);
    events.compile_context.push_back(kNone);
    device.rows.push_back(row);
    device.bytes.push_back(event.bytes);
    device.slice.push_back(slice_of_[row]);
    device.total_allocated.push_back(known(event.total_allocated));
    device.total_reserved.push_back(known(event.total_reserved));
  }

  void find_annotations(const Progress& progress) {
    if (!has_kind(CategoryKind::user_annotation)) return;
    for (uint32_t track = 0; track < nested_.tracks.size(); ++track) {
      const Track& row = nested_.tracks[track];
      if (row.kind != TrackKind::thread || row.lane_count == 0) continue;
      const uint64_t first = nested_.lanes[row.first_lane].first_slice;
      for (uint64_t id = first; id < first + row.slice_count && !is_cancelled_at(id, progress); ++id) {
        const NestedSlice& slice = nested_.slices[id];
        if (slice.name == kNone || trace_.category_kinds[slice.category] != CategoryKind::user_annotation) continue;
        out_.annotations.push_back({id, track, is_step_name(trace_.strings.at(slice.name))});
      }
    }
  }

  const Trace& trace_;
  const NestedTrace& nested_;
  TraceMemory out_;
  std::vector<Place> places_;  // in order of time
  std::map<DeviceKey, int32_t> numbers_;
  std::vector<int64_t> slice_of_;                  // by Trace::memory_events index
  std::vector<std::vector<uint32_t>> event_ops_;   // by device, then event
};

}  // namespace

TraceMemory trace_memory(const Trace& trace, const NestedTrace& nested, const Progress& progress) {
  return Builder(trace, nested).run(progress);
}

std::string device_type_name(int16_t type) {
  static const char* const kNames[] = {"cpu", "cuda", "mkldnn", "opengl", "opencl", "ideep", "hip",
                                       "fpga", "maia", "xla", "vulkan", "metal", "xpu", "mps",
                                       "meta", "hpu", "ve", "lazy", "ipu", "mtia", "privateuseone"};
  if (type >= 0 && type < static_cast<int16_t>(std::size(kNames))) return kNames[type];
  return "device " + std::to_string(type);
}

}  // namespace tidemark
