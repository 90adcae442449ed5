#include <algorithm>

#include "readers/profile/formats.h"
#include "readers/profile/pprof_tables.h"
#include "readers/profile/wire.h"

namespace tidemark::readers::profile {
namespace {

constexpr size_t kLongestMessage = size_t{16} << 20;
constexpr size_t kLongestVarint = 10;
constexpr size_t kMostComments = 100;

enum ProfileField : uint32_t {
  kSampleType = 1,
  kSample = 2,
  kMapping = 3,
  kLocation = 4,
  kFunction = 5,
  kString = 6,
  kTimeNanos = 9,
  kDurationNanos = 10,
  kComment = 13,
  kDefaultSampleType = 14,
};

class PprofReader {
 public:
  PprofReader(ByteSource& source, StackBuilder& stacks, Profile& out) : source_(source), stacks_(stacks), tables_(out, stacks), out_(out) {}

  FrameLists read() {
    while (!source_.cancelled() && source_.ensure(1) && field()) {
    }
    name_types();
    for (const uint64_t comment : comments_) out_.metadata.emplace_back("comment " + std::to_string(out_.metadata.size() + 1), tables_.text(comment));
    return tables_.frames();
  }

 private:
  bool damaged() {
    const bool is_cut = !source_.ensure(1);
    stacks_.note(is_cut ? "profile/truncated" : "profile/syntax", "error", source_.offset(),
                 is_cut ? "The file ends early; what comes before is shown." : "The file is damaged here; what comes before is shown.");
    return false;
  }

  bool varint(uint64_t& value) {
    source_.ensure(kLongestVarint);
    const size_t there = std::min(source_.available(), kLongestVarint);
    WireReader bytes(std::string_view(reinterpret_cast<const char*>(source_.cursor()), there));
    const bool is_read = bytes.varint(value);
    size_t length = 0;
    while (is_read && (source_.cursor()[length] & 0x80)) ++length;
    source_.set_cursor(source_.cursor() + (is_read ? length + 1 : there));
    return is_read;
  }

  // One field of Profile; false = the end of what can be read.
  bool field() {
    uint64_t tag = 0, value = 0;
    if (!varint(tag)) return damaged();
    const uint64_t number = tag >> 3;
    switch (static_cast<WireType>(tag & 7)) {
      case WireType::varint: return varint(value) ? number_field(number, value) : damaged();
      case WireType::eight_bytes: return source_.read_long(8, 0, message_) || damaged();
      case WireType::four_bytes: return source_.read_long(4, 0, message_) || damaged();
      case WireType::bytes: break;
      default: return damaged();
    }
    if (!varint(value) || !source_.read_long(value, kLongestMessage, message_)) return damaged();
    const bool is_read = value <= kLongestMessage && message_field(number);
    if (!is_read) stacks_.note("profile/bad_value", "warning", source_.offset(), "Parts of the file cannot be read; they are left out.");
    return true;
  }

  bool number_field(uint64_t number, uint64_t value) {
    if (number == kTimeNanos && value > 0) out_.start_unix_ns = static_cast<int64_t>(value);
    if (number == kDurationNanos && value > 0) out_.duration_ns = static_cast<int64_t>(value);
    if (number == kDefaultSampleType) default_ = value;
    if (number == kComment && comments_.size() < kMostComments) comments_.push_back(value);
    return true;
  }

  bool message_field(uint64_t number) {
    switch (number) {
      case kSampleType: return sample_type();
      case kSample: return sample();
      case kMapping: return tables_.add_mapping(message_);
      case kLocation: return tables_.add_location(message_);
      case kFunction: return tables_.add_function(message_);
      case kString: tables_.add_string(message_); return true;
      case kComment: {
        WireField packed{kComment, WireType::bytes, 0, message_};
        return each_number(packed, [&](uint64_t value) { number_field(kComment, value); });
      }
      default: return true;
    }
  }

  struct ValueType {
    uint64_t name = 0;
    uint64_t unit = 0;
  };

  bool sample_type() {
    WireReader fields(message_);
    WireField field;
    ValueType type;
    while (fields.next(field)) {
      if (field.number == 1) type.name = field.value;
      if (field.number == 2) type.unit = field.value;
    }
    if (stacks_.add_type("", "") != kNone) types_.push_back(type);
    return !fields.damaged();
  }

  // Leaf first.
  bool sample() {
    locations_.clear();
    values_.clear();
    WireReader fields(message_);
    WireField field;
    bool is_read = true, has_labels = false;
    while (is_read && fields.next(field)) {
      if (field.number == 1) is_read = each_number(field, [&](uint64_t id) { locations_.push_back(id); });
      if (field.number == 2) is_read = each_number(field, [&](uint64_t value) { values_.push_back(static_cast<int64_t>(value)); });
      has_labels = has_labels || field.number == 3;
    }
    if (!is_read || fields.damaged()) return false;
    if (has_labels) stacks_.note("profile/labels_ignored", "info", source_.offset(), "Labels of samples are not shown; samples of one stack are added up.");
    uint32_t node = StackBuilder::kRoot;
    for (size_t i = locations_.size(); i-- > 0;) {
      if (locations_[i] != 0) node = stacks_.child(node, tables_.location(locations_[i]));
    }
    ++out_.sample_count;
    values_of_samples_ = std::max(values_of_samples_, values_.size());
    for (uint32_t type = 0; type < std::min(values_.size(), StackBuilder::kMostTypes); ++type) {
      if (values_[type] != 0) stacks_.add(node, type, static_cast<double>(values_[type]));
    }
    return true;
  }

  // Values that no sample type names still are values.
  void name_types() {
    for (size_t type = 0; type < types_.size(); ++type)
      out_.value_types[type] = {tables_.text(types_[type].name), tables_.text(types_[type].unit)};
    while (out_.value_types.size() < std::min(values_of_samples_, StackBuilder::kMostTypes)) stacks_.add_type("", "");
    if (out_.value_types.empty()) return;
    out_.default_type = static_cast<uint32_t>(out_.value_types.size() - 1);
    const std::string wanted = default_ == 0 ? std::string() : tables_.text(default_);
    for (uint32_t type = 0; type < out_.value_types.size(); ++type) {
      if (!wanted.empty() && out_.value_types[type].name == wanted) out_.default_type = type;
    }
  }

  ByteSource& source_;
  StackBuilder& stacks_;
  PprofTables tables_;
  Profile& out_;
  std::string message_;
  std::vector<uint64_t> locations_;
  std::vector<int64_t> values_;
  size_t values_of_samples_ = 0;
  std::vector<ValueType> types_;
  std::vector<uint64_t> comments_;
  uint64_t default_ = 0;
};

}  // namespace

FrameLists read_pprof(ByteSource& source, StackBuilder& stacks, Profile& out) { return PprofReader(source, stacks, out).read(); }

}  // namespace tidemark::readers::profile
