#include "readers/profile/pprof_tables.h"

#include "readers/profile/wire.h"

namespace tidemark::readers::profile {
namespace {

constexpr int64_t kMostLine = 1'000'000'000;

int64_t line_number(uint64_t value) {
  const auto line = static_cast<int64_t>(value);
  return line > 0 && line < kMostLine ? line : 0;
}

}  // namespace

uint32_t IdPlaces::find(uint64_t id) const {
  const uint32_t found = known_.find(hash_of(id), [&](uint32_t place) { return ids_[place] == id; });
  return found == IdSet::kEmpty ? kNone : found;
}

uint32_t IdPlaces::place(uint64_t id) {
  const uint32_t found = find(id);
  if (found != kNone) return found;
  ids_.push_back(id);
  const auto made = static_cast<uint32_t>(ids_.size() - 1);
  known_.add(hash_of(id), made, [this](uint32_t place) { return hash_of(ids_[place]); });
  return made;
}

void PprofTables::bad_reference() {
  stacks_.note("profile/bad_reference", "warning", 0, "Stacks name frames that the file does not have; they are shown as \"?\".");
}

bool PprofTables::add_line(std::string_view message) {
  WireReader fields(message);
  WireField field;
  Line line;
  while (fields.next(field)) {
    if (field.type != WireType::varint) continue;
    if (field.number == 1) line.function = field.value;
    if (field.number == 2) line.line = line_number(field.value);
  }
  lines_.push_back(line);
  return !fields.damaged();
}

bool PprofTables::add_location(std::string_view message) {
  WireReader fields(message);
  WireField field;
  uint64_t id = 0;
  Location location;
  location.first_line = lines_.size();
  while (fields.next(field)) {
    if (field.number == 4 && field.type == WireType::bytes && !add_line(field.bytes)) return false;
    if (field.type != WireType::varint) continue;
    if (field.number == 1) id = field.value;
    if (field.number == 2) location.mapping = field.value;
    if (field.number == 3) location.address = field.value;
  }
  location.line_count = lines_.size() - location.first_line;
  location.is_told = true;
  const uint32_t place = locations_.place(id);
  if (told_locations_.size() < locations_.size()) told_locations_.resize(locations_.size());
  told_locations_[place] = location;
  return !fields.damaged();
}

bool PprofTables::add_function(std::string_view message) {
  WireReader fields(message);
  WireField field;
  uint64_t id = 0;
  Function function;
  while (fields.next(field)) {
    if (field.type != WireType::varint) continue;
    if (field.number == 1) id = field.value;
    if (field.number == 2) function.name = field.value;
    if (field.number == 3) function.system_name = field.value;
    if (field.number == 4) function.file = field.value;
    if (field.number == 5) function.start_line = line_number(field.value);
  }
  const uint32_t place = functions_.place(id);
  if (place >= told_functions_.size()) told_functions_.resize(place + size_t{1});
  told_functions_[place] = function;
  return !fields.damaged();
}

bool PprofTables::add_mapping(std::string_view message) {
  WireReader fields(message);
  WireField field;
  uint64_t id = 0, file = 0;
  while (fields.next(field)) {
    if (field.number == 1 && field.type == WireType::varint) id = field.value;
    if (field.number == 5 && field.type == WireType::varint) file = field.value;
  }
  const uint32_t place = mappings_.place(id);
  if (place >= mapping_files_.size()) mapping_files_.resize(place + size_t{1});
  mapping_files_[place] = file;
  return !fields.damaged();
}

uint32_t PprofTables::string_at(uint64_t index) {
  if (index < strings_.size()) return strings_[static_cast<size_t>(index)];
  if (index > 0) bad_reference();
  return stacks_.text("");
}

std::string PprofTables::text(uint64_t index) { return out_.strings.at(string_at(index)); }

uint32_t PprofTables::frame_of(const Line& line) {
  const uint32_t place = functions_.find(line.function);
  if (place == kNone) {
    bad_reference();
    return out_.frames.intern(stacks_.text("?"), stacks_.text(""), line.line);
  }
  const Function& function = told_functions_[place];
  uint32_t name = string_at(function.name);
  if (out_.strings.at(name).empty()) name = string_at(function.system_name);
  if (out_.strings.at(name).empty()) name = stacks_.text("?");
  return out_.frames.intern(name, string_at(function.file), line.line > 0 ? line.line : function.start_line);
}

// Code without symbols is called by its address.
uint32_t PprofTables::frame_without_lines(const Location& location) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string name;
  for (uint64_t rest = location.address; rest > 0; rest >>= 4) name.insert(name.begin(), kDigits[rest & 15]);
  const uint32_t mapping = mappings_.find(location.mapping);
  return out_.frames.intern(stacks_.text(name.empty() ? "?" : "0x" + name), mapping == kNone ? stacks_.text("") : string_at(mapping_files_[mapping]), 0);
}

FrameLists PprofTables::frames() {
  FrameLists lists;
  told_locations_.resize(locations_.size());
  for (const Location& location : told_locations_) {
    if (!location.is_told) bad_reference();
    if (location.line_count == 0) lists.add(frame_without_lines(location));
    // The last is the outermost.
    for (size_t i = location.line_count; i-- > 0;) lists.add(frame_of(lines_[location.first_line + i]));
    lists.end_list();
  }
  return lists;
}

}  // namespace tidemark::readers::profile
