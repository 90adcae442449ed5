// Reads the texts of many events again, in the order of the file: each byte of it is read, and inflated, once.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "model/failure.h"
#include "model/progress.h"

namespace tidemark {

class EventTexts {
 public:
  // Opens the file at `path` (UTF-8): plain, gzip, UTF-16. Memory follows the longest event.
  EventTexts(const std::string& path, const Progress& progress);
  ~EventTexts();
  EventTexts(const EventTexts&) = delete;
  EventTexts& operator=(const EventTexts&) = delete;

  // The text of an event (SourceSpan), valid until the next call; offsets never fall from call to call. Errors: file/unreadable,
  // trace/source_changed (there is no JSON object at this place any more), query/cancelled.
  Failure next(uint64_t offset, uint32_t length, std::string_view& out);

 private:
  struct Source;
  std::unique_ptr<Source> source_;
};

}  // namespace tidemark
