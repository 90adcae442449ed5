// What the first bytes of a file say about it.
#pragma once

#include <memory>
#include <string>

#include "readers/input.h"
#include "readers/read_snapshot.h"

namespace tidemark::readers {

// What kind of reader the bytes ask for; cut = packed, and it ends or is damaged before anything can be unpacked.
enum class Family { pickle, json, folded, pprof, sqlite, container, unknown, empty, cut };

struct Head {
  Family family = Family::unknown;
  std::string detail;  // "pickle protocol 4", "a ZIP archive", …
  bool is_gzip = false;
  bool is_utf16 = false;  // JSON or folded stacks with a byte order mark of UTF-16
  std::string bytes;  // the first 256 KiB, of folded stacks at least the first stack; inflated, as UTF-8
  uint64_t disk_size = 0;
};

// Opens the file and looks at its beginning. Errors: file/not_found, file/unreadable.
Head read_head(const std::string& path, Failure& error);
// The same for bytes in memory that are not compressed.
void classify_head(Head& head);
// The same for the bytes of a whole file.
Head head_of(const std::string& bytes);
// The failure that a head of Family::cut means.
Failure cut_failure();
// Opens the file for reading from its beginning, below a gzip layer where `is_gzip`. nullptr = error says why.
std::unique_ptr<Input> open_input(const std::string& path, bool is_gzip, Failure& error);

}  // namespace tidemark::readers
