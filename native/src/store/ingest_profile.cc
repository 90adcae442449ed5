#include "store/ingest_profile.h"

#include <cmath>

#include "readers/profile/read_profile.h"
#include "store/ingest_run.h"

namespace tidemark {
namespace {

constexpr double kExact = 9007199254740992.0;  // 2^53

class ProfileIngest : private IngestRun {
 public:
  ProfileIngest(sqlite3* db, std::string path, IngestOptions options)
      : IngestRun(db, options.source.job), path_(std::move(path)), source_(std::move(options.source)) {}

  // Fills the database; on failure nothing is committed.
  Failure fill() {
    return run([&] { work_aside([&](Failure& error) { error = read_profile(path_, progress_, profile_); }); }, [&] { write(); });
  }

  std::string answer() const {
    return "{\"samples\":" + std::to_string(profile_.sample_count) + ",\"stacks\":" + std::to_string(profile_.stacks.size()) + "}";
  }

 private:
  void write() {
    stage(kStageSummarise, 2);
    write_stacks(write_, profile_.strings, profile_.frames, profile_.stacks);
    ++progress_.done;
    write_values();
    write_capture_row();
    for (const Finding& finding : profile_.findings) findings_.add(finding);
    write_findings(write_, findings_.take());
    ++progress_.done;
  }

  void write_values() {
    Insert type_row(write_, "INSERT INTO profile_value_type VALUES (?,?,?,?)");
    for (size_t type = 0; type < profile_.value_types.size(); ++type) {
      const ProfileValueType& of = profile_.value_types[type];
      type_row.row(static_cast<int64_t>(type), clean_text(of.name), clean_text(of.unit), type == profile_.default_type ? 1 : 0);
    }
    Insert value_row(write_, "INSERT INTO profile_value VALUES (?,?,?)");
    for (const ProfileValue& value : profile_.values) {
      if (!write_.goes_on()) return;
      const bool is_whole = std::abs(value.value) <= kExact && value.value == std::floor(value.value);
      if (is_whole) value_row.row(int64_t{value.type}, int64_t{value.stack}, static_cast<int64_t>(value.value));
      else value_row.row(int64_t{value.type}, int64_t{value.stack}, std::optional<double>(value.value));
    }
  }

  void write_capture_row() {
    std::optional<int64_t> start_us;
    if (profile_.start_unix_ns) start_us = *profile_.start_unix_ns / 1000;
    Insert capture(write_, "INSERT INTO capture VALUES ('stack_profile',?,?,?,?,?,?,?,?,?)");
    capture.row(source_.name, source_.bytes, source_.fingerprint, profile_.format_detail, start_us, profile_.duration_ns,
                static_cast<int64_t>(profile_.sample_count), kSchemaVersion, source_.tool_version);
    Insert metadata(write_, "INSERT OR REPLACE INTO metadata VALUES (?,?)");
    for (const auto& [key, value] : profile_.metadata) metadata.row(clean_text(key), clean_text(value));
  }

  std::string path_;
  SourceInfo source_;
  Profile profile_;
};

}  // namespace

int register_profile_ingest(sqlite3* db, ConnectionState* state) {
  return register_ingest_function<ProfileIngest>(db, state, "ingest_profile");
}

}  // namespace tidemark
