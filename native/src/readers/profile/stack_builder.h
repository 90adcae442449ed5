// Stacks as a profile names them, one after the other, become one list of stacks without doubles, whose values are added up.
// A file may tell what a frame is called behind the stacks that have it, so while it is read a frame is only a number of the reader's.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/finding_log.h"
#include "model/profile.h"
#include "model/progress.h"

namespace tidemark::readers::profile {

// What each of the reader's frame numbers stands for: frames of FrameTable, outermost first (inlined calls make one place several frames).
class FrameLists {
 public:
  void add(uint32_t frame) { frames_.push_back(frame); }
  void end_list() { ends_.push_back(frames_.size()); }
  size_t size() const { return ends_.size(); }
  const uint32_t* begin(uint32_t list) const { return frames_.data() + (list == 0 ? 0 : ends_[list - 1]); }
  const uint32_t* end(uint32_t list) const { return frames_.data() + ends_[list]; }

 private:
  std::vector<uint32_t> frames_;
  std::vector<size_t> ends_;
};

class StackBuilder {
 public:
  static constexpr uint32_t kRoot = 0;
  static constexpr size_t kMostTypes = 256;
  static constexpr uint32_t kMostDepth = 1 << 16;          // frames of a stack; what is deeper counts at the last
  static constexpr size_t kMostFrames = size_t{8} << 20;   // of all stacks together; then stacks are cut at kLeastDepth
  static constexpr uint32_t kLeastDepth = 16;
  static constexpr size_t kLongestName = 64 * 1024;

  StackBuilder(Profile& out, Progress& progress);

  // The node of `frame` below `node`, made at first sight.
  uint32_t child(uint32_t node, uint32_t frame);
  // A node of its own below `node`, whose frame is told later.
  uint32_t append(uint32_t node);
  void set_frame(uint32_t node, uint32_t frame) { nodes_[node].frame = frame; }
  size_t node_count() const { return nodes_.size(); }
  uint32_t parent(uint32_t node) const { return nodes_[node].parent; }

  // A value type; kNone when there are too many. Its name and unit may be told later, in Profile::value_types.
  uint32_t add_type(std::string_view name, std::string_view unit);
  // A value that ends at `node`; one that is not finite is a finding. kNone as `type` is left out.
  void add(uint32_t node, uint32_t type, double value);
  // A string's id; longer ones are cut.
  uint32_t text(std::string_view text);

  // Counts a finding at a byte offset of the text.
  void note(const char* code, const char* severity, uint64_t offset, const char* message) {
    log_.count(code, severity, static_cast<int64_t>(offset), message);
  }

  // Fills stacks, values and findings of the profile. A number without a list is a frame that the file does not have.
  void finish(const FrameLists& frames);

 private:
  struct Node {
    uint32_t parent;
    uint32_t frame;
  };
  struct Merged;

  void write_values(const Merged& merged);
  uint64_t hash_of(uint32_t node) const;

  Profile& out_;
  Progress& progress_;
  FindingLog log_;
  Column<Node> nodes_;
  IdSet children_;
  struct Value {
    uint32_t node;
    uint32_t type;
    double value;
  };
  Column<Value> values_;
};

}  // namespace tidemark::readers::profile
