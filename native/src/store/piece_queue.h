// Packed pieces on their way from the thread that makes them to the thread that owns the connection.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <thread>

#include "store/packed_column.h"

namespace tidemark {

struct ColumnPiece {
  const char* relation = "";  // string literals
  int32_t device = 0;
  std::string name;
  int64_t piece = 0;
  PieceBytes data;
};

// Made by the thread that takes.
class PieceQueue {
 public:
  static constexpr size_t kMostBytes = size_t{32} << 20;  // waiting pieces; enough to bridge the writing of an event column

  // Waits while kMostBytes are waiting already, unless stop() was called: then the piece is dropped. The taking thread itself
  // never waits here, since nobody else would make room.
  void push(ColumnPiece piece) {
    std::unique_lock<std::mutex> lock(mutex_);
    if (std::this_thread::get_id() != taker_) room_.wait(lock, [&] { return stopped_ || bytes_ < kMostBytes; });
    if (stopped_) return;
    bytes_ += piece.data.size;
    pieces_.push_back(std::move(piece));
    ready_.notify_one();
  }

  // No more will come.
  void close() {
    std::lock_guard<std::mutex> lock(mutex_);
    closed_ = true;
    ready_.notify_one();
  }

  // No more will be taken: nobody waits for room from now on.
  void stop() {
    std::lock_guard<std::mutex> lock(mutex_);
    stopped_ = true;
    room_.notify_all();
  }

  enum class Taken { piece, nothing_yet, closed };

  // The next piece; waits at most `wait` for one.
  Taken take(ColumnPiece& piece, std::chrono::milliseconds wait) {
    std::unique_lock<std::mutex> lock(mutex_);
    ready_.wait_for(lock, wait, [&] { return closed_ || !pieces_.empty(); });
    if (!pieces_.empty()) {
      piece = std::move(pieces_.front());
      pieces_.pop_front();
      bytes_ -= piece.data.size;
      room_.notify_one();
      return Taken::piece;
    }
    return closed_ ? Taken::closed : Taken::nothing_yet;
  }

 private:
  const std::thread::id taker_ = std::this_thread::get_id();
  std::mutex mutex_;
  std::condition_variable ready_;
  std::condition_variable room_;
  std::deque<ColumnPiece> pieces_;
  size_t bytes_ = 0;  // of pieces_
  bool closed_ = false;
  bool stopped_ = false;
};

}  // namespace tidemark
