// Which rows of a relation a statement wants: constraints handed down by SQLite, as row ranges and equal stored values.
// The answer may be too wide, never too narrow: SQLite checks every row again.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "store/relation_reader.h"

namespace tidemark {

// One constraint of a plan, in the order of its arguments.
struct PlannedConstraint {
  int column = 0;
  unsigned char op = 0;  // SQLITE_INDEX_CONSTRAINT_*
};

// Whether a constraint of this kind on this column narrows anything.
bool narrows(const RelationColumn& column, unsigned char op);

// The plan as text for idxStr, and back.
std::string encode_plan(const std::vector<PlannedConstraint>& plan);
std::vector<PlannedConstraint> decode_plan(const char* text);

struct RowRange {
  int64_t from = 0;
  int64_t to = 0;  // half-open
};

class RowFilter {
 public:
  // Takes the values of the constraints.
  RowFilter(const Relation& relation, const std::vector<PlannedConstraint>& plan, sqlite3_value** values,
            RelationNames& names);

  bool wants_device(int32_t device) const { return !nothing_ && (!device_ || *device_ == device); }

  // Rows of the device worth looking at.
  RowRange rows(RelationReader& reader, int64_t row_count, int64_t first_id) const;

  // The first row in [from, to) with the stored values asked for; `to` when there is none.
  int64_t next(RelationReader& reader, int64_t from, int64_t to) const;

  int64_t at_device() const { return device_.value_or(-1); }
  int64_t at_event() const { return at_event_.value_or(-1); }

 private:
  struct Bound {
    int column;
    unsigned char op;
    int64_t value;
  };
  void take(const RelationColumn& column, const PlannedConstraint& constraint, sqlite3_value* value, RelationNames& names);
  void take_equal(int column, std::optional<int64_t> stored);
  void take_text(int column, const TextCode& code);
  bool matches(RelationReader& reader, size_t row) const;

  const Relation& relation_;
  bool nothing_ = false;  // some constraint can hold for no row
  std::optional<int64_t> device_;
  std::optional<int64_t> at_event_;
  std::vector<Bound> bounds_;  // on the row's number or on ascending columns
  std::vector<Bound> equals_;  // on stored values; rows are searched by the first, the one with the fewest
  int alloc_column_ = -1;
  int free_column_ = -1;
};

}  // namespace tidemark
