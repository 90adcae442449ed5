// What one SQLite connection keeps of the index it has open: columns decoded once and shared by the functions and the
// virtual tables. SQLite serializes the calls on a connection, so there is no locking here.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "store/device_columns.h"
#include "store/piece_cache.h"
#include "store/relation_names.h"
#include "store/trace_owners.h"

namespace tidemark {

// The text of every SQLite error that this library raises: `tidemark:{"code": …, "message": …, "offset": …}`.
// code: one of the closed list in native/README.md; offset: byte offset in the source file, −1 when there is none.
std::string error_text(const std::string& code, const std::string& message, int64_t offset = -1);

// The rows of a relation on one device.
struct DeviceRows {
  int32_t device;
  int64_t row_count;
  int64_t first_id;
};

// Reads the text of an event at an offset of a trace's inflated source; false when there is no source or not that text.
using EventText = std::function<bool(uint64_t offset, uint32_t length, std::string& text)>;

class ConnectionState {
 public:
  explicit ConnectionState(sqlite3* db) : db_(db), pieces_(db), names_(db), owners_(db) {}
  ConnectionState(const ConnectionState&) = delete;
  ConnectionState& operator=(const ConnectionState&) = delete;

  sqlite3* db() const { return db_; }

  // The columns of `device` with at least the `wanted` parts (kTimesPart | …), loaded when first asked for and kept until
  // forget(). nullptr on failure; `error` is then an error_text(): `query/bad_argument` for a device that the index does not
  // have, `index/not_an_index`, `query/cancelled`.
  const DeviceColumns* device_columns(int32_t device, unsigned wanted, std::string& error);

  // What the virtual tables read, and the names behind its codes.
  PieceCache& pieces() { return pieces_; }
  RelationNames& names() { return names_; }
  TraceOwners& owners() { return owners_; }

  // Where the args of a trace's events come from when the index does not hold them (trace_source).
  const EventText& event_text() const { return event_text_; }
  void set_event_text(EventText text) { event_text_ = std::move(text); }

  // The answer of a relation's devices_sql, in its order; nullptr on failure, `result` is then an SQLite result code.
  const std::vector<DeviceRows>* relation_rows(const char* devices_sql, int& result);

  // Drops what was loaded: the index of the connection is about to change.
  void forget();

  // How often forget() was called: what was derived from columns of another generation is worth nothing.
  uint64_t generation() const { return generation_; }

 private:
  sqlite3* db_;
  PieceCache pieces_;
  RelationNames names_;
  TraceOwners owners_;
  EventText event_text_;
  std::map<std::string, std::vector<DeviceRows>> relation_rows_;
  std::map<int32_t, std::unique_ptr<DeviceColumns>> devices_;
  uint64_t generation_ = 0;
};

}  // namespace tidemark
