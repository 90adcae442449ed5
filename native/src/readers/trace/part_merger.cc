#include "readers/trace/part_merger.h"

#include <algorithm>

#include "model/stoppable_sort.h"
#include "readers/trace/category.h"
#include "readers/trace/decimal.h"

namespace tidemark::readers::trace {
namespace {

// An identity as PartBuilder writes it: '-' none, 'n' a bare value, 't' a text.
struct Identity {
  std::string text;
  bool is_text;
  bool is_there;
};
Identity identity_of(std::string_view written) {
  const char kind = written.empty() ? '-' : written[0];
  return {kind == '-' ? std::string() : std::string(written.substr(1)), kind == 't', kind != '-'};
}

}  // namespace

PartMerger::PartMerger(Trace& out) : out_(out) {
  out_.categories.push_back(out_.strings.intern({}));
  out_.category_kinds.push_back(CategoryKind::other);
  tables_[static_cast<size_t>(Table::categories)].intern({});
}

PartMerger::Scanner& PartMerger::learn(Part& part) {
  if (scanners_.size() <= part.scanner) scanners_.resize(part.scanner + 1);
  Scanner& scanner = scanners_[part.scanner];
  for (size_t i = 0; i < static_cast<size_t>(Table::count); ++i) {
    Names& names = scanner.names[i];
    for (std::string& text : part.names[i].fresh) names.texts.push_back(std::move(text));
    names.ids.resize(names.texts.size(), kNone);
  }
  scanner.thread_process.insert(scanner.thread_process.end(), part.fresh_thread_process.begin(), part.fresh_thread_process.end());
  scanner.series.insert(scanner.series.end(), part.fresh_series.begin(), part.fresh_series.end());
  scanner.async_keys.insert(scanner.async_keys.end(), part.fresh_async_keys.begin(), part.fresh_async_keys.end());
  return scanner;
}

uint32_t PartMerger::resolve(Scanner& scanner, Table table, uint32_t local) {
  uint32_t& id = scanner.names[static_cast<size_t>(table)].ids[local];
  if (id == kNone) id = make(scanner, table, local);
  return id;
}

uint32_t PartMerger::make(Scanner& scanner, Table table, uint32_t local) {
  const std::string& text = scanner.names[static_cast<size_t>(table)].texts[local];
  if (table == Table::strings) return out_.strings.intern(text);
  StringTable& known = tables_[static_cast<size_t>(table)];
  const auto next = static_cast<uint32_t>(known.size());
  TraceCounterSeries series;
  uint32_t id;
  if (table == Table::series) {
    series = scanner.series[local];
    series.process = resolve(scanner, Table::processes, series.process);
    series.name = string(scanner, series.name);
    series.key = string(scanner, series.key);
    series.id = string(scanner, series.id);
    id = known.intern(series_identity(series, text[0]));
  } else {
    id = known.intern(text);
  }
  if (id != next) return id;
  switch (table) {
    case Table::categories:
      if (id > UINT16_MAX) break;
      out_.categories.push_back(out_.strings.intern(text));
      out_.category_kinds.push_back(kind_of_category(text));
      break;
    case Table::processes: {
      Identity pid = identity_of(text);
      TraceProcess process;
      process.pid = std::move(pid.text);
      process.pid_is_text = pid.is_text;
      process.has_pid = pid.is_there;
      out_.processes.push_back(std::move(process));
      break;
    }
    case Table::threads: make_thread(scanner, local, text); break;
    case Table::series: out_.series.push_back(series); break;
    case Table::async_keys: {
      const TraceAsyncKey key = scanner.async_keys[local];
      out_.async_keys.push_back({resolve(scanner, Table::processes, key.process), category(scanner, key.category)});
      break;
    }
    default: break;
  }
  return id;
}

void PartMerger::make_thread(Scanner& scanner, uint32_t local, const std::string& text) {
  const uint32_t process = scanner.thread_process[local];
  const size_t length = scanner.names[static_cast<size_t>(Table::processes)].texts[process].size();
  Identity tid = identity_of(std::string_view(text).substr(length + 1));
  TraceThread thread;
  thread.process = resolve(scanner, Table::processes, process);
  thread.tid = std::move(tid.text);
  thread.tid_is_text = tid.is_text;
  thread.has_tid = tid.is_there;
  out_.threads.push_back(std::move(thread));
}

void PartMerger::drop(Part&& part) { learn(part); }

void PartMerger::add(Part&& part) {
  Scanner& scanner = learn(part);
  for (size_t i = 0; i < static_cast<size_t>(Table::count); ++i) {
    for (const uint32_t local : part.names[i].used) resolve(scanner, static_cast<Table>(i), local);
  }
  const std::vector<uint32_t>& strings = scanner.names[static_cast<size_t>(Table::strings)].ids;
  const std::vector<uint32_t>& threads = scanner.names[static_cast<size_t>(Table::threads)].ids;
  for (TraceSlice& slice : part.slices) {
    if (slice.name != kNone) slice.name = strings[slice.name];
    slice.thread = threads[slice.thread];
    slice.category = category(scanner, slice.category);
    out_.slices.push_back(slice);
  }
  add_points(part, scanner);
  for (const NameChange& change : part.name_changes) rename(change, scanner);
  for (const auto& [frame, name] : part.frames) frames_.emplace_back(string(scanner, frame), string(scanner, name));
  add_metadata(part);
  findings_.add(part.findings);
  out_.event_count += part.event_count;
}

void PartMerger::add_points(Part& part, Scanner& scanner) {
  const auto thread = [&](uint32_t local) { return resolve(scanner, Table::threads, local); };
  for (const auto& [row, frame] : part.sampled) sampled_.emplace_back(out_.instants.size() + row, string(scanner, frame));
  for (TraceInstant& instant : part.instants) {
    instant.name = string(scanner, instant.name);
    instant.thread = thread(instant.thread);
    instant.category = category(scanner, instant.category);
    out_.instants.push_back(instant);
  }
  for (TraceCounterSample& sample : part.samples) {
    sample.series = resolve(scanner, Table::series, sample.series);
    out_.samples.push_back(sample);
  }
  for (TraceFlowPoint& point : part.flow_points) {
    point.name = string(scanner, point.name);
    point.thread = thread(point.thread);
    point.category = category(scanner, point.category);
    out_.flow_points.push_back(point);
  }
  for (TraceAsyncPoint& point : part.async_points) {
    point.key = resolve(scanner, Table::async_keys, point.key);
    point.name = string(scanner, point.name);
    point.thread = thread(point.thread);
    out_.async_points.push_back(point);
  }
  for (TraceMemoryEvent& memory : part.memory_events) {
    memory.thread = thread(memory.thread);
    out_.memory_events.push_back(memory);
  }
}

void PartMerger::rename(const NameChange& change, Scanner& scanner) {
  using What = NameChange::What;
  if (change.what == What::thread_name || change.what == What::thread_sort_index) {
    TraceThread& thread = out_.threads[resolve(scanner, Table::threads, change.of)];
    if (change.what == What::thread_name) {
      thread.name = string(scanner, change.name);
    } else {
      thread.sort_index = change.sort_index;
      thread.has_sort_index = true;
    }
    return;
  }
  TraceProcess& process = out_.processes[resolve(scanner, Table::processes, change.of)];
  if (change.what == What::process_name) {
    process.name = string(scanner, change.name);
  } else if (change.what == What::process_labels) {
    process.labels = string(scanner, change.name);
  } else {
    process.sort_index = change.sort_index;
    process.has_sort_index = true;
  }
}

// Of keys that occur again, in the same document or a later one, the last value counts.
void PartMerger::add_metadata(Part& part) {
  for (auto& [key, json] : part.metadata) {
    const uint32_t place = metadata_keys_.intern(key);
    if (place == out_.metadata.size()) {
      out_.metadata.emplace_back(std::move(key), std::move(json));
    } else {
      out_.metadata[place].second = std::move(json);
    }
  }
}

void PartMerger::name_samples(const Progress& progress) {
  sort_until_cancelled(frames_, [](const auto& a, const auto& b) { return a.first < b.first; }, progress);
  for (size_t i = 0; i < sampled_.size() && !is_cancelled_at(i, progress); ++i) {
    const size_t row = sampled_[i].first;
    const uint32_t frame = sampled_[i].second;
    const auto found = std::lower_bound(frames_.begin(), frames_.end(), frame, [](const auto& a, uint32_t id) { return a.first < id; });
    if (found != frames_.end() && found->first == frame) out_.instants[row].name = found->second;
  }
}

void PartMerger::finish(const Progress& progress) {
  name_samples(progress);
  const auto value_of = [&](std::string_view key) -> const std::string* {
    for (const auto& [known, json] : out_.metadata) {
      if (known == key) return &json;
    }
    return nullptr;
  };
  if (const std::string* base = value_of("baseTimeNanoseconds")) {
    std::string_view text = *base;
    if (text.size() >= 2 && text.front() == '"') text = text.substr(1, text.size() - 2);
    out_.has_base = to_integer(text, out_.base_ns);
  }
  constexpr uint64_t kCap = 1'000'000;  // of XLA's exporter
  if (out_.event_count == kCap) findings_.count(Code::event_cap, 0);
  const auto is_used = [&](CategoryKind kind) {
    return std::find(out_.category_kinds.begin(), out_.category_kinds.end(), kind) != out_.category_kinds.end();
  };
  if (is_used(CategoryKind::cpu_op)) {
    if (out_.memory_events.empty()) findings_.count(Code::no_memory_events, 0);
    if (!is_used(CategoryKind::python_function)) findings_.count(Code::no_python_stacks, 0);
  }
  out_.findings = findings_.findings();
}

}  // namespace tidemark::readers::trace
