#include "readers/trace/source_text.h"

#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>

#include "readers/trace/text_source.h"

namespace tidemark {
namespace readers::trace {
namespace {

constexpr size_t kPiece = 64 * 1024;
constexpr size_t kGzipTrailer = 8;  // check sum and length behind a member

// Appends the wanted stretch of a text that comes piece by piece.
class Stretch {
 public:
  Stretch(uint64_t offset, uint64_t length, std::string& out) : begin_(offset), end_(offset + length), out_(out) {}
  // False = all is there.
  bool add(const uint8_t* bytes, size_t count) {
    const uint64_t from = std::max(begin_, at_);
    const uint64_t to = std::min(end_, at_ + count);
    if (from < to) out_.append(reinterpret_cast<const char*>(bytes) + (from - at_), static_cast<size_t>(to - from));
    at_ += count;
    return at_ < end_;
  }
  void start_at(uint64_t offset) { at_ = offset; }

 private:
  uint64_t begin_;
  uint64_t end_;
  uint64_t at_ = 0;
  std::string& out_;
};

void read_all(TextSource& source, uint64_t from, Stretch& stretch) {
  std::vector<uint8_t> piece(kPiece);
  stretch.start_at(from);
  for (uint64_t at = from;;) {
    const size_t got = source.read(at, piece.data(), piece.size());
    at += got;
    if (got == 0 || !stretch.add(piece.data(), got)) return;
  }
}

// Inflates from a checkpoint: first the raw rest of its member, then whole members.
class Reinflater {
 public:
  Reinflater(FileSource& file, const InflateCheckpoint& from) : file_(file), packed_at_(from.packed_offset) {
    if (inflateInit2(&stream_, -MAX_WBITS) != Z_OK) throw std::bad_alloc();
    if (from.bits > 0 && from.bits < 8 && from.packed_offset > 0) {
      uint8_t last = 0;
      file_.read(from.packed_offset - 1, &last, 1);
      inflatePrime(&stream_, from.bits, last >> (8 - from.bits));
    }
    inflateSetDictionary(&stream_, reinterpret_cast<const Bytef*>(from.window.data()), static_cast<uInt>(from.window.size()));
  }
  ~Reinflater() { inflateEnd(&stream_); }
  Reinflater(const Reinflater&) = delete;
  Reinflater& operator=(const Reinflater&) = delete;

  void run(Stretch& stretch) {
    std::vector<uint8_t> text(kPiece);
    while (refill()) {
      stream_.next_out = text.data();
      stream_.avail_out = static_cast<uInt>(text.size());
      const int status = inflate(&stream_, Z_NO_FLUSH);
      if (!stretch.add(text.data(), text.size() - stream_.avail_out)) return;
      if (status == Z_STREAM_END && !next_member()) return;
      if (status != Z_STREAM_END && status != Z_OK && status != Z_BUF_ERROR) return;
    }
  }

 private:
  bool refill() {
    if (stream_.avail_in > 0) return true;
    const size_t got = file_.read(packed_at_, packed_.data(), packed_.size());
    packed_at_ += got;
    stream_.next_in = packed_.data();
    stream_.avail_in = static_cast<uInt>(got);
    return got > 0;
  }
  bool next_member() {
    for (size_t left = raw_ ? kGzipTrailer : 0; left > 0;) {
      if (!refill()) return false;
      const auto skip = std::min<size_t>(left, stream_.avail_in);
      stream_.next_in += skip;
      stream_.avail_in -= static_cast<uInt>(skip);
      left -= skip;
    }
    raw_ = false;
    return inflateReset2(&stream_, 16 + MAX_WBITS) == Z_OK;
  }

  FileSource& file_;
  uint64_t packed_at_;
  bool raw_ = true;
  z_stream stream_{};
  std::vector<uint8_t> packed_ = std::vector<uint8_t>(kPiece);
};

void read_stretch(FileSource& file, const std::string& path, const std::vector<InflateCheckpoint>& checkpoints, uint64_t offset,
                  Stretch& stretch) {
  std::string magic(2, '\0');
  file.read(0, reinterpret_cast<uint8_t*>(magic.data()), magic.size());
  const bool is_gzip = magic == "\x1f\x8b";
  if (is_gzip) {
    StreamSource beginning(make_gzip_input(std::make_unique<FileInput>(path)), nullptr);
    beginning.read(0, reinterpret_cast<uint8_t*>(magic.data()), magic.size());
  }
  if (!is_gzip && !is_utf16(magic)) return read_all(file, offset, stretch);
  if (!is_utf16(magic)) {
    auto after = std::upper_bound(checkpoints.begin(), checkpoints.end(), offset,
                                  [](uint64_t wanted, const InflateCheckpoint& checkpoint) { return wanted < checkpoint.offset; });
    if (after != checkpoints.begin()) {
      --after;
      stretch.start_at(after->offset);
      Reinflater(file, *after).run(stretch);
      return;
    }
  }
  // From the beginning: there is no place nearer to go on from.
  std::unique_ptr<Input> input = std::make_unique<FileInput>(path);
  if (is_gzip) input = make_gzip_input(std::move(input));
  StreamSource plain(std::move(input), nullptr);
  if (!is_utf16(magic)) return read_all(plain, 0, stretch);
  Utf16Source text(plain);
  read_all(text, 0, stretch);
}

Failure read_text(const std::string& path, const std::vector<InflateCheckpoint>& checkpoints, uint64_t offset, uint64_t length,
                  std::string& out) {
  errno = 0;
  FileSource file(path, nullptr);
  if (!file.opened()) {
    if (errno == ENOENT || errno == ENOTDIR) return {"file/not_found", "There is no file at this path.", -1};
    return {"file/unreadable", std::string("The file cannot be opened: ") + std::strerror(errno) + ".", -1};
  }
  out.clear();
  if (offset <= UINT64_MAX - length) {
    Stretch stretch(offset, length, out);
    read_stretch(file, path, checkpoints, offset, stretch);
  }
  if (file.failed()) return {"file/unreadable", "The disk or network reported an error while the file was read.", -1};
  if (length < 2 || out.size() != length || out.front() != '{' || out.back() != '}') {
    out.clear();
    return {"trace/source_changed", "The file does not hold this event any more.", static_cast<int64_t>(offset)};
  }
  return {};
}

}  // namespace
}  // namespace readers::trace

Failure read_source_text(const std::string& path, const std::vector<InflateCheckpoint>& checkpoints, uint64_t offset, uint64_t length,
                         std::string& out) {
  try {
    return readers::trace::read_text(path, checkpoints, offset, length, out);
  } catch (const std::bad_alloc&) {
    return {"engine/out_of_memory", "There is not enough memory to read the event.", -1};
  } catch (const std::exception& failure) {
    return {"engine/internal", std::string("The reader failed: ") + failure.what() + ".", -1};
  }
}

}  // namespace tidemark
