// The part of Assembler that ends a cut document: what is complete is kept, the unfinished innermost dicts are dropped.
#include "readers/assembler.h"

namespace tidemark::readers {
namespace {

bool is_dict(Kind kind) { return kind == Kind::new_dict || kind == Kind::open_dict; }

}  // namespace

bool Assembler::is_unfinished(const Value& value) {
  if (value.kind == Kind::new_dict) return true;
  const Record* record = record_of(value);
  return record && record->one_by_one;
}

// Writers put a single item into its list without a mark; when the cut lies between, the item still lies above the
// list.
void Assembler::join_tail(size_t first, bool in_dict) {
  while (top_ > first) {
    if (is_unfinished(values_[top_ - 1])) {
      --top_;
      continue;
    }
    if (top_ < first + 2 || !is_list(values_[top_ - 2].kind)) return;
    const Kind last = values_[top_ - 1].kind;
    const bool is_item =
        last == Kind::open_dict || last == Kind::done || last == Kind::frame || (in_dict && is_list(last));
    if (!is_item) return;
    complete_items(top_ - 1);
    if (!fill_list(top_ - 2, top_ - 1)) return;
  }
}

void Assembler::salvage_marked() {
  const size_t first = marks_.back();
  const bool in_dict = first > 0 && is_dict(values_[first - 1].kind);
  join_tail(first, in_dict);
  bool kept = first > 0;
  if (in_dict && first == 1 && marks_.size() == 1) {
    marks_.pop_back();
    top_ -= (top_ - first) % 2;
    complete_items(first);
    kept = fill_root(first);
  } else if (in_dict) {
    marks_.pop_back();
    top_ = first - 1;
  } else {
    const size_t open = marks_.size();
    kept = append_marked();
    if (marks_.size() == open) marks_.pop_back();
  }
  if (!kept && top_ > first) top_ = first;
}

void Assembler::salvage_unmarked() {
  const size_t at = top_ - 1;
  if (is_unfinished(values_[at])) {
    --top_;
  } else if (is_list(values_[at - 1].kind)) {
    complete_items(at);
    if (!fill_list(at - 1, at)) top_ = at;
  } else if (at >= 2 && values_[at - 1].kind == Kind::text && is_dict(values_[at - 2].kind)) {
    complete_items(at);
    if (at > 2 || !fill_root(at - 1)) top_ = at > 2 ? at - 2 : 1;
  } else {
    --top_;
  }
}

void Assembler::salvage() {
  while (!marks_.empty()) salvage_marked();
  while (top_ > 1) salvage_unmarked();
  error_ = {};
  finish();
}

bool Assembler::finish() {
  if (top_ == 0) return fail("snapshot/malformed", "The document is empty.");
  if (!marks_.empty()) return fail("snapshot/malformed", "The document ends while containers are open.");
  complete_items(top_ - 1);
  builder_.root_list(values_[top_ - 1]);
  return true;
}

}  // namespace tidemark::readers
