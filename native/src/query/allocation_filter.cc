#include "query/allocation_filter.h"

#include <charconv>

#include "query/category_rules.h"
#include "query/json_object.h"

namespace tidemark {
namespace {

constexpr unsigned kEveryCategory = (2u << kCategoryCount) - 2;

// Reads the entries of one filter. Every read_… answers whether the value fits; kUnknown where the key is of another group.
class FilterReader {
 public:
  FilterReader(sqlite3* db, size_t stack_count, AllocationFilter& out) : db_(db), stack_count_(stack_count), out_(out) {}

  bool read(const JsonMember& entry) {
    for (const Reader reader : {&FilterReader::read_plain, &FilterReader::read_amount, &FilterReader::read_event, &FilterReader::read_set}) {
      const Outcome outcome = (this->*reader)(entry);
      if (outcome != Outcome::unknown) return outcome == Outcome::fits;
    }
    return false;
  }

  void finish() {
    if (has_further_) out_.further = std::make_shared<const FurtherConditions>(std::move(further_));
  }

 private:
  enum class Outcome { unknown, fits, wrong };
  using Reader = Outcome (FilterReader::*)(const JsonMember&);
  static Outcome outcome(bool fits) { return fits ? Outcome::fits : Outcome::wrong; }

  FurtherConditions& further(unsigned parts = 0) {
    has_further_ = true;
    further_.parts |= parts;
    return further_;
  }

  Outcome read_plain(const JsonMember& entry) {
    if (entry.key == "min_bytes") {
      out_.min_bytes = static_cast<uint64_t>(entry.number);
      return outcome(entry.is_count());
    }
    if (entry.key == "most_events") {
      out_.most_events = entry.number;
      return outcome(entry.is_count());
    }
    if (entry.key == "never_freed") {
      out_.never_freed = entry.type == "true";
      return outcome(entry.is_flag());
    }
    return Outcome::unknown;
  }

  // Bytes and lives, which are counts.
  Outcome read_amount(const JsonMember& entry) {
    const int64_t n = entry.number;
    if (entry.key == "max_bytes") further().max_bytes = static_cast<uint64_t>(n);
    else if (entry.key == "min_requested") further(kBlocksPart).requested.from = n;
    else if (entry.key == "max_requested") further(kBlocksPart).requested.to = n == INT64_MAX ? n : n + 1;
    else if (entry.key == "min_life") further().min_life = n;
    else if (entry.key == "max_life") further().max_life = n;
    else if (entry.key == "min_life_ns") further(kTimesPart).min_life_ns = n;
    else if (entry.key == "max_life_ns") further(kTimesPart).max_life_ns = n;
    else return Outcome::unknown;
    return outcome(entry.is_count());
  }

  Outcome read_event(const JsonMember& entry) {
    const int64_t n = entry.number;
    if (entry.key == "alive_at") {
      further().is_of_moment = true;
      further().alive_at = n;
    } else if (entry.key == "made_from") {
      further().made.from = n;
    } else if (entry.key == "made_to") {
      further().made.to = n;
    } else if (entry.key == "freed_from" || entry.key == "freed_to") {
      further().is_freed = true;
      (entry.key == "freed_from" ? further_.freed.from : further_.freed.to) = n;
    } else {
      return Outcome::unknown;
    }
    return outcome(entry.is_integer());
  }

  Outcome read_set(const JsonMember& entry) {
    if (entry.key == "stacks") {
      out_.by_stack = true;
      return outcome(read_stacks(entry, out_.stacks));
    }
    if (entry.key == "without_stacks") return outcome(read_stacks(entry, further().without_stacks));
    if (entry.key == "streams") {
      further().by_stream = true;
      return outcome(read_named(entry, "SELECT stream_index FROM stream WHERE CAST(handle AS TEXT) = ?1", further_.streams));
    }
    if (entry.key == "pools") {
      further().by_pool = true;
      return outcome(read_named(entry, "SELECT pool_index FROM pool WHERE name = ?1", further_.pools));
    }
    if (entry.key == "categories" || entry.key == "without_categories") return outcome(read_categories(entry));
    if (entry.key == "address_from" || entry.key == "address_to") {
      further(kBlocksPart).by_address = true;
      return outcome(entry.type == "text" &&
                     read_address(entry.text, entry.key == "address_from" ? further_.address_from : further_.address_to));
    }
    return Outcome::unknown;
  }

  static bool read_address(std::string_view text, uint64_t& out) {
    if (text.substr(0, 2) != "0x") return false;
    const char* end = text.data() + text.size();
    const auto [last, error] = std::from_chars(text.data() + 2, end, out, 16);
    return error == std::errc() && last == end;
  }

  // By stack_id + 1. Ids that the capture does not have keep nothing. -1 is all that has no frames: the backward pass is recorded with
  // stacks that are empty.
  bool read_stacks(const JsonMember& entry, std::vector<uint8_t>& stacks) {
    stacks.assign(stack_count_ + 1, 0);
    const auto keep = [&stacks](int64_t id) {
      const uint64_t item = static_cast<uint64_t>(id) + 1;
      if (item < stacks.size()) stacks[item] = 1;
    };
    const bool fits = entry.each_item("integer", [&](Statement& items) { keep(items.integer(1)); });
    if (stacks[0] == 0) return fits;
    Statement empty(db_, "SELECT stack_id FROM stack WHERE depth = 0");
    while (empty.step() == SQLITE_ROW) keep(empty.integer(0));
    return fits;
  }

  // The items as bits of their slots. `categories` and `without_categories` narrow each other.
  bool read_categories(const JsonMember& entry) {
    unsigned named = 0;
    bool is_known = true;
    const bool fits = entry.each_item("text", [&](Statement& items) {
      const uint8_t slot = category_slot_of(items.text(1));
      is_known = is_known && slot != 0;
      named |= 1u << slot;
    });
    constexpr unsigned kNone = 1;  // no slot is 0, so that an empty set is told from any
    const unsigned before = out_.categories == 0 ? kEveryCategory : out_.categories;
    out_.categories = kNone | (before & (entry.key == "categories" ? named : ~named));
    return fits && is_known;
  }

  // By the index that `select` finds for a text. Texts that the capture does not have keep nothing.
  bool read_named(const JsonMember& entry, const char* select, std::vector<uint8_t>& kept) {
    kept.clear();
    return entry.each_item("text", [&](Statement& items) {
      const std::string name(items.text(1));
      Statement found(db_, select);
      found.bind(1, name);
      while (found.step() == SQLITE_ROW) {
        const int64_t index = found.integer(0);
        if (index < 0 || index >= kMostNames) continue;
        if (kept.size() <= static_cast<size_t>(index)) kept.resize(static_cast<size_t>(index) + 1);
        kept[static_cast<size_t>(index)] = 1;
      }
    });
  }

  static constexpr int64_t kMostNames = 1 << 20;  // a damaged index may claim any

  sqlite3* db_;
  const size_t stack_count_;
  AllocationFilter& out_;
  FurtherConditions further_;
  bool has_further_ = false;
};

}  // namespace

Failure read_filter(sqlite3* db, const std::string& json, size_t stack_count, AllocationFilter& out) {
  out = {};
  FilterReader reader(db, stack_count, out);
  const Failure failure = read_json_object(db, json, "filter", [&](const JsonMember& entry) { return reader.read(entry); });
  if (!failure.failed()) reader.finish();
  return failure;
}

}  // namespace tidemark
