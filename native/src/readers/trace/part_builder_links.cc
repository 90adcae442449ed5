// Counters, async events, flows and names: events that belong to something by an id.
#include "model/hash_seed.h"
#include "readers/trace/members.h"
#include "readers/trace/part_builder.h"

namespace tidemark::readers::trace {

void PartBuilder::add_counter(RawEvent& event) {
  Moment start;
  if (!start_of(event, start)) return;
  const Token& args = event.of(Field::args);
  if (args.kind != Kind::container) return;
  TraceCounterSeries series;
  series.process = process_of(event);
  series.name = name_of(event);
  const Token& id = event.of(Field::id);
  const bool has_id = id.kind == Kind::text || id.kind == Kind::number;
  const char kind = !has_id ? '-' : id.kind == Kind::text ? 't' : 'n';
  if (has_id) series.id = string(decoded(id, scratch_));
  const auto add_value = [&](const Token& key, const Token& value) {
    if (value.kind == Kind::container || value.length > 400) return;
    TraceCounterSample sample;
    sample.time_ns = start.ns;
    const Decimal read = to_double(value.raw(), sample.value);
    if (read > Decimal::odd) return;
    sample.value += 0.0;  // -0 becomes 0: the bits of -0 stand for NULL in a column
    series.key = string(decoded(key, scratch_));
    bool is_new;
    sample.series = intern(Table::series, series_identity(series, kind), is_new);
    if (is_new) part_.fresh_series.push_back(series);
    part_.samples.push_back(sample);
  };
  for_each_member(args.at, args.at + args.length, add_value);
}

void PartBuilder::add_async(RawEvent& event) {
  Moment start;
  if (!start_of(event, start)) return;
  TraceAsyncPoint point;
  point.time_ns = start.ns;
  point.source = {offset_, length_};
  point.name = name_of(event);
  point.thread = thread_of(event);
  point.phase = event.phase;
  const TraceAsyncKey made{process_of(event), category_of(event)};
  std::string place(category_text(event));
  place += '\0';
  append_id(event, place);
  // The older kind of async events is told apart by name too.
  const bool is_nestable = event.phase == 'b' || event.phase == 'e' || event.phase == 'n';
  place += '\0';
  place += is_nestable ? 'b' : 's';
  if (!is_nestable) place += event.of(Field::name).raw();
  bool is_new;
  point.key = intern(Table::async_keys, place, is_new);
  if (is_new) part_.fresh_async_keys.push_back(made);
  part_.async_points.push_back(point);
}

void PartBuilder::add_flow(RawEvent& event) {
  Moment start;
  if (!start_of(event, start)) return;
  TraceFlowPoint point;
  point.time_ns = start.ns;
  point.name = name_of(event);
  point.thread = thread_of(event);
  point.category = category_of(event);
  point.phase = event.phase;
  const std::string_view category = last_category_;
  // As catapult does: these categories bind as bp "e".
  point.binds_enclosing = event.phase != 'f' || event.of(Field::bp).raw() == "e" ||
                          category.find("input") != std::string_view::npos || category.find("ipc.flow") != std::string_view::npos;
  key_.assign(category);
  key_ += '\0';
  key_ += event.of(Field::name).raw();
  key_ += '\0';
  append_id(event, key_);
  point.id = hash_bytes(key_.data(), key_.size(), hash_seed());
  part_.flow_points.push_back(point);
}

void PartBuilder::add_bound_flow(RawEvent& event, const TraceSlice& slice) {
  const auto is_set = [&](Field field) {
    const Token& token = event.of(field);
    return token.kind != Kind::none && token.raw() != "false" && token.raw() != "0" && token.raw() != "null";
  };
  const bool out = is_set(Field::flow_out);
  const bool in = is_set(Field::flow_in);
  if (!out && !in) return;
  TraceFlowPoint point;
  point.time_ns = slice.start_ns;
  point.name = slice.name;
  point.thread = slice.thread;
  point.category = slice.category;
  point.phase = out && in ? 'b' : out ? 'o' : 'i';
  const Token& id = event.of(Field::bind_id);
  key_.assign("bind");
  key_ += id.kind == Kind::text ? 't' : 'n';
  key_ += id.raw();
  point.id = hash_bytes(key_.data(), key_.size(), hash_seed());
  part_.flow_points.push_back(point);
}

void PartBuilder::add_name(RawEvent& event) {
  const std::string_view name = event.of(Field::name).raw();
  using What = NameChange::What;
  NameChange change;
  Arg arg = Arg::name;
  if (name == "process_name") {
    change.what = What::process_name;
  } else if (name == "process_labels") {
    change.what = What::process_labels;
    arg = Arg::labels;
  } else if (name == "process_sort_index") {
    change.what = What::process_sort_index;
    arg = Arg::sort_index;
  } else if (name == "thread_name") {
    change.what = What::thread_name;
  } else if (name == "thread_sort_index") {
    change.what = What::thread_sort_index;
    arg = Arg::sort_index;
  } else {
    return;
  }
  const Token& value = event.of(arg);
  if (value.kind != Kind::text && value.kind != Kind::number) return;
  if (arg == Arg::sort_index) {
    if (!to_integer(value.raw(), change.sort_index)) return;
  } else {
    change.name = string(decoded(value, scratch_));
  }
  const bool is_thread = change.what == What::thread_name || change.what == What::thread_sort_index;
  change.of = is_thread ? thread_of(event) : process_of(event);
  part_.name_changes.push_back(change);
}

void PartBuilder::add_frame(const Token& id, const Token& name) {
  const uint32_t key = string(decoded(id, scratch_));
  part_.frames.emplace_back(key, string(decoded(name, scratch_)));
}

}  // namespace tidemark::readers::trace
