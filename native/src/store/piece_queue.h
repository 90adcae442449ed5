// Packed pieces on their way from the thread that makes them to the thread that owns the connection.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>

#include "store/packed_column.h"

namespace tidemark {

struct ColumnPiece {
  const char* relation = "";  // string literals
  int32_t device = 0;
  std::string name;
  int64_t piece = 0;
  PieceBytes data;
};

class PieceQueue {
 public:
  void push(ColumnPiece piece) {
    std::lock_guard<std::mutex> lock(mutex_);
    pieces_.push_back(std::move(piece));
    ready_.notify_one();
  }

  // No more will come.
  void close() {
    std::lock_guard<std::mutex> lock(mutex_);
    closed_ = true;
    ready_.notify_one();
  }

  enum class Taken { piece, nothing_yet, closed };

  // The next piece; waits at most `wait` for one.
  Taken take(ColumnPiece& piece, std::chrono::milliseconds wait) {
    std::unique_lock<std::mutex> lock(mutex_);
    ready_.wait_for(lock, wait, [&] { return closed_ || !pieces_.empty(); });
    if (!pieces_.empty()) {
      piece = std::move(pieces_.front());
      pieces_.pop_front();
      return Taken::piece;
    }
    return closed_ ? Taken::closed : Taken::nothing_yet;
  }

 private:
  std::mutex mutex_;
  std::condition_variable ready_;
  std::deque<ColumnPiece> pieces_;
  bool closed_ = false;
};

}  // namespace tidemark
