// Collects findings by code: how often and where first. One code has one row, whatever the number of devices.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "model/snapshot.h"

namespace tidemark {

class FindingLog {
 public:
  // Counts one occurrence. `first_at` is a byte offset in the inflated file (−1 = no place); the first message is kept.
  void count(const char* code, const char* severity, int64_t first_at, const char* message) {
    Finding& finding = at(code);
    if (finding.count++ == 0) {
      finding.severity = severity;
      finding.first_at = first_at;
      finding.message = message;
    }
  }
  // Adds a finding that was counted elsewhere.
  void add(const Finding& more) {
    Finding& finding = at(more.code.c_str());
    if (finding.count == 0) {
      finding = more;
      return;
    }
    finding.count += more.count;
    if (finding.first_at < 0) finding.first_at = more.first_at;
  }
  // The finding of a code, made when it is missing.
  Finding& at(const char* code) {
    auto [it, added] = places_.try_emplace(code, findings_.size());
    if (added) {
      findings_.emplace_back();
      findings_.back().code = code;
    }
    return findings_[it->second];
  }
  std::vector<Finding> take() { return std::move(findings_); }

 private:
  std::vector<Finding> findings_;
  std::map<std::string, size_t> places_;
};

}  // namespace tidemark
