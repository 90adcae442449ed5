#include "readers/assembler.h"

#include <algorithm>
#include <cstring>

namespace tidemark::readers {

bool Assembler::fail(const char* code, std::string message) {
  if (!error_.failed()) error_ = {code, std::move(message), builder_.offset()};
  return false;
}

bool Assembler::grow() {
  if (values_.size() >= kMaxValues) {
    return fail("snapshot/malformed", "More than 4,194,304 values wait for their container.");
  }
  values_.resize(values_.size() * 2);
  return true;
}

bool Assembler::need(size_t count) {
  if (top_ - floor() >= count) return true;
  return fail("snapshot/malformed", "An operation needs more values than there are.");
}

bool Assembler::take_mark(size_t& first) {
  if (marks_.empty()) return fail("snapshot/malformed", "A container is closed that was never opened (no mark).");
  first = marks_.back();
  marks_.pop_back();
  return true;
}

bool Assembler::push_unsigned(uint64_t number) {
  const Kind kind = number > static_cast<uint64_t>(INT64_MAX) ? Kind::big_integer : Kind::integer;
  return push(Value{number, kNoMemo, kind, 0});
}

bool Assembler::push_real(double number) {
  Value value;
  value.kind = Kind::real;
  std::memcpy(&value.bits, &number, sizeof number);
  return push(value);
}

// The dict on top is complete because another begins above it. What went into the list of this mark leaves the stack,
// so that a list of millions in one piece (the C++ writer's) stays small here.
void Assembler::complete_sibling() {
  const size_t at = top_ - 1;
  Value nowhere;
  const Value* owner = owner_of(at, nowhere);
  if (owner == &nowhere) return;
  complete(at);
  if (values_[at].kind == Kind::done && !marks_.empty() && owner == &values_[marks_.back() - 1]) --top_;
}

bool Assembler::append_one() {
  if (!need(2)) return false;
  complete_items(top_ - 1);
  return fill_list(top_ - 2, top_ - 1);
}

bool Assembler::append_marked() {
  if (marks_.empty()) return fail("snapshot/malformed", "A list is closed that was never opened (no mark).");
  complete_items(marks_.back());
  size_t first = 0;
  take_mark(first);
  if (first <= floor()) return fail("snapshot/malformed", "Items without a list.");
  return fill_list(first - 1, first);
}

bool Assembler::set_one() {
  if (!need(3)) return false;
  const size_t at = top_ - 3;
  if (!fill_dict(at, at + 1)) return false;
  if (Record* record = record_of(values_[at])) record->one_by_one = true;
  return true;
}

bool Assembler::set_marked() {
  size_t first = 0;
  if (!take_mark(first)) return false;
  if (first <= floor()) return fail("snapshot/malformed", "Fields without a dict.");
  if ((top_ - first) % 2 != 0) return fail("snapshot/malformed", "A field without a value.");
  return fill_dict(first - 1, first);
}

// LIST and DICT of the text protocols take their items from above the mark: the container is put below them.
bool Assembler::insert_container(Kind kind) {
  if (marks_.empty()) return fail("snapshot/malformed", "A container is closed that was never opened (no mark).");
  if (!push_kind(kind)) return false;
  const size_t at = marks_.back();
  for (size_t i = top_ - 1; i > at; --i) {
    values_[i] = values_[i - 1];
    if (Record* record = record_of(values_[i])) record->position = i;
  }
  values_[at] = Value{0, kNoMemo, kind, 0};
  marks_.back() = at + 1;
  return true;
}

bool Assembler::list_of_marked() { return insert_container(Kind::new_list) && append_marked(); }

bool Assembler::dict_of_marked() { return insert_container(Kind::new_dict) && set_marked(); }

bool Assembler::tuple(size_t count) {
  if (!need(count)) return false;
  complete_items(top_ - count);
  const size_t first = top_ - count;
  Value result;
  if (count == 2 && values_[first].kind == Kind::integer && values_[first + 1].kind == Kind::integer) {
    result = builder_.pair(static_cast<int64_t>(values_[first].bits), static_cast<int64_t>(values_[first + 1].bits));
  } else {
    result = builder_.new_text(false);
    if (!extend_text(result, first)) return false;
  }
  top_ = first;
  return push(result);
}

bool Assembler::tuple_of_marked() {
  size_t first = 0;
  if (!marks_.empty()) complete_items(marks_.back());
  return take_mark(first) && tuple(top_ - first);
}

bool Assembler::pop() {
  // Python's POP takes a mark when nothing lies above it.
  if (!marks_.empty() && marks_.back() == top_) return pop_to_mark();
  if (!need(1)) return false;
  complete_items(top_ - 1);
  --top_;
  return true;
}

bool Assembler::pop_to_mark() {
  size_t first = 0;
  if (!marks_.empty()) complete_items(marks_.back());
  if (!take_mark(first)) return false;
  top_ = first;
  return true;
}

bool Assembler::duplicate() {
  if (!need(1)) return false;
  complete_items(top_ - 1);
  Value value = values_[top_ - 1];
  value.flags |= kFetched;
  return push(value);
}

bool Assembler::put(uint64_t index) {
  if (index >= kNoMemo) return fail("snapshot/malformed", "A memo index is out of range.");
  if (!need(1)) return false;
  if (values_[top_ - 1].kind == Kind::open_dict) complete(top_ - 1);
  remember_top(index);
  return true;
}

bool Assembler::get(uint64_t index) {
  const MemoCell* cell = memo_.find(index);
  if (!cell) return fail("snapshot/malformed", "A memo index refers to nothing that was remembered.");
  return copy(*cell, index);
}

// Pushes a copy of a remembered value. A container that is fetched may not grow any more: that would be a cycle.
bool Assembler::copy(const MemoCell& remembered, uint64_t index) {
  if (remembered.kind() < Kind::stack) return push(memo_.value_of(remembered));
  if (const Record* record = record_of(memo_.value_of(remembered))) complete(record->position);
  MemoCell* cell = memo_.find(index);
  if (cell->kind() < Kind::stack) return push(memo_.value_of(*cell));  // a frame that was just completed
  cell->word |= MemoCell::kUsed;
  Value value = memo_.value_of(*cell);
  value.flags = kFetched;
  switch (value.kind) {
    case Kind::stack:
    case Kind::new_list:
    case Kind::new_dict: break;
    case Kind::generic:
      if (JsonText* text = builder_.find_text(value)) text->shared = true;
      break;
    default:
      value.kind = Kind::opaque;  // entities belong to one list; a second reference to them has no meaning
      break;
  }
  return push(value);
}

bool Assembler::may_fill(const Value& container) {
  const MemoCell* cell = container.memo == kNoMemo ? nullptr : memo_.find(container.memo);
  if ((container.flags & kFetched) == 0 && !(cell && cell->is(MemoCell::kUsed))) return true;
  return fail("snapshot/malformed", "A container is changed after it was used, or lies inside itself.");
}

void Assembler::complete_items(size_t first) {
  if (open_records_ == 0) return;
  for (size_t i = first; i < top_; ++i) {
    if (values_[i].kind == Kind::open_dict) complete(i);
  }
}

bool Assembler::fill_list(size_t at, size_t first) {
  Value& list = values_[at];
  bool filled = true;
  if (first < top_) {
    if (list.kind == Kind::new_list || list.kind == Kind::stack) {
      filled = may_fill(list) && (list.kind == Kind::stack ? extend_stack(list, first) : fill_new_list(list, first));
    } else if (list.kind == Kind::trace_lists) {
      filled = may_fill(list) && extend_traces(list, first);
    } else if (list.kind == Kind::generic || list.kind == Kind::opaque || list.kind == Kind::pair) {
      filled = extend_text(list, first);
    } else if (is_list(list.kind)) {
      for (size_t i = first; i < top_; ++i) {
        if (values_[i].kind != Kind::done) builder_.damaged("An item of the wrong type was left out.");
      }
    } else {
      return fail("snapshot/malformed", "Items are put into something that is not a list.");
    }
  }
  if (!filled) return false;
  remember(list);
  top_ = first;
  return true;
}

bool Assembler::fill_new_list(Value& list, size_t first) {
  switch (values_[first].kind) {
    case Kind::frame: return extend_stack(list, first);
    case Kind::new_list:
    case Kind::entry_list: {
      const Value lists = builder_.trace_list();
      list.kind = lists.kind;
      list.bits = lists.bits;
      return extend_traces(list, first);
    }
    case Kind::done: list.kind = Kind::done_list; return true;
    case Kind::integer:
      if (top_ - first == 2 && values_[first + 1].kind == Kind::integer) {
        const Value pair =
            builder_.pair(static_cast<int64_t>(values_[first].bits), static_cast<int64_t>(values_[first + 1].bits));
        list.kind = pair.kind;
        list.bits = pair.bits;
        return true;
      }
      break;
    default: break;
  }
  return extend_text(list, first);
}

bool Assembler::extend_stack(Value& list, size_t first) {
  frames_.clear();
  StackTable& stacks = builder_.stacks();
  if (list.kind == Kind::stack) {
    const auto old = static_cast<uint32_t>(list.bits);
    frames_.assign(stacks.frames(old), stacks.frames(old) + stacks.depth(old));
    // Nobody else knows the shorter stack: take its id back instead of leaving one stack for each prefix.
    if ((list.flags & kFresh) && old + 1 == stacks.size()) stacks.remove_last();
  }
  size_t count = frames_.size();
  frames_.resize(count + (top_ - first));
  for (size_t i = first; i < top_; ++i) {
    frames_[count] = static_cast<uint32_t>(values_[i].bits);
    count += values_[i].kind == Kind::frame;
  }
  if (count < frames_.size()) builder_.damaged("Items of a stack that are not frames were left out.");
  frames_.resize(count);
  const size_t before = stacks.size();
  list.bits = stacks.intern(frames_.data(), frames_.size());
  list.kind = Kind::stack;
  list.flags = stacks.size() > before ? kFresh : 0;
  return true;
}

bool Assembler::extend_traces(Value& list, size_t first) {
  for (size_t i = first; i < top_; ++i) {
    if (!builder_.add_trace(list, values_[i]))
      builder_.damaged("A device's trace that is not a list of entries was left out.");
  }
  return true;
}

bool Assembler::extend_text(Value& list, size_t first) {
  if (list.kind != Kind::generic) {
    const Value old = list;
    const Value made = builder_.new_text(false);
    list.kind = made.kind;
    list.bits = made.bits;
    if (old.kind == Kind::pair) builder_.add_to_text(*builder_.find_text(list), nullptr, old);
  }
  JsonText* text = list.kind == Kind::generic ? builder_.find_text(list) : nullptr;
  for (size_t i = first; text && i < top_; ++i) {
    builder_.add_to_text(*text, nullptr, values_[i]);
    release_item(values_[i]);
  }
  if (text && text->depth > kMaxDepth) return fail("file/too_deep", "Containers are nested more than 256 deep.");
  return true;
}

}  // namespace tidemark::readers
