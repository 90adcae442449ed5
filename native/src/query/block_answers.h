// The answers about the layout of memory in their JSON form (native/README.md, Space). Streams are texts, since a handle has
// 64 bits; '' = unknown. A stack_id of −1 is none.
#pragma once

#include "query/block_at.h"
#include "query/space_report.h"
#include "query/would_fit.h"
#include "store/relation_names.h"

namespace tidemark {

// `active_allocated`, `active_pending_free` or `inactive`.
const char* state_word(const SpaceBlock& block);

std::string to_json(const BlockLayout& layout, const BlockAt& at);
std::string to_json(const BlockLayout& layout, const SpaceReport& report, RelationNames& names);
// `device_free`: bytes that the device reported at that event, −1 = not known.
std::string to_json(const BlockLayout& layout, const FitRequest& request, const FitAnswer& answer, int64_t device_free,
                    RelationNames& names);

}  // namespace tidemark
