#include "store/row_filter.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace tidemark {
namespace {

constexpr unsigned char kEqual = SQLITE_INDEX_CONSTRAINT_EQ;

bool is_range(unsigned char op) {
  return op == SQLITE_INDEX_CONSTRAINT_GT || op == SQLITE_INDEX_CONSTRAINT_GE || op == SQLITE_INDEX_CONSTRAINT_LT ||
         op == SQLITE_INDEX_CONSTRAINT_LE;
}

std::optional<int64_t> parse_address(std::string_view text) {
  if (text.size() < 3 || text.size() > 18 || text[0] != '0' || text[1] != 'x') return std::nullopt;
  uint64_t value = 0;
  for (const char c : text.substr(2)) {
    const int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
    if (digit < 0) return std::nullopt;
    value = value << 4 | static_cast<uint64_t>(digit);
  }
  return static_cast<int64_t>(value);
}

std::optional<int64_t> state_code(std::string_view word) {
  for (int i = 0; i < kStateWordCount; ++i) {
    if (word == kStateWords[i]) return i;
  }
  return std::nullopt;
}

std::string_view text_of(sqlite3_value* value) {
  const auto* data = reinterpret_cast<const char*>(sqlite3_value_text(value));
  return data ? std::string_view(data, static_cast<size_t>(sqlite3_value_bytes(value))) : std::string_view();
}

// The first row in [from, to) whose ascending stored value is at least (or, with `after`, above) `value`.
int64_t first_row(RelationReader& reader, int column, RowRange range, int64_t value, bool after) {
  while (range.from < range.to) {
    const int64_t middle = range.from + (range.to - range.from) / 2;
    const int64_t stored = reader.column(column).at(static_cast<size_t>(middle), kNeverNull);
    if (after ? stored <= value : stored < value) range.from = middle + 1;
    else range.to = middle;
  }
  return range.from;
}

}  // namespace

bool narrows(const RelationColumn& column, unsigned char op) {
  switch (column.show) {
    case Show::device:
    case Show::at_device:
    case Show::at_event:
    case Show::address:
    case Show::action:
    case Show::category:
    case Show::string:
    case Show::lane_track:
    case Show::series_track:
    case Show::state: return op == kEqual;
    case Show::row_id: return op == kEqual || is_range(op);
    case Show::integer:
    case Show::alloc_event:
    case Show::free_event: return op == kEqual || (column.ascending && is_range(op));
    default: return false;
  }
}

std::string encode_plan(const std::vector<PlannedConstraint>& plan) {
  std::string out;
  for (const PlannedConstraint& c : plan) out += std::to_string(c.column) + "," + std::to_string(c.op) + ";";
  return out;
}

std::vector<PlannedConstraint> decode_plan(const char* text) {
  std::vector<PlannedConstraint> out;
  while (text && *text) {
    char* end;
    PlannedConstraint c;
    c.column = static_cast<int>(std::strtol(text, &end, 10));
    c.op = static_cast<unsigned char>(std::strtol(end + 1, &end, 10));
    out.push_back(c);
    text = end + 1;
  }
  return out;
}

RowFilter::RowFilter(const Relation& relation, const std::vector<PlannedConstraint>& plan, sqlite3_value** values,
                     RelationNames& names)
    : relation_(relation) {
  for (size_t i = 0; i < plan.size(); ++i) take(relation.columns[plan[i].column], plan[i], values[i], names);
  for (int c = 0; c < relation.column_count && relation.live_at_event; ++c) {
    if (std::strcmp(relation.columns[c].name, "alloc_event") == 0) alloc_column_ = c;
    if (std::strcmp(relation.columns[c].name, "free_requested_event") == 0) free_column_ = c;
  }
}

void RowFilter::take_equal(int column, std::optional<int64_t> stored) {
  const int64_t null_value = relation_.columns[column].null_value;
  if (!stored || (*stored == null_value && null_value != kNeverNull)) {  // NULL equals nothing
    nothing_ = true;
    return;
  }
  equals_.push_back({column, kEqual, *stored});
  if (relation_.columns[column].show == Show::address) std::swap(equals_.front(), equals_.back());
}

void RowFilter::take_text(int column, const TextCode& code) {
  if (code.is_sole) take_equal(column, code.value);
}

// Values of another type than the column's are left to SQLite, which knows how to compare them.
void RowFilter::take(const RelationColumn& column, const PlannedConstraint& constraint, sqlite3_value* value,
                     RelationNames& names) {
  const int type = sqlite3_value_type(value);
  if (type == SQLITE_TEXT) {
    if (column.show == Show::address) take_equal(constraint.column, parse_address(text_of(value)));
    if (column.show == Show::state) take_equal(constraint.column, state_code(text_of(value)));
    if (column.show == Show::action) take_equal(constraint.column, names.action_code(text_of(value)));
    if (column.show == Show::category) take_text(constraint.column, names.category_code(text_of(value)));
    if (column.show == Show::string) take_text(constraint.column, names.string_code(text_of(value)));
  }
  if (type == SQLITE_NULL) nothing_ = true;  // every operator of a plan compares, and NULL meets no comparison
  if (type != SQLITE_INTEGER) return;
  const int64_t number = sqlite3_value_int64(value);
  switch (column.show) {
    case Show::device:
    case Show::at_device:
      if (device_ && *device_ != number) nothing_ = true;
      device_ = number;
      break;
    case Show::at_event: at_event_ = number; break;
    case Show::lane_track:
    case Show::series_track:
    case Show::row_id: bounds_.push_back({constraint.column, constraint.op, number}); break;
    case Show::integer:
    case Show::alloc_event:
    case Show::free_event:
      if (column.ascending) bounds_.push_back({constraint.column, constraint.op, number});
      else if (constraint.op == kEqual) take_equal(constraint.column, number);
      break;
    default: break;
  }
}

RowRange RowFilter::rows(RelationReader& reader, int64_t row_count, int64_t first_id) const {
  RowRange range{0, row_count};
  const auto at_least = [&](int64_t row) { range.from = std::max(range.from, row); };
  const auto below = [&](int64_t row) { range.to = std::min(range.to, row); };
  for (const Bound& bound : bounds_) {
    const RelationColumn& column = relation_.columns[bound.column];
    if (column.show == Show::lane_track || column.show == Show::series_track) {
      int64_t from, to;
      reader.rows_of_track(column.show, bound.value, from, to);
      at_least(from);
      below(to);
      continue;
    }
    const bool by_id = column.show == Show::row_id;
    const RowRange all{0, row_count};
    // NULL meets no bound; what is stored for it is below all other values.
    if (column.null_value != kNeverNull) at_least(first_row(reader, bound.column, all, column.null_value, true));
    // Ids beyond any row are clamped first, so that the arithmetic cannot overflow.
    const int64_t id_row = std::clamp(bound.value, first_id - 1, first_id + row_count) - first_id;
    const auto first_from = [&] { return by_id ? id_row : first_row(reader, bound.column, all, bound.value, false); };
    const auto first_after = [&] { return by_id ? id_row + 1 : first_row(reader, bound.column, all, bound.value, true); };
    switch (bound.op) {
      case SQLITE_INDEX_CONSTRAINT_GT: at_least(first_after()); break;
      case SQLITE_INDEX_CONSTRAINT_GE: at_least(first_from()); break;
      case SQLITE_INDEX_CONSTRAINT_LT: below(first_from()); break;
      case SQLITE_INDEX_CONSTRAINT_LE: below(first_after()); break;
      default:
        at_least(first_from());
        below(first_after());
    }
  }
  if (alloc_column_ >= 0) below(first_row(reader, alloc_column_, {0, row_count}, at_event(), true));
  range.to = std::max(range.from, range.to);
  // One row, as a lookup by id asks for, is no search.
  if (!equals_.empty() && range.to - range.from > 1) reader.column(equals_.front().column).begin_search();
  return range;
}

int64_t RowFilter::next(RelationReader& reader, int64_t from, int64_t to) const {
  for (; from < to; ++from) {
    const auto row = static_cast<size_t>(from), end = static_cast<size_t>(to);
    if (!equals_.empty()) {
      from = static_cast<int64_t>(reader.column(equals_.front().column).next_equal(equals_.front().value, row, end));
    } else if (free_column_ >= 0) {
      from = static_cast<int64_t>(reader.column(free_column_).next_above(at_event(), row, end));
    }
    if (from >= to || matches(reader, static_cast<size_t>(from))) break;
  }
  return std::min(from, to);
}

bool RowFilter::matches(RelationReader& reader, size_t row) const {
  for (size_t i = 1; i < equals_.size(); ++i) {
    if (reader.column(equals_[i].column).at(row, kNeverNull) != equals_[i].value) return false;
  }
  const bool only_live = free_column_ >= 0 && !equals_.empty();  // else next_above() has seen to it
  return !only_live || reader.column(free_column_).at(row, kNeverNull) > at_event();
}

}  // namespace tidemark
