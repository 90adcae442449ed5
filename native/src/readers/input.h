// Where bytes come from: a file, memory, or a gzip layer over either.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

namespace tidemark::readers {

// A forward-only stream of bytes.
class Input {
 public:
  virtual ~Input() = default;
  // Puts up to `capacity` bytes into `to`; 0 = the end (or a failure, see failed()).
  virtual size_t read(uint8_t* to, size_t capacity) = 0;
  // Bytes taken so far from the file on disk (compressed bytes below a gzip layer).
  virtual uint64_t disk_bytes() const = 0;
  // The medium reported an error, or a compressed stream is damaged or cut.
  virtual bool failed() const = 0;
};

// fopen for reading, of a path in UTF-8 on any system.
std::FILE* open_file(const std::string& path);

class FileInput : public Input {
 public:
  // Opens `path` (UTF-8). `opened()` says whether that worked; errno holds the reason.
  explicit FileInput(const std::string& path);
  ~FileInput() override;
  FileInput(const FileInput&) = delete;
  FileInput& operator=(const FileInput&) = delete;

  bool opened() const { return file_ != nullptr; }
  uint64_t size() const { return size_; }
  size_t read(uint8_t* to, size_t capacity) override;
  uint64_t disk_bytes() const override { return done_; }
  bool failed() const override { return failed_; }

 private:
  std::FILE* file_ = nullptr;
  uint64_t size_ = 0;
  uint64_t done_ = 0;
  bool failed_ = false;
};

class MemoryInput : public Input {
 public:
  explicit MemoryInput(std::string_view bytes) : bytes_(bytes) {}
  size_t read(uint8_t* to, size_t capacity) override;
  uint64_t disk_bytes() const override { return done_; }
  bool failed() const override { return false; }

 private:
  std::string_view bytes_;
  size_t done_ = 0;
};

// Inflates gzip (RFC 1952), several members in a row too. After a cut or damage everything inflated before it was
// given.
std::unique_ptr<Input> make_gzip_input(std::unique_ptr<Input> packed);

}  // namespace tidemark::readers
