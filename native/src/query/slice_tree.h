// Which op encloses each slice of a trace: read once a connection, for the questions that add up by op.
#pragma once

#include <cstdint>
#include <vector>

#include "query/query_error.h"
#include "store/sqlite_api.h"

namespace tidemark {

inline constexpr uint32_t kNoOp = 0xFFFFFFFFu;

struct SliceTree {
  std::vector<uint32_t> op;         // by slice: the innermost cpu_op that it is or lies in, kNoOp
  std::vector<uint32_t> parent_op;  // by slice: likewise of its parent
  std::vector<int64_t> name;        // by slice: string_id, −1 none

  size_t size() const { return op.size(); }
};

// Reads the slices of the index of `db`; none where it is a snapshot's. `index/not_an_index` where parents go round in circles or
// columns are missing, `query/cancelled`.
Failure load_slice_tree(sqlite3* db, const StopSignal& stop, SliceTree& out);

// Reads a whole packed column; empty where the index has none of this name. `index/not_an_index` where it is damaged.
Failure read_packed(sqlite3* db, const char* relation, int32_t device, const char* name, std::vector<int64_t>& out);

}  // namespace tidemark
