#include "readers/profile/wire.h"

namespace tidemark::readers::profile {

bool WireReader::varint(uint64_t& value) {
  constexpr size_t kLongest = 10;
  value = 0;
  for (size_t i = 0; i < kLongest && i < rest_.size(); ++i) {
    const auto byte = static_cast<uint8_t>(rest_[i]);
    value |= static_cast<uint64_t>(byte & 0x7f) << (7 * i);
    if (byte < 0x80) {
      rest_.remove_prefix(i + 1);
      return true;
    }
  }
  damaged_ = true;
  return false;
}

bool WireReader::take(uint64_t count, std::string_view& bytes) {
  if (count > rest_.size()) {
    damaged_ = true;
    return false;
  }
  bytes = rest_.substr(0, static_cast<size_t>(count));
  rest_.remove_prefix(static_cast<size_t>(count));
  return true;
}

bool WireReader::next(WireField& field) {
  if (rest_.empty() || damaged_) return false;
  uint64_t tag = 0;
  if (!varint(tag)) return false;
  field = {};
  field.number = static_cast<uint32_t>(tag >> 3);
  field.type = static_cast<WireType>(tag & 7);
  damaged_ = tag >> 3 == 0 || tag >> 3 > 0x1FFFFFFF;
  if (damaged_) return false;
  switch (field.type) {
    case WireType::varint: return varint(field.value);
    case WireType::eight_bytes: return take(8, field.bytes);
    case WireType::four_bytes: return take(4, field.bytes);
    case WireType::bytes: {
      uint64_t length = 0;
      return varint(length) && take(length, field.bytes);
    }
  }
  damaged_ = true;  // groups, which nothing writes any more
  return false;
}

namespace {

// The type that profile.proto gives a field of Profile; repeated numbers may be packed.
bool is_field_of_profile(const WireField& field) {
  constexpr uint32_t kLast = 15, kDropFrames = 7, kPeriodType = 11, kComment = 13;
  if (field.number < kDropFrames || field.number == kPeriodType) return field.type == WireType::bytes;
  if (field.number == kComment) return field.type == WireType::varint || field.type == WireType::bytes;
  return field.number > kLast || field.type == WireType::varint;  // later versions may know more
}

bool is_value_type(std::string_view message) {
  WireReader fields(message);
  WireField field;
  while (fields.next(field)) {
    if (field.number > 2 || field.type != WireType::varint) return false;
  }
  return !fields.damaged();
}

}  // namespace

bool looks_like_pprof(std::string_view text) {
  constexpr char kFirstTag = 0x0a;  // field 1, bytes
  constexpr uint32_t kMostNumber = 100;
  if (text.empty() || text[0] != kFirstTag) return false;
  WireReader fields(text);
  WireField field;
  size_t types = 0, others = 0;
  while (fields.next(field)) {
    if (!is_field_of_profile(field) || field.number > kMostNumber) return false;
    if (field.number == 1 && !is_value_type(field.bytes)) return false;
    ++(field.number == 1 ? types : others);
  }
  // The last field may be cut by the end of the head or of the file.
  return types > 0 && (others > 0 || !fields.damaged());
}

}  // namespace tidemark::readers::profile
