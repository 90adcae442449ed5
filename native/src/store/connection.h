// What one SQLite connection keeps of the index it has open: columns decoded once and shared by the functions and the
// virtual tables. SQLite serialises the calls on a connection, so there is no locking here.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "store/device_columns.h"
#include "store/sqlite_api.h"

namespace tidemark {

// The text of every SQLite error that this library raises: `tidemark:{"code": …, "message": …, "offset": …}`.
// code: one of the closed list in native/README.md; offset: byte offset in the source file, −1 when there is none.
std::string error_text(const std::string& code, const std::string& message, int64_t offset = -1);

class ConnectionState {
 public:
  explicit ConnectionState(sqlite3* db) : db_(db) {}
  ConnectionState(const ConnectionState&) = delete;
  ConnectionState& operator=(const ConnectionState&) = delete;

  sqlite3* db() const { return db_; }

  // The columns of `device`, loaded at the first call and kept until forget(). nullptr on failure; `error` is then an
  // error_text(): `query/bad_argument` for a device that the index does not have, `index/not_an_index`, `index/write_failed`.
  const DeviceColumns* device_columns(int32_t device, std::string& error);

  // Drops what was loaded: the index of the connection is about to change.
  void forget() { devices_.clear(); }

 private:
  sqlite3* db_;
  std::map<int32_t, std::unique_ptr<DeviceColumns>> devices_;
};

}  // namespace tidemark
