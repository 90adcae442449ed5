// The SQL face of lists of allocations (native/README.md, Allocations).
#include <algorithm>

#include "query/allocation_list.h"
#include "query/json.h"
#include "query/json_ids.h"
#include "query/question.h"

namespace tidemark {
namespace {

constexpr int64_t kMostRows = 10'000;
constexpr size_t kMostStacks = 10'000'000;

AllocationSort read_sort(SqlArguments& arguments) {
  return arguments.word<AllocationSort>("sort", {{"id", AllocationSort::id},
                                                 {"address", AllocationSort::address},
                                                 {"size", AllocationSort::size},
                                                 {"requested", AllocationSort::requested},
                                                 {"stream", AllocationSort::stream},
                                                 {"pool", AllocationSort::pool},
                                                 {"made", AllocationSort::made},
                                                 {"freed", AllocationSort::freed},
                                                 {"life", AllocationSort::life},
                                                 {"life_ns", AllocationSort::life_ns},
                                                 {"stack", AllocationSort::stack},
                                                 {"category", AllocationSort::category}});
}

// `by_title`: those stack_ids that have a title, in order of these, as a JSON array; '' = by stack_id.
bool read_ranks(const std::string& by_title, size_t stack_count, std::vector<uint32_t>& ranks) {
  if (by_title.empty()) return true;
  std::vector<int64_t> ids;
  if (!read_ids(by_title, kMostStacks, ids)) return false;
  ranks.assign(stack_count + 1, kNoRank);  // never empty: that would be an order of its own
  for (size_t place = 0; place < ids.size(); ++place) {
    const size_t id = static_cast<size_t>(ids[place]);
    if (id < ranks.size()) ranks[id] = static_cast<uint32_t>(place);
  }
  return true;
}

// What both questions about a list begin with: filter, sort, descending, by_title.
struct ListQuestion {
  std::string filter, by_title;
  AllocationOrder order;

  explicit ListQuestion(SqlArguments& arguments) {
    filter = arguments.text("filter");
    order.sort = read_sort(arguments);
    order.descending = arguments.integer("descending") != 0;
    by_title = arguments.text("by_title");
  }

  std::string key(int64_t device) const {
    const char unit = '\x1f';
    return std::to_string(device) + unit + std::to_string(static_cast<int>(order.sort)) + unit + (order.descending ? "-" : "+") + unit +
           filter + unit + by_title;
  }
};

// The list, made unless it is kept; nullptr when the error is answered already.
std::shared_ptr<const AllocationList> load_list(const Question& q, ListQuestion& asked, const DeviceColumns*& device) {
  const Lifetimes* lifetimes = q.load(sort_parts(asked.order.sort));
  if (!lifetimes) return nullptr;
  device = lifetimes->columns;
  AllocationLists& lists = q.context.allocation_lists();
  const std::string key = asked.key(q.device);
  std::shared_ptr<const AllocationList> kept = lists.find(q.context.state().generation(), key);
  if (kept) return kept;
  AllocationFilter filter;
  auto list = std::make_shared<AllocationList>();
  Failure error = q.read_filter(asked.filter, *device, filter);
  if (!error.failed() && !read_ranks(asked.by_title, device->stack_slot.size(), asked.order.ranks)) {
    error = bad_argument("by_title must be a JSON array of stack_ids or empty.");
  }
  if (!error.failed() && asked.order.sort == AllocationSort::category) error = q.read_colors(ColorBy::category, *device, asked.order.categories);
  if (!error.failed()) error = list_allocations(*device, filter, asked.order, q.context.stop_signal(), *list);
  if (error.failed()) {
    answer_error(q.sql, error);
    return nullptr;
  }
  lists.keep(key, list);
  return list;
}

void answer_list(const Question& q) {
  ListQuestion asked(q.arguments);
  const int64_t limit = q.arguments.integer("limit");
  const int64_t offset = q.arguments.integer("offset");
  if (!q.arguments.error().failed() && (limit < 1 || limit > kMostRows)) return answer_error(q.sql, bad_argument("limit must be 1 to 10000."));
  if (!q.arguments.error().failed() && offset < 0) return answer_error(q.sql, bad_argument("offset must not be negative."));
  const DeviceColumns* device = nullptr;
  const auto list = load_list(q, asked, device);
  if (!list) return;
  const std::vector<uint32_t>& all = list->allocations;
  const size_t first = std::min(static_cast<size_t>(offset), all.size());
  const size_t end = std::min(first + static_cast<size_t>(limit), all.size());
  const std::vector<uint32_t> page(all.begin() + static_cast<std::ptrdiff_t>(first), all.begin() + static_cast<std::ptrdiff_t>(end));
  JsonObject answer;
  answer.number("count", all.size()).number("bytes", list->bytes);
  answer.json("rows", json_array(page, [&](uint32_t row) { return std::to_string(device->first_allocation_id + row); }));
  answer_text(q.sql, answer.take());
}

void answer_place(const Question& q) {
  ListQuestion asked(q.arguments);
  const int64_t id = q.arguments.integer("allocation_id");
  const DeviceColumns* device = nullptr;
  const auto list = load_list(q, asked, device);
  if (!list) return;
  const std::vector<uint32_t>& all = list->allocations;
  const auto found = std::find_if(all.begin(), all.end(), [&](uint32_t each) { return device->first_allocation_id + each == id; });
  if (found != all.end()) sqlite3_result_int64(q.sql, found - all.begin());
}

// What SQLite keeps of a filter from row to row of one statement: it may be a megabyte of text.
struct KeptFilter {
  uint64_t generation;  // of the connection's index
  int64_t device;
  AllocationFilter filter;
};

// Asked row by row with the same filter, which is read once.
void answer_passes(const Question& q) {
  constexpr int kFilterArgument = 2;
  const bool is_check = q.arguments.skip_null();  // whether it is a filter at all
  const int64_t id = is_check ? 0 : q.arguments.integer("allocation_id");
  const uint64_t generation = q.context.state().generation();
  const auto* known = static_cast<const KeptFilter*>(sqlite3_get_auxdata(q.sql, kFilterArgument));
  std::unique_ptr<KeptFilter> fresh;
  if (!known || known->generation != generation || known->device != q.device) {
    fresh.reset(new KeptFilter{generation, q.device, {}});
    const std::string json = q.arguments.text("filter");
    const Lifetimes* lifetimes = q.load(kAllocationsPart);
    if (!lifetimes) return;
    const Failure error = q.read_filter(json, *lifetimes->columns, fresh->filter);
    if (error.failed()) return answer_error(q.sql, error);
    known = fresh.get();
  }
  const Lifetimes* lifetimes = q.load(known->filter.parts());
  if (!lifetimes || is_check) return;
  size_t allocation = 0;
  const Failure error = find_allocation(*lifetimes->columns, id, allocation);
  if (error.failed()) return answer_error(q.sql, error);
  sqlite3_result_int(q.sql, known->filter.passes(*lifetimes->columns, allocation));
  if (fresh) sqlite3_set_auxdata(q.sql, kFilterArgument, fresh.release(), [](void* kept) { delete static_cast<KeptFilter*>(kept); });
}

}  // namespace

QueryFunctions allocation_functions() {
  return {
      {"allocation_list", 7, run<answer_list>},
      {"allocation_list_place", 6, run<answer_place>},
      {"allocation_passes", 3, run<answer_passes>},
  };
}

}  // namespace tidemark
