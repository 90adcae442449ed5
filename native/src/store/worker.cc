#include "store/worker.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>

namespace tidemark {
namespace {

constexpr std::chrono::milliseconds kWatchInterval{20};

}  // namespace

struct Worker::State {
  std::thread thread;
  std::mutex mutex;
  std::condition_variable done_signal;
  bool done = false;
  Failure failure;

  void run(const std::function<void()>& work) {
    try {
      work();
    } catch (const std::bad_alloc&) {
      failure = {"engine/out_of_memory", "Out of memory.", -1};
    } catch (const std::exception& error) {
      failure = {"engine/internal", std::string("Unexpected failure: ") + error.what(), -1};
    }
    std::lock_guard<std::mutex> lock(mutex);
    done = true;
    done_signal.notify_one();
  }
};

Worker::Worker(std::function<void()> work) : state_(std::make_unique<State>()) {
  try {
    state_->thread = std::thread([state = state_.get(), work] { state->run(work); });
  } catch (const std::system_error&) {
    state_->run(work);
  }
}

Worker::~Worker() {
  if (state_->thread.joinable()) state_->thread.join();
}

void Worker::finish(sqlite3* db, Progress& progress) {
  std::unique_lock<std::mutex> lock(state_->mutex);
  while (!state_->done_signal.wait_for(lock, kWatchInterval, [&] { return state_->done; })) {
    if (is_interrupted(db)) progress.cancel = true;
  }
  lock.unlock();
  if (state_->thread.joinable()) state_->thread.join();
}

const Failure& Worker::failure() const { return state_->failure; }

}  // namespace tidemark
