// Reads a snapshot from an already opened source; what read_snapshot() and the fuzz entry share.
#pragma once

#include "model/snapshot.h"
#include "readers/byte_source.h"
#include "readers/head.h"

namespace tidemark::readers {

// `family` must be pickle or json. `detail` becomes Snapshot::format_detail, with what reading adds.
Failure read_source(ByteSource& source, Family family, const std::string& detail, Snapshot& out);

}  // namespace tidemark::readers
