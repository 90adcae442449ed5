// A thread that works on an ingest while the thread that owns the connection watches for cancel.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "model/progress.h"
#include "store/sql.h"

namespace tidemark {

class Worker {
 public:
  // Starts `work` on a thread, or runs it at once where no thread can be made. What it throws ends up in failure().
  explicit Worker(std::function<void()> work);
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // Waits until the work is done, setting `progress.cancel` when the connection is interrupted meanwhile.
  void finish(sqlite3* db, Progress& progress);

  const Failure& failure() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tidemark
