// Where the text of a trace comes from: a plain file, which can be read from anywhere; a gzip stream; UTF-16 over either.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "model/progress.h"
#include "model/trace.h"
#include "readers/input.h"
#include "readers/trace/finding_code.h"
#include "readers/trace/window.h"

namespace tidemark::readers::trace {

// A plain file. Several threads may read at once.
class FileSource : public TextSource {
 public:
  FileSource(const std::string& path, Progress* progress);
  ~FileSource() override;
  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;

  bool opened() const { return file_ != nullptr; }
  size_t read(uint64_t offset, uint8_t* to, size_t capacity) override;
  bool failed() const override { return failed_; }

 private:
  std::FILE* file_ = nullptr;
  Progress* progress_;
  std::mutex mutex_;
  std::atomic<bool> failed_{false};
};

// Any input from its beginning to its end.
class StreamSource : public TextSource {
 public:
  StreamSource(std::unique_ptr<Input> input, Progress* progress) : input_(std::move(input)), progress_(progress) {}
  size_t read(uint64_t offset, uint8_t* to, size_t capacity) override;
  bool failed() const override { return input_->failed(); }

 private:
  std::unique_ptr<Input> input_;
  Progress* progress_;
};

// Inflates gzip (several members too) on a thread of its own, a few pieces ahead, and notes where inflating can begin again.
class GzipSource : public TextSource {
 public:
  GzipSource(std::unique_ptr<Input> packed, Progress& progress);
  ~GzipSource() override;
  GzipSource(const GzipSource&) = delete;
  GzipSource& operator=(const GzipSource&) = delete;

  size_t read(uint64_t offset, uint8_t* to, size_t capacity) override;
  // Once read() has told the end:
  bool failed() const override { return damaged_; }
  // Counts what is wrong with the stream: that it is damaged, ends before its end, or that something that is no padding follows it.
  void note_end(FindingCounts& findings) const;
  std::vector<InflateCheckpoint> take_checkpoints() { return std::move(checkpoints_); }

 private:
  struct Piece {
    std::vector<uint8_t> bytes;
    size_t size = 0;
  };
  void run();
  void inflate_all();
  bool hand_over(Piece&& piece);
  bool is_padding(std::vector<uint8_t>& packed, size_t at, size_t left);

  std::unique_ptr<Input> packed_;
  Progress& progress_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Piece> ready_;
  bool finished_ = false;
  bool stopped_ = false;
  bool out_of_memory_ = false;
  // Written by the thread before `finished_` is set.
  bool damaged_ = false;
  bool cut_ = false;  // the file ends before the stream does
  bool more_behind_ = false;
  uint64_t inflated_ = 0;
  std::vector<InflateCheckpoint> checkpoints_;
  Piece current_;
  size_t taken_ = 0;
  std::thread thread_;
};

// UTF-16 with a byte order mark as UTF-8 without one. Offsets in the text are those of the UTF-8.
class Utf16Source : public TextSource {
 public:
  explicit Utf16Source(TextSource& inner) : inner_(inner) {}
  size_t read(uint64_t offset, uint8_t* to, size_t capacity) override;
  bool failed() const override { return inner_.failed(); }

 private:
  bool fill();

  TextSource& inner_;
  uint64_t inner_offset_ = 0;
  std::vector<uint8_t> units_;  // bytes that were read and not used
  std::string text_;
  size_t taken_ = 0;
  bool big_endian_ = false;
  bool ended_ = false;
};

// Whether text that begins with these bytes is UTF-16.
bool is_utf16(const std::string& bytes);

}  // namespace tidemark::readers::trace
