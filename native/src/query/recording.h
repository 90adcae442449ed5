// A device's history as the simulator reads it (simulate/recording.h).
#pragma once

#include "query/block_layout.h"
#include "simulate/recording.h"
#include "store/relation_names.h"

namespace tidemark {

// Gathers the recording of a device from its columns, with kAllocatedPart, the layouts before the first and after the last event, and the
// relation `event`. Pools: where the capture does not name that of a segment it is the default one, unless the stream also serves private
// pools; then it is one of its own. Errors as read_failure(), `query/cancelled` when stopped.
Failure read_recording(sqlite3* db, const BlockLayout& start, const BlockLayout& end, const StopSignal& stop, Recording& out);

}  // namespace tidemark
