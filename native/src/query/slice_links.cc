#include "query/slice_links.h"

#include <vector>

#include "query/json.h"
#include "store/trace_columns.h"

namespace tidemark {
namespace {

class SliceLinks {
 public:
  SliceLinks(TraceReader& reader, TraceIndex& index)
      : reader_(reader), index_(index), name_(reader.column(kSliceRelation, "name")), category_(reader.column(kSliceRelation, "category")),
        parent_(reader.column(kSliceRelation, "parent")), correlation_(reader.column(kSliceRelation, "correlation")),
        from_(reader.column(kFlowRelation, "from")), to_(reader.column(kFlowRelation, "to")),
        flow_name_(reader.column(kFlowRelation, "name")), by_to_(reader.column(kFlowToRelation, "flow")) {}

  std::string answer(size_t slice) {
    const std::vector<size_t> out = flows_out(slice);
    const std::vector<size_t> in = flows_in(slice);
    const std::vector<size_t> around = ancestors(slice);
    const int64_t launch = launch_of(slice, in);
    int64_t op = first_of_kind(around, "cpu_op");
    if (op < 0 && launch >= 0) op = first_of_kind(ancestors(static_cast<size_t>(launch)), "cpu_op");
    JsonObject json;
    json.json("out", json_array(out, [&](size_t flow) { return linked(flow, to_); }));
    json.json("in", json_array(in, [&](size_t flow) { return linked(flow, from_); }));
    json.json("ancestors", json_array(around, [&](size_t id) { return described(static_cast<int64_t>(id)); }));
    json.json("launch", described(launch)).json("op", described(op));
    return json.take();
  }

 private:
  std::vector<size_t> flows_out(size_t slice) {
    std::vector<size_t> out;
    const auto id = static_cast<int64_t>(slice);
    for (size_t flow = reader_.lower_bound(from_, 0, from_.size(), id); flow < from_.size() && out.size() < kMostLinks; ++flow) {
      if (reader_.at(from_, flow) != id || reader_.failed()) break;
      out.push_back(flow);
    }
    return out;
  }

  // Rows of flow, of which by_to_ holds the order by `to`.
  std::vector<size_t> flows_in(size_t slice) {
    const auto to_at = [&](size_t place) { return reader_.at(to_, static_cast<size_t>(reader_.at(by_to_, place))); };
    const auto id = static_cast<int64_t>(slice);
    size_t first = 0;
    for (size_t end = by_to_.size(); first < end && !reader_.failed();) {
      const size_t middle = first + (end - first) / 2;
      if (to_at(middle) < id) first = middle + 1;
      else end = middle;
    }
    std::vector<size_t> out;
    for (; first < by_to_.size() && out.size() < kMostLinks && to_at(first) == id && !reader_.failed(); ++first) {
      out.push_back(static_cast<size_t>(reader_.at(by_to_, first)));
    }
    return out;
  }

  // Innermost first.
  std::vector<size_t> ancestors(size_t slice) {
    std::vector<size_t> out;
    for (int64_t at = parent_at(slice); at >= 0 && out.size() < kMostLinks && !reader_.failed(); at = parent_at(out.back())) {
      out.push_back(static_cast<size_t>(at));
    }
    return out;
  }

  // −1 without one; ids from elsewhere than this index name none.
  int64_t known(int64_t slice) const { return slice >= 0 && slice < static_cast<int64_t>(index_.slice_count()) ? slice : -1; }
  int64_t parent_at(size_t slice) { return known(reader_.at(parent_, slice)); }

  const TraceCategory* category(size_t slice) {
    const int64_t id = reader_.at(category_, slice);
    return id >= 0 && id < static_cast<int64_t>(index_.categories().size()) ? &index_.categories()[static_cast<size_t>(id)] : nullptr;
  }
  bool is_of_kind(size_t slice, const char* kind) {
    const TraceCategory* found = category(slice);
    return found && found->kind == kind;
  }

  int64_t first_of_kind(const std::vector<size_t>& slices, const char* kind) {
    for (const size_t slice : slices) {
      if (is_of_kind(slice, kind)) return static_cast<int64_t>(slice);
    }
    return -1;
  }

  // The runtime call from which a flow leads to a GPU slice; that with the same correlation where there are several.
  int64_t launch_of(size_t slice, const std::vector<size_t>& in) {
    if (!is_of_kind(slice, "gpu")) return -1;
    const int64_t correlation = reader_.at(correlation_, slice);
    int64_t launch = -1;
    for (const size_t flow : in) {
      const int64_t from = known(reader_.at(from_, flow));
      if (from < 0 || !is_of_kind(static_cast<size_t>(from), "runtime")) continue;
      const bool is_same = correlation >= 0 && reader_.at(correlation_, static_cast<size_t>(from)) == correlation;
      if (is_same) return from;
      if (launch < 0) launch = from;
    }
    return launch;
  }

  JsonObject description(size_t slice) {
    const TraceCategory* found = category(slice);
    JsonObject json;
    json.number("slice_id", slice).json("name", index_.quoted_name(reader_.at(name_, slice))).text("category", found ? found->name : "");
    return json;
  }
  std::string described(int64_t slice) { return known(slice) < 0 ? "null" : description(static_cast<size_t>(slice)).take(); }

  // The slice at the other end of a flow, and the name of the flow.
  std::string linked(size_t flow, TraceColumn& end) {
    const int64_t slice = known(reader_.at(end, flow));
    if (slice < 0) return "null";
    return description(static_cast<size_t>(slice)).json("flow", index_.quoted_name(reader_.at(flow_name_, flow))).take();
  }

  TraceReader& reader_;
  TraceIndex& index_;
  TraceColumn &name_, &category_, &parent_, &correlation_, &from_, &to_, &flow_name_, &by_to_;
};

}  // namespace

Failure slice_links(TraceReader& reader, TraceIndex& index, size_t slice, std::string& out) {
  out = SliceLinks(reader, index).answer(slice);
  return reader.failure();
}

}  // namespace tidemark
