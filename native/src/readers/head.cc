#include "readers/head.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "model/text.h"
#include "readers/profile/folded.h"
#include "readers/profile/profile_form.h"
#include "readers/profile/wire.h"
#include "readers/trace/text_source.h"

namespace tidemark::readers {
namespace {

constexpr size_t kHeadBytes = 256 * 1024;

struct Magic {
  const char* bytes;
  size_t length;
  size_t at;
  Family family;
  const char* detail;
};

#define TIDEMARK_MAGIC(text) text, sizeof(text) - 1
constexpr Magic kMagics[] = {
    {TIDEMARK_MAGIC("SQLite format 3\0"), 0, Family::sqlite, "an SQLite database"},
    {TIDEMARK_MAGIC("PK\x03\x04"), 0, Family::container, "a ZIP archive (torch.save writes these)"},
    {TIDEMARK_MAGIC("PK\x05\x06"), 0, Family::container, "an empty ZIP archive"},
    {TIDEMARK_MAGIC("\x28\xb5\x2f\xfd"), 0, Family::container, "zstd-compressed data"},
    {TIDEMARK_MAGIC("\xfd"
                    "7zXZ\0"),
     0, Family::container, "xz-compressed data"},
    {TIDEMARK_MAGIC("BZh"), 0, Family::container, "bzip2-compressed data"},
    {TIDEMARK_MAGIC("7z\xbc\xaf\x27\x1c"), 0, Family::container, "a 7-Zip archive"},
    {TIDEMARK_MAGIC("Rar!\x1a\x07"), 0, Family::container, "a RAR archive"},
    {TIDEMARK_MAGIC("\x04\x22\x4d\x18"), 0, Family::container, "LZ4-compressed data"},
    {TIDEMARK_MAGIC("\x1f\x8b"), 0, Family::container, "gzip inside gzip"},
    {TIDEMARK_MAGIC("ustar"), 257, Family::container, "a tar archive"},
    {TIDEMARK_MAGIC("\x89PNG\r\n\x1a\n"), 0, Family::unknown, "a PNG picture"},
    {TIDEMARK_MAGIC("\xff\xd8\xff"), 0, Family::unknown, "a JPEG picture"},
    {TIDEMARK_MAGIC("GIF8"), 0, Family::unknown, "a GIF picture"},
    {TIDEMARK_MAGIC("%PDF"), 0, Family::unknown, "a PDF document"},
    {TIDEMARK_MAGIC("\x7f"
                    "ELF"),
     0, Family::unknown, "an ELF program"},
    {TIDEMARK_MAGIC("MZ"), 0, Family::unknown, "a Windows program"},
    {TIDEMARK_MAGIC("\x93NUMPY"), 0, Family::unknown, "a NumPy array"},
    {TIDEMARK_MAGIC("\x89HDF\r\n\x1a\n"), 0, Family::unknown, "an HDF5 file"},
};
#undef TIDEMARK_MAGIC

bool starts_with_ignoring_case(std::string_view text, std::string_view prefix) {
  if (text.size() < prefix.size()) return false;
  return std::equal(prefix.begin(), prefix.end(), text.begin(),
                    [](char a, char b) { return a == (b >= 'A' && b <= 'Z' ? b + 32 : b); });
}

// A pickle of protocol 0 or 1 has no signature: its first opcodes must look like those of data, or of a GLOBAL to
// refuse.
bool is_text_pickle(std::string_view bytes) {
  if (bytes.size() < 2) return false;
  const char first = bytes[0];
  const char second = bytes[1];
  if (first == '(') return std::strchr("dl(", second) != nullptr;
  if (first == '}' || first == ']') return std::strchr("qr(.p", second) != nullptr;
  if (first != 'c') return false;
  const size_t line = bytes.find('\n');
  const auto is_name = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
  };
  if (line == std::string_view::npos || line < 2 || line > 200) return false;
  const size_t next = bytes.find('\n', line + 1);
  return next != std::string_view::npos && next > line + 1 &&
         std::all_of(bytes.begin(), bytes.begin() + static_cast<ptrdiff_t>(line), is_name) &&
         std::all_of(bytes.begin() + static_cast<ptrdiff_t>(line) + 1, bytes.begin() + static_cast<ptrdiff_t>(next),
                     is_name);
}

// Text when there is no zero byte and what there is decodes (up to a character that the end of the head cuts).
bool looks_like_text(std::string_view bytes) {
  if (bytes.find('\0') != std::string_view::npos) return false;
  const std::string_view head = bytes.substr(0, 4096);
  return is_utf8(head) || is_utf8(head.substr(0, head.size() - 1)) || is_utf8(head.substr(0, head.size() - 2)) ||
         is_utf8(head.substr(0, head.size() - 3));
}

std::string_view without_blanks(std::string_view bytes) {
  if (bytes.substr(0, 3) == "\xEF\xBB\xBF") bytes.remove_prefix(3);
  const size_t start = bytes.find_first_not_of(" \t\r\n");
  return start == std::string_view::npos ? std::string_view{} : bytes.substr(start);
}

// JSON begins with a bracket and goes on with a value; a log that begins with "[2024-…]" or "[INFO]" does not.
bool looks_like_json(std::string_view text) {
  if (text.empty() || (text[0] != '{' && text[0] != '[')) return false;
  const std::string_view next = without_blanks(text.substr(1));
  if (next.empty()) return true;
  return text[0] == '{' ? next[0] == '"' || next[0] == '}' : std::strchr("{[]\"", next[0]) != nullptr;
}

std::unique_ptr<FileInput> open_file_input(const std::string& path, Failure& error) {
  errno = 0;
  auto file = std::make_unique<FileInput>(path);
  if (file->opened()) return file;
  const int reason = errno;
  if (reason == ENOENT || reason == ENOTDIR) {
    error = {"file/not_found", "There is no file at this path.", -1};
  } else {
    error = {"file/unreadable", std::string("The file cannot be opened: ") + std::strerror(reason) + ".", -1};
  }
  return nullptr;
}

std::string take(Input& input, size_t count) {
  std::string bytes(count, '\0');
  size_t done = 0;
  while (done < count) {
    const size_t got = input.read(reinterpret_cast<uint8_t*>(bytes.data()) + done, count - done);
    if (got == 0) break;
    done += got;
  }
  bytes.resize(done);
  return bytes;
}

// Bytes of UTF-16 as UTF-8.
std::string narrowed(const std::string& bytes) {
  trace::StreamSource wide(std::make_unique<MemoryInput>(bytes), nullptr);
  trace::Utf16Source narrow(wide);
  std::string text(bytes.size() * 3 / 2 + 3, '\0');
  size_t size = 0;
  while (const size_t got = narrow.read(size, reinterpret_cast<uint8_t*>(text.data()) + size, text.size() - size)) size += got;
  text.resize(size);
  return text;
}

// JSON, unless it is the file of a tool that is recognised and not read.
void classify_json(Head& head) {
  std::string other;
  profile::form_of_json(head.bytes, other);
  head.family = other.empty() ? Family::json : Family::unknown;
  head.detail = other.empty() ? "JSON" : other;
}

}  // namespace

void classify_head(Head& head) {
  head.family = Family::unknown;
  if (head.bytes.empty()) {
    head.family = Family::empty;
    head.detail = "an empty file";
    return;
  }
  if (trace::is_utf16(head.bytes)) {
    std::string text = narrowed(head.bytes);
    const bool is_json = looks_like_json(without_blanks(text));
    if (is_json || profile::looks_folded(text, false)) {
      head.family = is_json ? Family::json : Family::folded;
      head.detail = is_json ? "JSON, UTF-16" : "folded stacks, UTF-16";
      head.is_utf16 = true;
      head.bytes = std::move(text);
      return;
    }
  }
  const std::string_view bytes = head.bytes;
  for (const Magic& magic : kMagics) {
    if (bytes.size() < magic.at + magic.length || bytes.compare(magic.at, magic.length, magic.bytes, magic.length) != 0)
      continue;
    head.family = magic.family;
    head.detail = magic.detail;
    return;
  }
  if (const char* const other = profile::other_tool(bytes); *other != '\0') {
    head.detail = other;
    return;
  }
  constexpr unsigned char kLatestGuess = 9;
  const auto protocol = bytes.size() > 1 ? static_cast<unsigned char>(bytes[1]) : 0;
  const std::string_view text = without_blanks(bytes);
  if (static_cast<unsigned char>(bytes[0]) == 0x80 && protocol <= kLatestGuess) {
    head.family = Family::pickle;
    head.detail = "pickle protocol " + std::to_string(protocol);
  } else if (profile::looks_like_pprof(bytes)) {
    head.family = Family::pprof;
    head.detail = "a pprof profile";
  } else if (looks_like_text(bytes) && profile::looks_folded(text, std::strchr("[({}]c", text.empty() ? ' ' : text[0]) != nullptr)) {
    head.family = Family::folded;
    head.detail = "folded stacks";
  } else if (is_text_pickle(bytes)) {
    head.family = Family::pickle;
    head.detail = bytes[0] == '}' || bytes[0] == ']' ? "pickle protocol 1" : "pickle protocol 0";
  } else if (looks_like_json(text)) {
    classify_json(head);
  } else if (starts_with_ignoring_case(text, "<!doctype html") || starts_with_ignoring_case(text, "<html")) {
    head.detail = "an HTML page";
  } else if (starts_with_ignoring_case(text, "<?xml")) {
    head.detail = "an XML document";
  } else {
    head.detail = looks_like_text(bytes) ? "text (a log or source file)" : "binary data of an unknown kind";
  }
}

// Inflates where the bytes are packed, then classifies.
static void look_inside(Head& head) {
  bool is_cut = false;
  if (head.bytes.size() >= 2 && head.bytes.compare(0, 2, "\x1f\x8b") == 0) {
    head.is_gzip = true;
    const std::string packed = std::move(head.bytes);
    const std::unique_ptr<Input> inflated = make_gzip_input(std::make_unique<MemoryInput>(packed));
    head.bytes = take(*inflated, kHeadBytes);
    is_cut = head.bytes.empty() && inflated->failed();
  }
  classify_head(head);
  if (is_cut) head.family = Family::cut;
  if (head.is_gzip) head.detail = "gzip, " + head.detail;
}

// True for a text that ends, as far as it was read, inside a line that may be a stack, with no whole one before it.
static bool ends_in_first_stack(const std::string& bytes) {
  const std::string narrow = trace::is_utf16(bytes) ? narrowed(bytes) : std::string();
  std::string_view text = without_blanks(narrow.empty() ? bytes : narrow);
  for (size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
    if (!profile::is_folded_remark(text.substr(0, end))) return false;
    text.remove_prefix(end + 1);
  }
  return text.find(';') != std::string_view::npos && looks_like_text(text);
}

// One stack of a deep recursion can be longer than the head: then as much is looked at as a line may have.
static void look_at_whole_line(const std::string& path, Head& head) {
  Failure ignored;  // the reader meets it too
  const std::unique_ptr<Input> input = open_input(path, head.is_gzip, ignored);
  if (!input) return;
  Head longer;
  longer.bytes = take(*input, profile::kLongestLine);
  classify_head(longer);
  if (longer.family != Family::folded) return;
  longer.is_gzip = head.is_gzip;
  longer.disk_size = head.disk_size;
  if (head.is_gzip) longer.detail = "gzip, " + longer.detail;
  head = std::move(longer);
}

Head head_of(const std::string& bytes) {
  Head head;
  head.disk_size = bytes.size();
  head.bytes = bytes.substr(0, kHeadBytes);
  look_inside(head);
  return head;
}

Failure cut_failure() { return {"file/truncated", "The compressed file ends, or is damaged, before anything of it can be unpacked.", 0}; }

std::unique_ptr<Input> open_input(const std::string& path, bool is_gzip, Failure& error) {
  std::unique_ptr<Input> input = open_file_input(path, error);
  if (input && is_gzip) return make_gzip_input(std::move(input));
  return input;
}

Head read_head(const std::string& path, Failure& error) {
  Head head;
  const std::unique_ptr<FileInput> file = open_file_input(path, error);
  if (!file) return head;
  head.disk_size = file->size();
  head.bytes = take(*file, kHeadBytes);
  if (file->failed()) {
    error = {"file/unreadable", "The file cannot be read (is it a folder, or is the disk damaged?).", 0};
    return head;
  }
  look_inside(head);
  if (head.family == Family::unknown && ends_in_first_stack(head.bytes)) look_at_whole_line(path, head);
  return head;
}

}  // namespace tidemark::readers
