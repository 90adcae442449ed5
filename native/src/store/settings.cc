#include "store/settings.h"

#include <cstdlib>

#include "model/bits.h"
#include "store/sql.h"

namespace tidemark {
namespace {

bool any_expandable(const Snapshot& snapshot) {
  for (const Segment& segment : snapshot.segments) {
    if (segment.is_expandable) return true;
  }
  return false;
}

// Keys are size classes in MiB (1, 2, 4, … 32768), values the number of divisions.
void read_divisions(sqlite3* db, const std::string& json, AllocatorRules& rules) {
  Statement each(db, "SELECT key, value FROM json_each(?1, '$.roundup_power2_divisions')");
  each.bind(1, json);
  while (each.step() == SQLITE_ROW) {
    const long long mib = std::atoll(std::string(each.text(0)).c_str());
    if (mib < 1) continue;
    const int size_class = highest_bit(static_cast<uint64_t>(mib));
    const int64_t divisions = each.integer(1);
    if (size_class < kRoundupClasses && divisions > 0 && divisions <= 1 << 20) {
      rules.roundup_divisions[size_class] = static_cast<uint32_t>(divisions);
    }
  }
}

// Bytes of a setting in MiB that only the configuration text (`name_mb:value,…`) gives; `otherwise` where it does not.
uint64_t configured_bytes(std::string_view text, std::string_view name, uint64_t otherwise) {
  constexpr uint64_t kMostMib = 1 << 24;
  const size_t at = text.find(name);
  if (at == std::string_view::npos) return otherwise;
  const unsigned long long mib = std::strtoull(std::string(text.substr(at + name.size(), 24)).c_str(), nullptr, 10);
  return mib > 0 && mib <= kMostMib ? mib << 20 : otherwise;
}

AllocatorRules rules_of(sqlite3* db, const std::string& json, bool any_expandable) {
  AllocatorRules rules;
  rules.expandable_segments = any_expandable;
  if (json.empty()) return rules;
  Statement settings(db,
                     "SELECT json_extract(?1, '$.max_split_size'), json_extract(?1, '$.expandable_segments'), "
                     "json_extract(?1, '$.PYTORCH_CUDA_ALLOC_CONF') WHERE json_valid(?1)");
  settings.bind(1, json);
  if (settings.step() != SQLITE_ROW) return rules;
  if (!settings.is_null(0) && settings.integer(0) > 0) rules.max_split_size = static_cast<uint64_t>(settings.integer(0));
  if (!settings.is_null(1)) rules.expandable_segments = settings.integer(1) != 0;
  const std::string text(settings.text(2));
  rules.large_segment_size = configured_bytes(text, "large_segment_size_mb:", rules.large_segment_size);
  rules.max_non_split_rounding = configured_bytes(text, "max_non_split_rounding_mb:", rules.large_segment_size);
  read_divisions(db, json, rules);
  return rules;
}

}  // namespace

AllocatorRules allocator_rules(sqlite3* db, const Snapshot& snapshot) {
  return rules_of(db, snapshot.settings_json, any_expandable(snapshot));
}

Failure stored_rules(sqlite3* db, AllocatorRules& out) {
  Statement stored(db,
                   "SELECT (SELECT value FROM metadata WHERE key = 'allocator_settings'), "
                   "EXISTS (SELECT 1 FROM segment WHERE is_expandable)");
  const int result = stored.step();
  if (result == SQLITE_ROW) out = rules_of(db, std::string(stored.text(0)), stored.integer(1) != 0);
  return read_failure(result, "relation metadata or segment");
}

Failure stored_gc_threshold(sqlite3* db, double& out) {
  Statement stored(db,
                   "SELECT json_extract(value, '$.garbage_collection_threshold') FROM metadata "
                   "WHERE key = 'allocator_settings' AND json_valid(value)");
  const int result = stored.step();
  const double threshold = result == SQLITE_ROW ? sqlite3_column_double(stored.get(), 0) : 0;
  out = threshold > 0 && threshold < 1 ? threshold : 0;
  return read_failure(result, "relation metadata");
}

}  // namespace tidemark
