// Files on disk: gzip, errors of the file system, progress, cancelling and sniffing. The interning tables too.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>

#include "check.h"
#include "readers/gzip.h"
#include "readers/pickle_maker.h"
#include "readers/read_snapshot.h"

namespace fs = std::filesystem;
using maker::Style;

namespace {

// A file in the temporary folder that lives as long as the object.
struct TemporaryFile {
  explicit TemporaryFile(const std::string& bytes)
      : path((fs::temp_directory_path() / ("tidemark_reader_test_" + std::to_string(++made))).string()) {
    std::ofstream(path, std::ios::binary) << bytes;
  }
  ~TemporaryFile() { std::remove(path.c_str()); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  std::string path;
  static int made;
};
int TemporaryFile::made = static_cast<int>(std::random_device{}() >> 8) & 0xFFFFFF;

struct FileRead {
  tidemark::Progress progress;
  tidemark::Snapshot snapshot;
  tidemark::Failure error;
  size_t events() const { return snapshot.traces.empty() ? 0 : snapshot.traces[0].action.size(); }
};

std::unique_ptr<FileRead> read_file(const std::string& bytes) {
  const TemporaryFile file(bytes);
  auto read = std::make_unique<FileRead>();
  read->error = tidemark::read_snapshot(file.path, read->progress, read->snapshot);
  return read;
}

std::string sniffed(const std::string& bytes) {
  const TemporaryFile file(bytes);
  tidemark::Failure error;
  const tidemark::Sniffed result = tidemark::sniff(file.path, error);
  return result.kind + ": " + result.detail + error.code;
}

}  // namespace

TEST(plain_file) {
  const std::string bytes = maker::snapshot(Style::python4, 5000);
  const auto read = read_file(bytes);
  CHECK_EQ(read->error.code, "");
  CHECK_EQ(read->events(), 5000u);
  CHECK_EQ(read->progress.total.load(), bytes.size());
  CHECK_EQ(read->progress.done.load(), bytes.size());
  CHECK_EQ(read->snapshot.format_detail, "pickle protocol 4");
}

TEST(gzip_of_one_and_several_members) {
  const std::string bytes = maker::snapshot(Style::python4, 5000);
  const auto one = read_file(gzipped(bytes));
  CHECK_EQ(one->error.code, "");
  CHECK_EQ(one->events(), 5000u);
  CHECK_EQ(one->snapshot.format_detail, "gzip, pickle protocol 4");
  const auto two = read_file(gzipped(bytes.substr(0, 1000)) + gzipped(bytes.substr(1000)) + std::string(512, '\0'));
  CHECK_EQ(two->error.code, "");
  CHECK_EQ(two->events(), 5000u);
  CHECK_EQ(two->snapshot.findings.size(), 0u);
}

TEST(gzip_whose_check_sum_does_not_fit_is_read_and_told) {
  std::string packed = gzipped(maker::snapshot(Style::python4, 5000));
  packed[packed.size() - 8] = static_cast<char>(packed[packed.size() - 8] ^ 1);  // the trailer: check sum, then length, 4 bytes each
  const auto read = read_file(packed);
  CHECK_EQ(read->error.code, "");
  CHECK_EQ(read->events(), 5000u);
  CHECK_EQ(read->snapshot.findings.at(0).code, "snapshot/damaged_gzip");
}

TEST(cut_gzip_keeps_what_was_inflated) {
  const std::string packed = gzipped(maker::snapshot(Style::python4, 20000));
  const auto read = read_file(packed.substr(0, packed.size() / 2));
  CHECK_EQ(read->error.code, "");
  CHECK(read->events() > 5000);
  CHECK(read->events() < 20000);
  CHECK_EQ(read->snapshot.findings.at(0).code, "snapshot/truncated");
}

TEST(errors_of_the_file_system) {
  tidemark::Progress progress;
  tidemark::Snapshot snapshot;
  CHECK_EQ(tidemark::read_snapshot("/nowhere/at/all", progress, snapshot).code, "file/not_found");
  CHECK_EQ(tidemark::read_snapshot(fs::temp_directory_path().string(), progress, snapshot).code, "file/unreadable");
  CHECK_EQ(read_file("")->error.code, "file/empty");
}

TEST(other_formats_are_named) {
  CHECK_EQ(read_file("PK\x03\x04rest")->error.code, "file/unsupported_container");
  CHECK_EQ(read_file("\x28\xb5\x2f\xfdrest")->error.code, "file/unsupported_container");
  CHECK_EQ(read_file("\x89PNG\r\n\x1a\nrest")->error.code, "file/unknown_format");
  CHECK_EQ(read_file("[2024-01-01 10:00] INFO start\n")->error.code, "file/unknown_format");
  CHECK_EQ(read_file(std::string("\0\1\2\3\4\5", 6))->error.code, "file/unknown_format");
}

TEST(sniffing) {
  CHECK_EQ(sniffed(maker::snapshot(Style::python4, 1)), "torch_snapshot: pickle protocol 4");
  CHECK_EQ(sniffed(maker::snapshot(Style::text0, 1)), "torch_snapshot: pickle protocol 0");
  CHECK_EQ(sniffed(gzipped("{\"segments\": []}")), "torch_snapshot: gzip, JSON");
  CHECK_EQ(sniffed("{\"schemaVersion\": 1, \"traceEvents\": ["), "chrome_trace: JSON");
  CHECK_EQ(sniffed("{\"a\": 1}"), "unknown: JSON");
  const std::string note = "{\"note\": \"" + std::string(3 << 20, 'n') + "\", ";
  CHECK_EQ(sniffed(note + "\"traceEvents\": ["), "chrome_trace: JSON");
  CHECK_EQ(sniffed(gzipped(note + "\"device_traces\": [")), "torch_snapshot: gzip, JSON");
  CHECK_EQ(sniffed(note + "\"b\": 1}"), "unknown: JSON");
  // A key across the border of two stretches.
  for (size_t at = 0; at < 16; ++at) {
    const std::string blanks((1 << 20) - 8 - at, ' ');
    CHECK_EQ(sniffed("{\"a\": 1," + blanks + "\"traceEvents\": ["), "chrome_trace: JSON");
  }
  CHECK_EQ(sniffed(""), "empty: an empty file");
  CHECK_EQ(sniffed(std::string("SQLite format 3\0rest", 20)), "tidemark_index: an SQLite database");
  CHECK_EQ(sniffed("\x7f"
                   "ELFrest"),
           "unknown: an ELF program");
  CHECK_EQ(sniffed("<!DOCTYPE html><p>"), "unknown: an HTML page");
  CHECK_EQ(sniffed("hello\n"), "unknown: text (a log or source file)");
  CHECK_EQ(sniffed(std::string("\0\1\2\3", 4)), "unknown: binary data of an unknown kind");
}

TEST(cancelling) {
  const TemporaryFile file(maker::snapshot(Style::python4, 20000));
  tidemark::Progress progress;
  tidemark::Snapshot snapshot;
  progress.cancel = true;
  CHECK_EQ(tidemark::read_snapshot(file.path, progress, snapshot).code, "query/cancelled");
  CHECK(progress.done.load() <= (1u << 20));
}

TEST(interning_by_value) {
  tidemark::StringTable strings;
  for (int round = 0; round < 2; ++round) {
    for (uint32_t i = 0; i < 5000; ++i) CHECK_EQ(strings.intern("text " + std::to_string(i)), i);
  }
  CHECK_EQ(strings.size(), 5000u);
  tidemark::StackTable stacks;
  const uint32_t frames[] = {1, 2, 3, 4};
  CHECK_EQ(stacks.intern(frames, 2), 0u);
  CHECK_EQ(stacks.intern(frames, 3), 1u);
  stacks.remove_last();
  CHECK_EQ(stacks.intern(frames, 4), 1u);
  CHECK_EQ(stacks.intern(frames, 3), 2u);
  CHECK_EQ(stacks.intern(frames, 0), 3u);
  CHECK_EQ(stacks.intern(frames, 2), 0u);
  CHECK_EQ(stacks.depth(1), 4u);
}
