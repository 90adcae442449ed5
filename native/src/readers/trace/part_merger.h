// Joins parts in the order of the file to one Trace: the ids of their scanners become ids of the trace, in order of first use.
#pragma once

#include <string>
#include <vector>

#include "model/progress.h"
#include "model/trace.h"
#include "readers/trace/part.h"

namespace tidemark::readers::trace {

class PartMerger {
 public:
  explicit PartMerger(Trace& out);

  void add(Part&& part);
  // A part that is not used: later parts of its scanner refer to its names all the same.
  void drop(Part&& part);
  FindingCounts& findings() { return findings_; }
  // Once all parts are there: what can only be told of the whole. Stops early once `progress.cancel` is set.
  void finish(const Progress& progress);

 private:
  // A scanner's names of one table and their ids in the trace, kNone until they are used.
  struct Names {
    std::vector<std::string> texts;
    std::vector<uint32_t> ids;
  };
  struct Scanner {
    Names names[static_cast<size_t>(Table::count)];
    std::vector<uint32_t> thread_process;
    std::vector<TraceCounterSeries> series;
    std::vector<TraceAsyncKey> async_keys;
  };

  Scanner& learn(Part& part);
  uint32_t resolve(Scanner& scanner, Table table, uint32_t local);
  uint32_t make(Scanner& scanner, Table table, uint32_t local);
  void make_thread(Scanner& scanner, uint32_t local, const std::string& text);
  uint32_t string(Scanner& scanner, uint32_t local) { return local == kNone ? kNone : resolve(scanner, Table::strings, local); }
  uint16_t category(Scanner& scanner, uint16_t local) {
    const uint32_t id = resolve(scanner, Table::categories, local);
    return id <= UINT16_MAX ? static_cast<uint16_t>(id) : uint16_t{0};
  }
  void add_points(Part& part, Scanner& scanner);
  void rename(const NameChange& change, Scanner& scanner);
  void add_metadata(Part& part);
  void name_samples(const Progress& progress);

  Trace& out_;
  std::vector<Scanner> scanners_;
  StringTable tables_[static_cast<size_t>(Table::count)];
  StringTable metadata_keys_;  // ids are places in the trace's metadata
  FindingCounts findings_;
  std::vector<std::pair<size_t, uint32_t>> sampled_;   // rows of instants, and the string that is the id of their frame
  std::vector<std::pair<uint32_t, uint32_t>> frames_;  // strings: id of a frame, its name
};

}  // namespace tidemark::readers::trace
