#include "store/connection.h"

#include "store/sql.h"

namespace tidemark {

const std::vector<DeviceRows>* ConnectionState::relation_rows(const char* devices_sql, int& result) {
  const auto known = relation_rows_.find(devices_sql);
  result = SQLITE_OK;
  if (known != relation_rows_.end()) return &known->second;
  Statement rows(db_, devices_sql);
  std::vector<DeviceRows> found;
  while ((result = rows.step()) == SQLITE_ROW) {
    found.push_back({static_cast<int32_t>(rows.integer(0)), rows.integer(1), rows.integer(2)});
  }
  if (result != SQLITE_DONE) return nullptr;
  result = SQLITE_OK;
  return &(relation_rows_[devices_sql] = std::move(found));
}

void ConnectionState::forget() {
  ++generation_;
  devices_.clear();
  relation_rows_.clear();
  pieces_.clear();
  names_ = RelationNames(db_);
  owners_ = TraceOwners(db_);
}

}  // namespace tidemark
