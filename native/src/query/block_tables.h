// The relations block_map(device, event) and segment_map(device, event): the layout after an event as rows.
#pragma once

#include <memory>

#include "query/query_context.h"

namespace tidemark {

// Registers both as eponymous virtual tables that share `context`. Answers an SQLite result code.
int register_block_maps(sqlite3* db, const std::shared_ptr<QueryContext>& context);

}  // namespace tidemark
