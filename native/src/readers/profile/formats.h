// The readers of the formats. Each walks its text to the end or to where it is damaged, counts what it skips as findings, and answers what the
// frame numbers of its stacks stand for. What was read before a cut or damage stays.
#pragma once

#include "readers/byte_source.h"
#include "readers/profile/json_tokens.h"
#include "readers/profile/stack_builder.h"

namespace tidemark::readers::profile {

// `root;…;leaf N`, one line a stack; with two numbers the profile compares two others.
FrameLists read_folded(ByteSource& source, StackBuilder& stacks, Profile& out);
// d3-flame-graph: a tree of {name, value, children}; values are inclusive, or each node's own where children weigh more than their parent.
FrameLists read_d3(JsonTokens& tokens, StackBuilder& stacks, Profile& out);
// speedscope: evented and sampled profiles over one list of frames; each profile is a value type.
FrameLists read_speedscope(JsonTokens& tokens, StackBuilder& stacks, Profile& out);
// V8's sampling heap profile: bytes still alive by the stack that allocated them.
FrameLists read_heapprofile(JsonTokens& tokens, StackBuilder& stacks, Profile& out);
// pprof: profile.proto, its wire format walked field by field.
FrameLists read_pprof(ByteSource& source, StackBuilder& stacks, Profile& out);

// A frame of a text that names it in one piece, as py-spy and others write it: "name (file:line)", "name (file)", "name".
uint32_t frame_of_text(Profile& profile, StackBuilder& stacks, std::string_view text);

}  // namespace tidemark::readers::profile
