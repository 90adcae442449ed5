// Scans a plain file with several threads. Each takes blocks of the text and guesses where their first event begins; a guess counts only if
// the block before ended exactly there, else the stretch is scanned again. So the answer is that of one thread.
#pragma once

#include "readers/trace/document_scanner.h"
#include "readers/trace/part_merger.h"
#include "readers/trace/read_opened.h"

namespace tidemark::readers::trace {

// `size` bytes from `start` on; `source` is one that several threads may read from anywhere. Stops early once `progress.cancel` is set. Throws what a thread threw.
void scan_parallel(TextSource& source, uint64_t size, const Place& start, const Cut& cut, const Progress& progress, PartMerger& merger);

}  // namespace tidemark::readers::trace
