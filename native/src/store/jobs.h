// Running ingests by job number, so that any thread can watch and cancel them.
#pragma once

#include <memory>

#include "model/progress.h"

namespace tidemark {

// Registers `job` for its lifetime. Job 0 is private: nobody can look it up.
class RunningJob {
 public:
  explicit RunningJob(int64_t job);
  ~RunningJob();
  RunningJob(const RunningJob&) = delete;
  RunningJob& operator=(const RunningJob&) = delete;
  Progress& progress() { return *progress_; }

 private:
  int64_t job_;
  std::shared_ptr<Progress> progress_;
};

// The progress of a running job, or null.
std::shared_ptr<Progress> find_job(int64_t job);

}  // namespace tidemark
