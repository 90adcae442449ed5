#include "readers/input.h"

#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <vector>

#ifdef _WIN32
#include <windows.h>
#else
#include <sys/stat.h>
#endif

namespace tidemark::readers {

std::FILE* open_file(const std::string& path) {
#ifdef _WIN32
  const int length = MultiByteToWideChar(CP_UTF8, 0, path.c_str(), -1, nullptr, 0);
  std::wstring wide(static_cast<size_t>(length), L'\0');
  MultiByteToWideChar(CP_UTF8, 0, path.c_str(), -1, wide.data(), length);
  return _wfopen(wide.c_str(), L"rb");
#else
  return std::fopen(path.c_str(), "rb");
#endif
}

namespace {

uint64_t size_of(std::FILE* file) {
#ifdef _WIN32
  struct _stat64 status;
  return _fstat64(_fileno(file), &status) == 0 ? static_cast<uint64_t>(status.st_size) : 0;
#else
  struct stat status;
  return fstat(fileno(file), &status) == 0 ? static_cast<uint64_t>(status.st_size) : 0;
#endif
}

class GzipInput : public Input {
 public:
  explicit GzipInput(std::unique_ptr<Input> packed) : packed_(std::move(packed)), window_(kWindow) {
    // 16 + 15: a gzip header is required and the window is the largest there is.
    if (inflateInit2(&stream_, 16 + MAX_WBITS) != Z_OK) throw std::bad_alloc();
  }
  ~GzipInput() override { inflateEnd(&stream_); }
  GzipInput(const GzipInput&) = delete;
  GzipInput& operator=(const GzipInput&) = delete;

  size_t read(uint8_t* to, size_t capacity) override {
    capacity = std::min<size_t>(capacity, 1u << 30);
    stream_.next_out = to;
    stream_.avail_out = static_cast<uInt>(capacity);
    while (stream_.avail_out == capacity && !ended_) step();
    return capacity - stream_.avail_out;
  }
  uint64_t disk_bytes() const override { return packed_->disk_bytes(); }
  bool failed() const override { return failed_ || packed_->failed(); }

 private:
  static constexpr size_t kWindow = 256 * 1024;

  bool refill() {
    if (stream_.avail_in > 0) return true;
    stream_.next_in = window_.data();
    stream_.avail_in = static_cast<uInt>(packed_->read(window_.data(), window_.size()));
    return stream_.avail_in > 0;
  }

  void step() {
    if (!refill()) {
      ended_ = true;
      failed_ = failed_ || !between_members_;
      return;
    }
    if (between_members_ && stream_.next_in[0] != 0x1f) {
      ended_ = true;  // padding after the last member, as tape tools and some downloads leave it
      return;
    }
    between_members_ = false;
    const int status = inflate(&stream_, Z_NO_FLUSH);
    if (status == Z_STREAM_END) {
      between_members_ = true;
      inflateReset(&stream_);
    } else if (status != Z_OK && status != Z_BUF_ERROR) {
      ended_ = failed_ = true;
    }
  }

  std::unique_ptr<Input> packed_;
  std::vector<uint8_t> window_;
  z_stream stream_{};
  bool between_members_ = false;
  bool ended_ = false;
  bool failed_ = false;
};

}  // namespace

FileInput::FileInput(const std::string& path) : file_(open_file(path)) {
  if (!file_) return;
  std::setvbuf(file_, nullptr, _IONBF, 0);  // the reader brings its own window
  size_ = size_of(file_);
}

FileInput::~FileInput() {
  if (file_) std::fclose(file_);
}

size_t FileInput::read(uint8_t* to, size_t capacity) {
  const size_t got = std::fread(to, 1, capacity, file_);
  if (got < capacity && std::ferror(file_)) failed_ = true;
  done_ += got;
  return got;
}

size_t MemoryInput::read(uint8_t* to, size_t capacity) {
  const size_t count = std::min(capacity, bytes_.size() - done_);
  if (count > 0) std::memcpy(to, bytes_.data() + done_, count);
  done_ += count;
  return count;
}

std::unique_ptr<Input> make_gzip_input(std::unique_ptr<Input> packed) {
  return std::make_unique<GzipInput>(std::move(packed));
}

}  // namespace tidemark::readers
