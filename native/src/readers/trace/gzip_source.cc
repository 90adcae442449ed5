#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <new>

#include "readers/trace/text_source.h"

namespace tidemark::readers::trace {
namespace {

constexpr size_t kPiece = 1u << 20;
constexpr size_t kPiecesAhead = 4;
constexpr size_t kPacked = 256 * 1024;
// A checkpoint is made once so much text and so much of the file lie behind the last: of a file that inflates to a thousand times its size the
// windows stay an eighth of the file at most.
constexpr uint64_t kTextBetween = 4u << 20;
constexpr uint64_t kPackedBetween = 256u << 10;
constexpr uInt kWindowBytes = 32 * 1024;

// zlib's stream, ended with its owner.
struct Inflater {
  z_stream stream{};
  Inflater() {
    // 16 + 15: a gzip header is required and the window is the largest there is.
    if (inflateInit2(&stream, 16 + MAX_WBITS) != Z_OK) throw std::bad_alloc();
  }
  ~Inflater() { inflateEnd(&stream); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
};

// zlib tells in data_type, when asked to stop between blocks: 128 = behind a block, 64 = it was the last, and how many bits of the last
// byte are not used yet.
bool is_between_blocks(const z_stream& stream) { return (stream.data_type & 128) != 0 && (stream.data_type & 64) == 0; }

}  // namespace

GzipSource::GzipSource(std::unique_ptr<Input> packed, Progress& progress) : packed_(std::move(packed)), progress_(progress) {
  thread_ = std::thread([this] { run(); });
}

GzipSource::~GzipSource() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    stopped_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void GzipSource::run() {
  bool out_of_memory = false;
  try {
    inflate_all();
  } catch (const std::bad_alloc&) {
    out_of_memory = true;
  }
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    out_of_memory_ = out_of_memory;
    finished_ = true;
  }
  changed_.notify_all();
}

bool GzipSource::hand_over(Piece&& piece) {
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait(lock, [this] { return stopped_ || ready_.size() < kPiecesAhead; });
  if (stopped_) return false;
  ready_.push_back(std::move(piece));
  lock.unlock();
  changed_.notify_all();
  return true;
}

// Whether nothing but zeros follows: the `left` bytes at `at`, and the rest of the file.
bool GzipSource::is_padding(std::vector<uint8_t>& packed, size_t at, size_t left) {
  while (left > 0 && !progress_.cancel) {
    const auto begin = packed.begin() + static_cast<ptrdiff_t>(at);
    if (std::any_of(begin, begin + static_cast<ptrdiff_t>(left), [](uint8_t byte) { return byte != 0; })) return false;
    at = 0;
    left = packed_->read(packed.data(), packed.size());
  }
  return true;
}

void GzipSource::inflate_all() {
  Inflater inflater;
  z_stream& stream = inflater.stream;
  std::vector<uint8_t> packed(kPacked);
  uint64_t packed_end = 0;  // offset in the file behind what is in `packed`
  uint64_t last_text = 0, last_packed = 0;  // where the last checkpoint lies
  bool between_members = false;
  Piece piece;
  piece.bytes.resize(kPiece);
  for (;;) {
    if (stream.avail_in == 0) {
      stream.next_in = packed.data();
      stream.avail_in = static_cast<uInt>(packed_->read(packed.data(), packed.size()));
      packed_end += stream.avail_in;
      progress_.done.store(packed_->disk_bytes(), std::memory_order_relaxed);
      if (stream.avail_in == 0) {
        cut_ = !between_members;
        break;
      }
    }
    // Behind the last member some tools and downloads leave padding.
    if (between_members && stream.next_in[0] != 0x1f) {
      more_behind_ = !is_padding(packed, static_cast<size_t>(stream.next_in - packed.data()), stream.avail_in);
      break;
    }
    between_members = false;
    stream.next_out = piece.bytes.data() + piece.size;
    stream.avail_out = static_cast<uInt>(kPiece - piece.size);
    const int status = inflate(&stream, Z_BLOCK);
    const size_t made = kPiece - piece.size - stream.avail_out;
    piece.size += made;
    inflated_ += made;
    if (status == Z_STREAM_END) {
      between_members = true;
      inflateReset(&stream);
    } else if (status != Z_OK && status != Z_BUF_ERROR) {
      damaged_ = true;
      break;
    } else if (is_between_blocks(stream) && inflated_ - last_text >= kTextBetween &&
               packed_end - stream.avail_in - last_packed >= kPackedBetween) {
      InflateCheckpoint checkpoint;
      checkpoint.offset = last_text = inflated_;
      checkpoint.packed_offset = last_packed = packed_end - stream.avail_in;
      checkpoint.bits = static_cast<uint8_t>(stream.data_type & 7);
      checkpoint.window.resize(kWindowBytes);
      uInt size = kWindowBytes;
      inflateGetDictionary(&stream, reinterpret_cast<Bytef*>(checkpoint.window.data()), &size);
      checkpoint.window.resize(size);
      checkpoints_.push_back(std::move(checkpoint));
    }
    if (piece.size < kPiece) continue;
    if (!hand_over(std::move(piece))) return;
    piece = Piece{};
    piece.bytes.resize(kPiece);
  }
  hand_over(std::move(piece));
}

void GzipSource::note_end(FindingCounts& findings) const {
  if (damaged_) findings.count(Code::damaged_gzip, inflated_);
  if (cut_ && findings.of(Code::truncated) == 0) findings.count(Code::truncated, inflated_);
  if (more_behind_) findings.count(Code::bytes_after_end, inflated_);
}

size_t GzipSource::read(uint64_t, uint8_t* to, size_t capacity) {
  while (taken_ == current_.size) {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [this] { return !ready_.empty() || finished_; });
    if (ready_.empty()) {
      if (out_of_memory_) throw std::bad_alloc();
      return 0;
    }
    current_ = std::move(ready_.front());
    ready_.pop_front();
    taken_ = 0;
    lock.unlock();
    changed_.notify_all();
  }
  const size_t count = std::min(capacity, current_.size - taken_);
  std::memcpy(to, current_.bytes.data() + taken_, count);
  taken_ += count;
  return count;
}

}  // namespace tidemark::readers::trace
