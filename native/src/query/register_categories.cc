// The SQL face of the categories (native/README.md, Categories).
#include "query/category_totals.h"
#include "query/question.h"
#include "query/trace_question.h"

namespace tidemark {
namespace {

void answer_rules(const TraceQuestion& q) {
  const std::string json = q.arguments.text("rules");
  if (q.arguments.error().failed()) return answer_error(q.sql, q.arguments.error());
  auto rules = std::make_shared<CategoryRules>();
  const Failure error = read_category_rules(q.context.state().db(), json, *rules);
  if (error.failed()) return answer_error(q.sql, error);
  sqlite3_result_int64(q.sql, static_cast<sqlite3_int64>(rules->rules.size()));
  q.context.set_category_rules(std::move(rules));
}

void answer_totals(const Question& q) {
  const int64_t event = q.arguments.integer("event");
  const Lifetimes* lifetimes = q.load(kAllocationsPart);
  if (!lifetimes) return;
  Failure error = check_event(*lifetimes->columns, event);
  const Categories* categories = error.failed() ? nullptr : q.context.categories(*lifetimes->columns, error);
  if (!categories) return answer_error(q.sql, error);
  answer_text(q.sql, category_totals(*lifetimes, *categories, event));
}

void answer_category_of(const Question& q) {
  const int64_t id = q.arguments.integer("allocation_id");
  const Lifetimes* lifetimes = q.load(kAllocationsPart);
  if (!lifetimes) return;
  size_t allocation = 0;
  Failure error = find_allocation(*lifetimes->columns, id, allocation);
  const Categories* categories = error.failed() ? nullptr : q.context.categories(*lifetimes->columns, error);
  if (!categories) return answer_error(q.sql, error);
  const std::string_view name = category_name(categories->category[allocation]);
  sqlite3_result_text(q.sql, name.data(), static_cast<int>(name.size()), SQLITE_STATIC);
}

}  // namespace

QueryFunctions category_functions() {
  return {
      {"category_rules", 1, run_trace<answer_rules>},
      {"category_totals", 2, run<answer_totals>},
      {"category_of", 2, run<answer_category_of>},
  };
}

}  // namespace tidemark
