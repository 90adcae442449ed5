#include "query/lifetime_sweep.h"

namespace tidemark {

LifetimeSweep::LifetimeSweep(SweepOf of, size_t columns, size_t rows, SweepScratch& scratch)
    : of_(of),
      columns_(columns),
      rows_(rows),
      parts_(rows),
      spans_(rows),
      pending_spans_(rows),
      age_spans_(rows),
      lasting_(rows),
      pending_lasting_(rows),
      born_lasting_(rows),
      changes_(scratch.changes),
      first_change_(columns, kNone) {
  changes_.clear();
  for (auto* values : {&sums_.alive, &sums_.pending, &sums_.age}) values->assign(rows, 0.0);
}

// Adds what [from, to), inside the column at hand, contributes to it.
void LifetimeSweep::add_alive(const GridBar& bar, const RowSpan& span, double from, double to, double sign) {
  if (to - from < kSliver) return;
  const double value = sign * bar.bytes * (to - from);
  const double age = of_ == SweepOf::ages ? value * ((from + to) / 2 - bar.born) : 0;
  if (span.is_single()) {
    parts_[span.first].alive += value * span.first_share;
    parts_[span.first].age += age * span.first_share;
    return;
  }
  has_spans_ = true;
  spans_.add(span, value, 1);
  if (of_ == SweepOf::ages) age_spans_.add(span, age, 1);
}

void LifetimeSweep::add_pending(const GridBar& bar, const RowSpan& span, double from, double to, double sign) {
  if (to - from < kSliver) return;
  const double value = sign * bar.bytes * (to - from);
  if (span.is_single()) {
    parts_[span.first].pending += value * span.first_share;
    return;
  }
  has_spans_ = true;
  pending_spans_.add(span, value, 1);
}

void LifetimeSweep::enter(const GridBar& bar, const RowSpan& span) {
  if (of_ == SweepOf::made) return enter_point(bar, span, bar.start);
  if (of_ == SweepOf::freed) return enter_point(bar, span, bar.freed);
  is_changed_ = has_parts_ = true;
  const double start = std::max(bar.start, 0.0);
  const double here = static_cast<double>(column_);
  if (bar.freed < here + 1 + kSliver) {
    add_alive(bar, span, start, bar.freed, 1);
    return begin_pending(bar, span);
  }
  lasting_.add(span, bar.bytes, 1);
  if (of_ == SweepOf::ages) born_lasting_.add(span, bar.bytes * bar.born, 1);
  add_alive(bar, span, here, start, -1);
  if (bar.freed < static_cast<double>(columns_)) schedule(bar, bar.freed, false);
}

void LifetimeSweep::enter_point(const GridBar& bar, const RowSpan& span, double x) {
  if (x < 0 || x >= static_cast<double>(columns_)) return;
  if (column_at(x) > column_) return schedule(bar, x, false);
  is_changed_ = has_parts_ = true;
  add_alive(bar, span, 0, 1, 1);
}

// From `freed`, in the column at hand or before it, on.
void LifetimeSweep::begin_pending(const GridBar& bar, const RowSpan& span) {
  const double here = static_cast<double>(column_);
  const double from = std::max(bar.freed, std::max(bar.start, 0.0));
  if (bar.completed - from < kSliver) return;
  if (bar.completed < here + 1 + kSliver) return add_pending(bar, span, from, bar.completed, 1);
  pending_lasting_.add(span, bar.bytes, 1);
  add_pending(bar, span, here, from, -1);
  if (bar.completed < static_cast<double>(columns_)) schedule(bar, bar.completed, true);
}

void LifetimeSweep::schedule(const GridBar& bar, double x, bool is_end) {
  uint32_t& first = first_change_[column_at(x)];
  uint32_t at = first_unused_;
  if (at == kNone) {
    at = static_cast<uint32_t>(changes_.size());
    changes_.push_back({bar, first, is_end});
  } else {
    first_unused_ = changes_[at].next;
    changes_[at] = {bar, first, is_end};
  }
  first = at;
}

void LifetimeSweep::make_changes() {
  for (uint32_t at = first_change_[column_]; at != kNone;) {
    const SweepScratch::Change change = changes_[at];  // a copy: what follows it may take its place
    changes_[at].next = first_unused_;
    first_unused_ = at;
    make_change(change.bar, change.is_end);
    at = change.next;
  }
}

void LifetimeSweep::make_change(const GridBar& bar, bool is_end) {
  is_changed_ = has_parts_ = true;
  const double here = static_cast<double>(column_);
  const RowSpan span = row_span(bar.row0, bar.row1, rows_);
  if (of_ == SweepOf::freed) return add_alive(bar, span, 0, 1, 1);
  if (is_end) {
    pending_lasting_.add(span, -bar.bytes, -1);
    return add_pending(bar, span, here, bar.completed, 1);
  }
  lasting_.add(span, -bar.bytes, -1);
  if (of_ == SweepOf::ages) born_lasting_.add(span, -bar.bytes * bar.born, -1);
  add_alive(bar, span, here, bar.freed, 1);
  begin_pending(bar, span);
}

void LifetimeSweep::read_sums() {
  RowSums::Reader lasting(lasting_), pending_lasting(pending_lasting_);
  for (size_t row = 0; row < rows_; ++row) {
    sums_.alive[row] = lasting.next() + parts_[row].alive;
    sums_.pending[row] = pending_lasting.next() + parts_[row].pending;
  }
  if (has_spans_) add_spans();
  for (size_t row = 0; row < rows_; ++row) {
    sums_.alive[row] = std::max(sums_.alive[row], 0.0);
    sums_.pending[row] = std::max(sums_.pending[row], 0.0);
  }
  if (of_ == SweepOf::ages) read_ages();
}

void LifetimeSweep::add_spans() {
  RowSums::Reader spans(spans_), pending_spans(pending_spans_);
  for (size_t row = 0; row < rows_; ++row) {
    sums_.alive[row] += spans.next();
    sums_.pending[row] += pending_spans.next();
  }
}

// Through a whole column an age is on average that at its middle.
void LifetimeSweep::read_ages() {
  RowSums::Reader alive(lasting_), born(born_lasting_), spans(age_spans_);
  const double middle = static_cast<double>(column_) + 0.5;
  for (size_t row = 0; row < rows_; ++row) {
    sums_.age[row] = std::max(alive.next() * middle - born.next() + parts_[row].age + spans.next(), 0.0);
  }
}

void LifetimeSweep::clear_column() {
  // What is only there for a part of this column makes the next one another.
  is_changed_ = has_parts_;
  if (has_parts_) std::fill(parts_.begin(), parts_.end(), Part{});
  if (has_spans_) {
    spans_.clear();
    pending_spans_.clear();
    if (of_ == SweepOf::ages) age_spans_.clear();
  }
  has_parts_ = has_spans_ = false;
}

}  // namespace tidemark
