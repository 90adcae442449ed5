#include "readers/trace/event_texts.h"

#include "readers/input.h"
#include "readers/trace/text_source.h"
#include "readers/trace/window.h"

namespace tidemark {

using namespace readers;
using namespace readers::trace;

namespace {

constexpr size_t kStep = size_t{1} << 20;

std::string first_bytes(TextSource& source) {
  std::string bytes(2, '\0');
  source.read(0, reinterpret_cast<uint8_t*>(bytes.data()), bytes.size());
  return bytes;
}

std::unique_ptr<TextSource> inflated(const std::string& path) {
  return std::make_unique<StreamSource>(make_gzip_input(std::make_unique<FileInput>(path)), nullptr);
}

}  // namespace

struct EventTexts::Source {
  std::unique_ptr<TextSource> file;
  std::unique_ptr<TextSource> wide;    // over `file` where that is UTF-16
  std::unique_ptr<Window> window;      // null where the file cannot be opened
};

EventTexts::EventTexts(const std::string& path, const Progress& progress) : source_(std::make_unique<Source>()) {
  auto plain = std::make_unique<FileSource>(path, nullptr);
  if (!plain->opened()) return;
  std::string magic = first_bytes(*plain);
  source_->file = std::move(plain);
  if (magic == "\x1f\x8b") {
    magic = first_bytes(*inflated(path));
    source_->file = inflated(path);
  }
  TextSource* text = source_->file.get();
  if (is_utf16(magic)) {
    source_->wide = std::make_unique<Utf16Source>(*text);
    text = source_->wide.get();
  }
  source_->window = std::make_unique<Window>(*text, progress, 0, kStep);
}

EventTexts::~EventTexts() = default;

Failure EventTexts::next(uint64_t offset, uint32_t length, std::string_view& out) {
  if (!source_->window) return {"file/unreadable", "The file cannot be opened any more.", -1};
  Window& window = *source_->window;
  const auto changed = [&] { return Failure{"trace/source_changed", "The file changed while it was read.", static_cast<int64_t>(offset)}; };
  if (offset < window.offset()) return changed();
  while (offset - window.offset() > window.size()) {
    window.drop_before(window.end());
    if (!window.more()) break;
  }
  if (offset - window.offset() <= window.size()) {
    window.drop_before(window.begin() + (offset - window.offset()));
    window.ensure(length);
  }
  if (window.cancelled()) return {"query/cancelled", "The load was cancelled.", -1};
  const bool is_there = window.offset() == offset && window.size() >= length && length >= 2 && window.begin()[0] == '{' &&
                        window.begin()[length - 1] == '}';
  if (!is_there) return changed();
  out = {reinterpret_cast<const char*>(window.begin()), length};
  return {};
}

}  // namespace tidemark
