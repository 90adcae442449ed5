#include "query/slice_tree.h"

#include "query/stoppable.h"
#include "store/piece_reader.h"
#include "store/sql.h"
#include "store/trace_columns.h"

namespace tidemark {
namespace {

constexpr uint32_t kUnknown = 0xFFFFFFFEu;  // the op of a slice not looked at yet
constexpr uint32_t kOnPath = 0xFFFFFFFDu;   // of one whose parents are being followed

Failure damaged(const char* what) { return read_failure(SQLITE_CORRUPT, what); }

// By category_id: whether its slices are ops.
Failure load_op_categories(sqlite3* db, std::vector<uint8_t>& out) {
  Statement rows(db, "SELECT category_id, kind = 'cpu_op' FROM main.trace_category ORDER BY category_id");
  int result;
  while ((result = rows.step()) == SQLITE_ROW) {
    if (rows.integer(0) != static_cast<int64_t>(out.size())) return damaged("relation trace_category");
    out.push_back(rows.integer(1) != 0);
  }
  return read_failure(result, "relation trace_category");
}

class OpFinder {
 public:
  OpFinder(const std::vector<int64_t>& parent, const std::vector<int64_t>& category, const std::vector<uint8_t>& is_op, SliceTree& out)
      : parent_(parent), category_(category), is_op_(is_op), out_(out) {}

  Failure run(const StopSignal& stop) {
    out_.op.assign(parent_.size(), kUnknown);
    out_.parent_op.assign(parent_.size(), kNoOp);
    for (size_t slice = 0; slice < parent_.size(); ++slice) {
      if (is_stopped_at(slice, stop)) return query_cancelled();
      if (!find(slice)) return damaged("column parent of slice");
    }
    return {};
  }

 private:
  // Climbs to a slice that is known, then comes back down.
  bool find(size_t slice) {
    path_.clear();
    int64_t at = static_cast<int64_t>(slice);
    for (; at >= 0 && at < static_cast<int64_t>(parent_.size()); at = parent_[static_cast<size_t>(at)]) {
      uint32_t& op = out_.op[static_cast<size_t>(at)];
      if (op == kOnPath) return false;
      if (op != kUnknown) break;
      op = kOnPath;
      path_.push_back(static_cast<uint32_t>(at));
    }
    const bool is_root = at < 0 || at >= static_cast<int64_t>(parent_.size());
    uint32_t op = is_root ? kNoOp : out_.op[static_cast<size_t>(at)];
    for (size_t i = path_.size(); i-- > 0;) {
      out_.parent_op[path_[i]] = op;
      const int64_t category = category_[path_[i]];
      if (category >= 0 && category < static_cast<int64_t>(is_op_.size()) && is_op_[static_cast<size_t>(category)]) op = path_[i];
      out_.op[path_[i]] = op;
    }
    return true;
  }

  const std::vector<int64_t>& parent_;
  const std::vector<int64_t>& category_;
  const std::vector<uint8_t>& is_op_;
  SliceTree& out_;
  std::vector<uint32_t> path_;
};

}  // namespace

Failure read_packed(sqlite3* db, const char* relation, int32_t device, const char* name, std::vector<int64_t>& out) {
  PieceReader reader(db);
  std::vector<int64_t> rows;
  out.clear();
  int result = reader.locate(relation, device, name, rows);
  for (size_t i = 0; i < rows.size() && result == SQLITE_OK; ++i) {
    PieceBytes bytes;
    PackedPiece piece;
    result = reader.read(rows[i], bytes, piece);
    if (result == SQLITE_OK && i * kPackedPiece != out.size()) result = SQLITE_CORRUPT;
    if (result != SQLITE_OK) break;
    out.resize(out.size() + piece.count);
    decode_piece(piece, 0, piece.count, out.data() + out.size() - piece.count);
  }
  return read_failure(result, (std::string("column ") + name + " of " + relation).c_str());
}

Failure load_slice_tree(sqlite3* db, const StopSignal& stop, SliceTree& out) {
  std::vector<int64_t> parent, category;
  std::vector<uint8_t> is_op;
  Failure failure = read_packed(db, kSliceRelation, kTraceDevice, "parent", parent);
  if (!failure.failed()) failure = read_packed(db, kSliceRelation, kTraceDevice, "category", category);
  if (!failure.failed()) failure = read_packed(db, kSliceRelation, kTraceDevice, "name", out.name);
  if (!failure.failed()) failure = load_op_categories(db, is_op);
  if (failure.failed()) return failure;
  if (parent.size() != category.size() || parent.size() != out.name.size() || parent.size() >= kOnPath) {
    return damaged("the columns of slice");
  }
  return OpFinder(parent, category, is_op, out).run(stop);
}

}  // namespace tidemark
