// Runs tasks on two threads: this one and a helper.
#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <system_error>
#include <thread>

namespace tidemark {

// work(task) for every task in [0, tasks), in ascending order of their beginning, at most two at a time. What a task throws is thrown here when
// both threads have ended; tasks that have not begun are then left out. Without a second thread the work is done on this one.
template <typename Work>
void run_on_two_threads(size_t tasks, Work&& work) {
  std::atomic<size_t> next{0};
  std::exception_ptr failure[2];
  const auto take = [&](std::exception_ptr& failed) {
    try {
      for (size_t task = next++; task < tasks; task = next++) work(task);
    } catch (...) {
      failed = std::current_exception();
      next = tasks;
    }
  };
  std::thread helper;
  try {
    if (tasks > 1) helper = std::thread([&] { take(failure[1]); });
  } catch (const std::system_error&) {
    // This thread takes all of them.
  }
  take(failure[0]);
  if (helper.joinable()) helper.join();
  for (const std::exception_ptr& failed : failure) {
    if (failed) std::rethrow_exception(failed);
  }
}

}  // namespace tidemark
