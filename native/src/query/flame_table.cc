#include "query/flame_table.h"

#include "query/event_table.h"
#include "query/flame.h"
#include "query/question.h"

namespace tidemark {
namespace {

enum Column { kNodeId, kParentId, kFrameId, kSelfBytes, kTotalBytes, kSelfCount, kTotalCount, kCategory, kColumns };

// Nodes that hold something, a parent before its children. One frame is one line of the source.
class FlameRows : public EventRows {
 public:
  FlameRows(const StackFrames& frames, std::shared_ptr<const CallTree> tree, FlameSums sums)
      : frame_count_(frames.frame_count()), tree_(std::move(tree)), sums_(std::move(sums)) {
    frame_ids_.reserve(tree_->nodes.size());
    for (const CallNode& node : tree_->nodes) frame_ids_.push_back(node.frame < frame_count_ ? frames.frame_id(node.frame) : -1);
  }

  bool at_end() const override { return node_ >= tree_->nodes.size(); }
  void next() override {
    do ++node_;
    while (!at_end() && sums_.total[node_].count == 0);
  }
  void result(sqlite3_context* sql, int column) const override {
    const auto whole = [&](double value) { sqlite3_result_int64(sql, static_cast<sqlite3_int64>(value)); };
    switch (column) {
      case kNodeId: return sqlite3_result_int64(sql, static_cast<sqlite3_int64>(node_));
      case kParentId:
        if (node_ > 0) sqlite3_result_int64(sql, tree_->nodes[node_].parent);
        return;
      case kFrameId:
        if (frame_ids_[node_] >= 0) sqlite3_result_int64(sql, frame_ids_[node_]);
        return;
      case kSelfBytes: return whole(sums_.self[node_].bytes);
      case kTotalBytes: return whole(sums_.total[node_].bytes);
      case kSelfCount: return whole(sums_.self[node_].count);
      case kTotalCount: return whole(sums_.total[node_].count);
      default:
        if (const uint32_t slot = bare_slot(tree_->nodes[node_]); slot > 0) {
          const std::string_view name = kCategoryNames[slot - 1];
          sqlite3_result_text(sql, name.data(), static_cast<int>(name.size()), SQLITE_STATIC);
        }
    }
  }

 private:
  size_t frame_count_;
  std::shared_ptr<const CallTree> tree_;
  FlameSums sums_;
  std::vector<int64_t> frame_ids_;  // by node; −1 = none
  size_t node_ = 0;
};

std::unique_ptr<EventRows> flame_rows(QueryContext& context, int64_t device, int64_t event, std::string& error) {
  const Lifetimes* lifetimes = context.device(device, kAllocationsPart, error);
  if (!lifetimes) return nullptr;
  FlameQuestion question;
  question.from_event = event;
  CallTreeOptions options;
  options.merge = FrameMerge::line;
  Failure failure = check_flame(*lifetimes->columns, question);
  const StackFrames* frames = failure.failed() ? nullptr : context.stack_frames(*lifetimes->columns, failure);
  const auto tree = frames ? context.call_tree(*frames, "{\"merge\":\"line\"}", options, failure) : nullptr;
  std::shared_ptr<const Categories> categories;
  if (tree) categories = context.shared_categories(*lifetimes->columns, failure);
  if (categories) question.categories = categories->category.data();
  question.frames = frames;
  std::vector<FlameWeight> weights;
  if (categories) failure = weigh_stacks(*lifetimes, question, context.stop_signal(), weights);
  if (!failure.failed()) return std::make_unique<FlameRows>(*frames, tree, add_up(*tree, weights));
  error = error_text(failure.code, failure.message);
  return nullptr;
}

constexpr EventTable kFlame{"flame",
                            "CREATE TABLE relation(node_id INTEGER, parent_id INTEGER, frame_id INTEGER, self_bytes INTEGER, "
                            "total_bytes INTEGER, self_count INTEGER, total_count INTEGER, category TEXT, device INTEGER HIDDEN, event INTEGER HIDDEN)",
                            kColumns, 1e4, flame_rows};

}  // namespace

int register_flame_table(sqlite3* db, const std::shared_ptr<QueryContext>& context) { return register_event_table(db, kFlame, context); }

}  // namespace tidemark
