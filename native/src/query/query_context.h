// What the query functions of one connection share: the connection's columns, and what was derived from them.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "query/range_stats.h"
#include "query/timeline_raster.h"
#include "store/connection.h"

namespace tidemark {

class QueryContext {
 public:
  explicit QueryContext(ConnectionState* state) : state_(state) {}

  // The columns of `device` with their lifetimes; nullptr on failure, `error` is then the text of an SQLite error.
  const Lifetimes* device(int64_t device, std::string& error);

  // The integrals of the curves of a device that device() answered, derived at the first call; nullptr when interrupted.
  const CurveIntegrals* integrals(const Lifetimes& lifetimes);

  RasterScratch& raster_scratch() { return raster_scratch_; }

  // Stops when sqlite3_interrupt() was called on the connection (SQLite ≥ 3.41; never before that).
  StopSignal stop_signal() const;

 private:
  // A connection may drop its columns (ConnectionState::forget) and load others at the same address.
  struct Derived {
    const int32_t* made = nullptr;
    size_t allocations = 0;
    size_t events = 0;
    Lifetimes lifetimes;
    CurveIntegrals integrals;
    bool has_integrals = false;
  };
  ConnectionState* state_;
  std::map<int32_t, Derived> derived_;
  RasterScratch raster_scratch_;
};

}  // namespace tidemark
