#include "store/settings.h"

#include <cstdlib>

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
    const int size_class = 63 - __builtin_clzll(static_cast<unsigned long long>(mib));
    const int64_t divisions = each.integer(1);
    if (size_class < kRoundupClasses && divisions > 0 && divisions <= 1 << 20) {
      rules.roundup_divisions[size_class] = static_cast<uint32_t>(divisions);
    }
  }
}

}  // namespace

AllocatorRules allocator_rules(sqlite3* db, const Snapshot& snapshot) {
  AllocatorRules rules;
  rules.expandable_segments = any_expandable(snapshot);
  if (snapshot.settings_json.empty()) return rules;
  Statement settings(db,
                     "SELECT json_extract(?1, '$.max_split_size'), json_extract(?1, '$.expandable_segments') "
                     "WHERE json_valid(?1)");
  settings.bind(1, snapshot.settings_json);
  if (settings.step() != SQLITE_ROW) return rules;
  if (!settings.is_null(0) && settings.integer(0) > 0) rules.max_split_size = static_cast<uint64_t>(settings.integer(0));
  if (!settings.is_null(1)) rules.expandable_segments = settings.integer(1) != 0;
  read_divisions(db, snapshot.settings_json, rules);
  return rules;
}

}  // namespace tidemark
