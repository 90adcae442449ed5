// The allocator settings of a snapshot (`allocator_settings` of torch.cuda.memory._snapshot()) as rules of the replay.
#pragma once

#include "model/failure.h"
#include "model/snapshot.h"
#include "replay/allocator_rules.h"
#include "store/sqlite_api.h"

namespace tidemark {

// Reads Snapshot::settings_json with the connection's JSON functions. Files without settings get the defaults, and
// expandable splitting when any segment is expandable.
AllocatorRules allocator_rules(sqlite3* db, const Snapshot& snapshot);

// The same rules, from the tables `metadata` and `segment` of an index. Errors as read_failure().
Failure stored_rules(sqlite3* db, AllocatorRules& out);

// garbage_collection_threshold of an index; 0 = off, or not in the file. Errors as read_failure().
Failure stored_gc_threshold(sqlite3* db, double& out);

}  // namespace tidemark
