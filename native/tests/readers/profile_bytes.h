// Reads a profile from bytes in memory, the way read_profile() does from a file.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "readers/profile/read_profile.h"

namespace profile_bytes {

inline std::string number_text(double value) {
  std::string text = std::to_string(value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

struct Read {
  tidemark::Profile profile;
  tidemark::Failure error;

  // The values of a type as "outermost;…;innermost=value ", in order of the text.
  std::string values(uint32_t type = 0) const {
    std::vector<std::string> lines;
    for (const tidemark::ProfileValue& value : profile.values) {
      if (value.type != type) continue;
      std::string line;
      for (size_t i = profile.stacks.depth(value.stack); i-- > 0;) line += (line.empty() ? "" : ";") + frame(profile.stacks.frames(value.stack)[i]);
      lines.push_back(line + "=" + number_text(value.value) + " ");
    }
    std::sort(lines.begin(), lines.end());
    std::string out;
    for (const std::string& line : lines) out += line;
    return out;
  }
  std::string frame(uint32_t id) const {
    const std::string& file = profile.strings.at(profile.frames.filename(id));
    const std::string name = profile.strings.at(profile.frames.name(id));
    return file.empty() ? name : name + "@" + file + ":" + std::to_string(profile.frames.line(id));
  }
  std::string findings() const {
    std::string out;
    for (const tidemark::Finding& finding : profile.findings) out += finding.code + "=" + std::to_string(finding.count) + " ";
    return out;
  }
};

inline std::unique_ptr<Read> read_profile_bytes(const std::string& bytes) {
  using namespace tidemark::readers;
  auto read = std::make_unique<Read>();
  tidemark::Progress progress;
  const Head head = head_of(bytes);
  std::unique_ptr<Input> input = std::make_unique<MemoryInput>(bytes);
  if (head.is_gzip) input = make_gzip_input(std::move(input));
  read->error = profile::read_opened(head, std::move(input), progress, read->profile);
  return read;
}

}  // namespace profile_bytes
