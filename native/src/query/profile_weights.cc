#include <cmath>

#include "query/stack_weights.h"
#include "store/sql.h"

namespace tidemark {
namespace {

constexpr size_t kRowsBetweenLooks = 1 << 14;
constexpr double kMostValue = 1e30;

Failure check_value_type(sqlite3* db, int64_t value_type) {
  Statement known(db, "SELECT 1 FROM profile_value_type WHERE value_type = ?");
  known.bind(1, value_type);
  const int result = known.step();
  const Failure failure = read_failure(result, "the value types");
  if (failure.failed() || result == SQLITE_ROW) return failure;
  return {"query/bad_argument", "This capture has no such value type.", -1};
}

}  // namespace

Failure weigh_profile(sqlite3* db, int64_t value_type, size_t stack_count, const StopSignal& stop, std::vector<FlameWeight>& out) {
  Failure failure = check_value_type(db, value_type);
  if (failure.failed()) return failure;
  out.assign(stack_count + 1, {});
  Statement rows(db, "SELECT stack_id, value FROM profile_value WHERE value_type = ?");
  rows.bind(1, value_type);
  int result = rows.step();
  for (size_t row = 0; result == SQLITE_ROW; result = rows.step()) {
    const int64_t stack = rows.integer(0);
    const double value = sqlite3_column_double(rows.get(), 1);
    if (++row % kRowsBetweenLooks == 0 && stop()) return query_cancelled();
    if (stack < 0 || static_cast<uint64_t>(stack) >= stack_count || !(std::abs(value) <= kMostValue)) continue;
    FlameWeight& weight = out[static_cast<size_t>(stack) + 1];
    (value < 0 ? weight.base : weight.value) = std::abs(value);
    weight.first = static_cast<double>(stack);
  }
  return read_failure(result, "the values");
}

}  // namespace tidemark
