#include "store/jobs.h"

#include <map>
#include <mutex>

namespace tidemark {
namespace {

struct Jobs {
  std::mutex mutex;
  std::map<int64_t, std::shared_ptr<Progress>> running;
};

Jobs& jobs() {
  static Jobs all;
  return all;
}

}  // namespace

RunningJob::RunningJob(int64_t job) : job_(job), progress_(std::make_shared<Progress>()) {
  if (job_ == 0) return;
  std::lock_guard<std::mutex> lock(jobs().mutex);
  jobs().running[job_] = progress_;
}

RunningJob::~RunningJob() {
  if (job_ == 0) return;
  std::lock_guard<std::mutex> lock(jobs().mutex);
  const auto at = jobs().running.find(job_);
  if (at != jobs().running.end() && at->second == progress_) jobs().running.erase(at);
}

std::shared_ptr<Progress> find_job(int64_t job) {
  std::lock_guard<std::mutex> lock(jobs().mutex);
  const auto at = jobs().running.find(job);
  return at == jobs().running.end() ? nullptr : at->second;
}

}  // namespace tidemark
