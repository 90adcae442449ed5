// The answer of the functions that give curves by pixel column (native/README.md, Batches).
#pragma once

#include "query/question.h"

namespace tidemark {

// Answers `columns` (an axis, rep_time_ns, and min, max and rep of every curve), whose curves are `curves` in their order.
template <class CurveColumns, size_t kCount>
void answer_curve_columns(sqlite3_context* sql, const CurveColumns& columns, const Curve (&curves)[kCount]) {
  const auto& edge = columns.axis.edge;
  constexpr uint32_t kColumns = 4 + 3 * static_cast<uint32_t>(kCount);
  BatchWriter batch(kColumns, kColumns * sizeof(double) * columns.axis.count());
  batch.add_f64("rep_event", as_numbers(columns.axis.rep_event));
  batch.add_f64("first_event", {edge.begin(), edge.end() - 1});
  batch.add_f64("last_event", {edge.begin() + 1, edge.end()});
  batch.add_f64("rep_time_ns", columns.rep_time_ns);
  for (size_t i = 0; i < kCount; ++i) {
    const std::string name = kCurveNames[curves[i]];
    batch.add_f64((name + "_min").c_str(), columns.min[i]);
    batch.add_f64((name + "_max").c_str(), columns.max[i]);
    batch.add_f64((name + "_rep").c_str(), columns.rep[i]);
  }
  answer_batch(sql, batch);
}

}  // namespace tidemark
