// The tables of a pprof profile, as the file gives them: by ids of its own choice, in any order.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "readers/profile/stack_builder.h"

namespace tidemark::readers::profile {

// Ids of a file, which are any 64-bit numbers, as places of a list.
class IdPlaces {
 public:
  // The place of an id, a new one at first sight.
  uint32_t place(uint64_t id);
  // kNone where the id was never seen.
  uint32_t find(uint64_t id) const;
  size_t size() const { return ids_.size(); }
  uint64_t id(uint32_t place) const { return ids_[place]; }

 private:
  static uint64_t hash_of(uint64_t id) { return hash_bytes(&id, sizeof id, hash_seed()); }
  std::vector<uint64_t> ids_;
  IdSet known_;
};

class PprofTables {
 public:
  PprofTables(Profile& out, StackBuilder& stacks) : out_(out), stacks_(stacks) {}

  void add_string(std::string_view text) { strings_.push_back(stacks_.text(text)); }
  // Messages of the tables; false = damaged.
  bool add_location(std::string_view message);
  bool add_function(std::string_view message);
  bool add_mapping(std::string_view message);

  // The place of a location, whether the file has told it yet or not.
  uint32_t location(uint64_t id) { return locations_.place(id); }
  // The frames of all places, once all was read.
  FrameLists frames();
  // A text of the string table; "" and a finding where there is none.
  std::string text(uint64_t index);

 private:
  struct Line {
    uint64_t function = 0;
    int64_t line = 0;
  };
  struct Location {
    uint64_t mapping = 0;
    uint64_t address = 0;
    size_t first_line = 0;
    size_t line_count = 0;
    bool is_told = false;
  };
  struct Function {
    uint64_t name = 0;
    uint64_t system_name = 0;
    uint64_t file = 0;
    int64_t start_line = 0;
  };

  bool add_line(std::string_view message);
  uint32_t string_at(uint64_t index);
  uint32_t frame_of(const Line& line);
  uint32_t frame_without_lines(const Location& location);
  void bad_reference();

  Profile& out_;
  StackBuilder& stacks_;
  std::vector<uint32_t> strings_;  // ids of Profile::strings
  IdPlaces locations_, functions_, mappings_;
  std::vector<Location> told_locations_;   // by place
  std::vector<Function> told_functions_;
  std::vector<uint64_t> mapping_files_;    // indices of strings
  std::vector<Line> lines_;
};

}  // namespace tidemark::readers::profile
