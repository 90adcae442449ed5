#include "query/trace_filter.h"

#include <algorithm>

#include "model/bits.h"
#include "query/json_ids.h"
#include "store/sql.h"
#include "store/trace_columns.h"

namespace tidemark {

Failure TraceFilter::read(const TraceIndex& index, const std::string& json) {
  is_active_ = false;
  if (json.empty()) return {};
  Statement shape(index.db(),
                  "SELECT json_type(?1), json_type(?1, '$.names'), json_extract(?1, '$.names'), "
                  "(SELECT count(*) FROM json_each(?1)) WHERE json_valid(?1)");
  shape.bind(1, json);
  if (shape.step() != SQLITE_ROW || shape.text(0) != "object") return bad_argument("filter must be a JSON object or empty.");
  if (shape.integer(3) == 0) return {};
  if (shape.integer(3) != 1 || shape.text(1) != "array") return bad_argument("filter: only names, an array of string_ids, is known.");
  return read_names(index, shape.text(2));
}

Failure TraceFilter::read_names(const TraceIndex& index, std::string_view json) {
  std::vector<int64_t> ids;
  if (!read_ids(json, kMostFilterNames, ids)) return bad_argument("names must be a JSON array of at most 100000 string_ids.");
  is_active_ = true;
  names_.assign(index.name_count(), 0);
  for (const int64_t id : ids) {
    if (id < static_cast<int64_t>(names_.size())) names_[static_cast<size_t>(id)] = 1;
  }
  return {};
}

Failure PassingSlices::find(TraceReader& reader, const TraceIndex& index, size_t lane, const TraceFilter& filter, const StopSignal& stop) {
  if (names_ != filter.names() || is_found_.empty()) {
    names_ = filter.names();
    bits_.assign((index.slice_count() + 63) / 64, 0);
    is_found_.assign(index.lanes().size(), 0);
  }
  if (is_found_[lane]) return {};
  TraceColumn& name = reader.column(kSliceRelation, "name");
  const RowStretch rows = index.lanes()[lane].slices;
  std::vector<int64_t> names(kPackedPiece);
  for (size_t from = rows.first; from < rows.end();) {
    if (stop()) return query_cancelled();
    const size_t to = std::min(rows.end(), (from | (kPackedPiece - 1)) + 1);
    reader.prefetch(name, from, to);
    reader.decode(name, from, to - from, names.data());
    for (size_t row = from; row < to; ++row) {
      bits_[row / 64] |= uint64_t{filter.passes(names[row - from])} << row % 64;
    }
    from = to;
  }
  is_found_[lane] = !reader.failed();
  return reader.failure();
}

size_t PassingSlices::next(size_t from, size_t to) const {
  while (from < to) {
    const uint64_t rest = bits_[from / 64] >> from % 64;
    if (rest) return std::min(to, from + static_cast<size_t>(lowest_bit(rest)));
    from = (from | 63) + 1;
  }
  return to;
}

}  // namespace tidemark
