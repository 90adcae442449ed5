// A thread that does one piece of work after the other beside the thread that hands them over.
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

namespace tidemark {

// One owner calls run() and wait() in turn. The thread is made by the first run() and lasts; where there is none to be had, run() does the work.
class SecondThread {
 public:
  explicit SecondThread(std::function<void()> work) : work_(std::move(work)) {}
  ~SecondThread() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      state_ = State::ended;
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
  }
  SecondThread(const SecondThread&) = delete;
  SecondThread& operator=(const SecondThread&) = delete;

  // Does the work once. What it read and writes must be left alone until wait() has returned.
  void run() {
    if (!thread_.joinable() && !start()) return work_();
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      state_ = State::wanted;
    }
    changed_.notify_all();
  }
  // Returns when the work is done; what it threw is thrown here.
  void wait() {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [&] { return state_ == State::idle; });
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  }

 private:
  enum class State { idle, wanted, ended };

  bool start() {
    try {
      thread_ = std::thread([this] { serve(); });
      return true;
    } catch (const std::system_error&) {
      return false;
    }
  }
  void serve() {
    std::unique_lock<std::mutex> lock(mutex_);
    for (;;) {
      changed_.wait(lock, [&] { return state_ != State::idle; });
      if (state_ == State::ended) return;
      lock.unlock();
      std::exception_ptr failure;
      try {
        work_();
      } catch (...) {
        failure = std::current_exception();
      }
      lock.lock();
      failure_ = failure;
      if (state_ == State::ended) return;
      state_ = State::idle;
      changed_.notify_all();
    }
  }

  std::function<void()> work_;
  std::mutex mutex_;
  std::condition_variable changed_;
  State state_ = State::idle;
  std::exception_ptr failure_;
  std::thread thread_;
};

}  // namespace tidemark
