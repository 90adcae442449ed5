// Compressed and UTF-16 traces, and reading the text of an event again.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>

#include "check.h"
#include "readers/gzip.h"
#include "readers/trace/source_text.h"
#include "readers/trace_text.h"

using trace_text::read_trace_text;

namespace {

std::string event(int i) {
  return "{\"ph\":\"X\",\"name\":\"n" + std::to_string(i % 50) + "\",\"pid\":1,\"tid\":1,\"ts\":" + std::to_string(i) + ",\"dur\":1,\"args\":{\"x\":" +
         std::to_string(i * 7919LL % 1000003) + "}}";
}

std::string many_events(int count) {
  std::string text = "[";
  for (int i = 0; i < count; ++i) text += (i > 0 ? ",\n" : "") + event(i);
  return text + "]";
}

std::string utf16(const std::string& ascii, bool big) {
  std::string out = big ? "\xfe\xff" : "\xff\xfe";
  for (const char c : ascii) {
    if (big) out += '\0';
    out += c;
    if (!big) out += '\0';
  }
  return out;
}

// A file that is gone at the end of the test.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& bytes)
      : path_((std::filesystem::temp_directory_path() / ("tidemark_trace_" + std::to_string(std::random_device{}()))).string()) {
    std::ofstream(path_, std::ios::binary) << bytes;
  }
  ~TemporaryFile() { std::remove(path_.c_str()); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// Reads the file, then the text of some of its events again.
void check_texts(const std::string& bytes, bool wants_checkpoints) {
  const TemporaryFile file(bytes);
  tidemark::Progress progress;
  tidemark::Trace trace;
  const tidemark::Failure error = tidemark::read_trace(file.path(), progress, trace);
  CHECK_EQ(error.code, "");
  CHECK_EQ(!trace.checkpoints.empty(), wants_checkpoints);
  CHECK_EQ(progress.done.load(), progress.total.load());
  const size_t step = trace.slices.size() / 7;
  for (size_t i = 0; i < trace.slices.size(); i += step) {
    const tidemark::TraceSlice slice = trace.slices[i];
    std::string text;
    const tidemark::Failure again = tidemark::read_source_text(file.path(), trace.checkpoints, slice.source_offset, slice.source_length, text);
    CHECK_EQ(again.code, "");
    CHECK_EQ(text, event(static_cast<int>(slice.start_ns / 1000)));
  }
}

}  // namespace

TEST(gzip_gives_the_same_trace) {
  const std::string text = many_events(300);
  const auto plain = read_trace_text(text);
  const auto packed = read_trace_text(gzipped(text));
  const auto members = read_trace_text(gzipped(text.substr(0, 5000)) + gzipped(text.substr(5000)) + std::string(100, '\0'));
  CHECK(packed->agrees);
  CHECK(members->agrees);
  CHECK_EQ(packed->trace.format_detail, "JSON array, gzip");
  CHECK(packed->trace.is_compressed);
  packed->trace.format_detail = members->trace.format_detail = plain->trace.format_detail;
  CHECK(trace_text::dump(*packed) == trace_text::dump(*plain));
  CHECK(trace_text::dump(*members) == trace_text::dump(*plain));
}

TEST(cut_and_damaged_gzip_keep_what_could_be_inflated) {
  std::string packed = gzipped(many_events(3000));
  const auto cut = read_trace_text(packed.substr(0, packed.size() / 2));
  CHECK_EQ(cut->error.code, "");
  CHECK_EQ(cut->findings(), "truncated=1");
  CHECK(cut->trace.slices.size() > 500);
  packed[packed.size() - 6] = static_cast<char>(packed[packed.size() - 6] ^ 1);  // the check sum
  const auto damaged = read_trace_text(packed);
  CHECK_EQ(damaged->trace.slices.size(), 3000u);
  CHECK_EQ(damaged->findings(), "damaged_gzip=1");
}

TEST(bytes_behind_the_last_gzip_member_are_told) {
  const auto read = read_trace_text(gzipped(many_events(100)) + "garbage behind");
  CHECK(read->agrees);
  CHECK_EQ(read->trace.slices.size(), 100u);
  CHECK_EQ(read->findings(), "bytes_after_end=1");
  CHECK_EQ(read->first_at("trace/bytes_after_end"), static_cast<int64_t>(many_events(100).size()));
  CHECK_EQ(read_trace_text(gzipped(many_events(100)) + std::string(300000, '\0') + "x")->findings(), "bytes_after_end=1");
  CHECK_EQ(read_trace_text(gzipped(many_events(100)) + std::string(300000, '\0'))->findings(), "");
}

TEST(utf16_is_read_as_text) {
  for (const bool big : {false, true}) {
    const auto read = read_trace_text(utf16(many_events(20), big));
    CHECK(read->agrees);
    CHECK_EQ(read->error.code, "");
    CHECK_EQ(read->trace.slices.size(), 20u);
    CHECK_EQ(read->findings(), "utf16=1");
    CHECK_EQ(read->trace.format_detail, "JSON array, UTF-16");
    CHECK_EQ(read_trace_text(gzipped(utf16(many_events(20), big)))->trace.slices.size(), 20u);
  }
}

TEST(texts_of_events_are_read_again) {
  const std::string text = many_events(120000);
  check_texts(text, false);
  check_texts(gzipped(text), true);
  check_texts(gzipped(text.substr(0, 3000000)) + gzipped(text.substr(3000000)), true);
  check_texts(utf16(text.substr(0, 100000) + "]", false), false);
}

TEST(a_file_that_packs_a_thousandfold_keeps_few_windows) {
  std::string text = "[";
  for (int i = 0; i < 40; ++i) text += (i ? "," : "") + event(i) + std::string(8u << 20, ' ');
  text += "]";
  const std::string bytes = gzipped(text);
  const TemporaryFile file(bytes);
  tidemark::Progress progress;
  tidemark::Trace trace;
  CHECK_EQ(tidemark::read_trace(file.path(), progress, trace).code, "");
  size_t kept = 0;
  for (const auto& checkpoint : trace.checkpoints) kept += checkpoint.window.size();
  CHECK(kept <= bytes.size() / 8);
  CHECK_EQ(trace.slices.size(), 40u);
  std::string again;
  const auto last = trace.slices[39];
  CHECK_EQ(tidemark::read_source_text(file.path(), trace.checkpoints, last.source_offset, last.source_length, again).code, "");
  CHECK_EQ(again, event(39));
}

TEST(a_source_that_changed_is_told) {
  const TemporaryFile file(many_events(10));
  std::string text;
  CHECK_EQ(tidemark::read_source_text(file.path(), {}, 3, 50, text).code, "trace/source_changed");
  CHECK_EQ(tidemark::read_source_text(file.path(), {}, 1000000, 50, text).code, "trace/source_changed");
  CHECK_EQ(tidemark::read_source_text(file.path(), {}, UINT64_MAX - 3, 50, text).code, "trace/source_changed");
  CHECK_EQ(tidemark::read_source_text(file.path() + "x", {}, 1, 50, text).code, "file/not_found");
  CHECK_EQ(tidemark::read_source_text(file.path(), {}, 1, event(0).size(), text).code, "");
  CHECK_EQ(text, event(0));
}

TEST(a_cancelled_read_says_so) {
  for (const std::string& bytes : {many_events(1000), gzipped(many_events(1000)), utf16(many_events(1000), true)}) {
    const TemporaryFile file(bytes);
    tidemark::Progress progress;
    progress.cancel = true;
    tidemark::Trace trace;
    CHECK_EQ(tidemark::read_trace(file.path(), progress, trace).code, "query/cancelled");
  }
}
