// Table-valued relations of a moment: `name(device, event)`, whose last two columns are these hidden arguments.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "query/query_context.h"

namespace tidemark {

// The rows of one question, in order.
class EventRows {
 public:
  virtual ~EventRows() = default;
  virtual bool at_end() const = 0;
  virtual void next() = 0;
  // Answers the value of a column of the row at hand; nothing = NULL.
  virtual void result(sqlite3_context* sql, int column) const = 0;
};

struct EventTable {
  const char* name;
  const char* declaration;  // ends in `device INTEGER HIDDEN, event INTEGER HIDDEN`
  int argument_column;      // of `device`
  double usual_rows;        // of one moment, for the planner
  // The rows; nullptr on failure, `error` is then the text of an SQLite error.
  std::unique_ptr<EventRows> (*rows)(QueryContext& context, int64_t device, int64_t event, std::string& error);
};

// Registers an eponymous virtual table. A device or event that is NULL has no rows. Answers an SQLite result code.
int register_event_table(sqlite3* db, const EventTable& table, const std::shared_ptr<QueryContext>& context);

}  // namespace tidemark
