// Entry of the readers of profiles: a file on disk becomes stacks with values, or a coded error.
#pragma once

#include <memory>
#include <string>

#include "model/failure.h"
#include "model/profile.h"
#include "model/progress.h"
#include "readers/head.h"
#include "readers/profile/profile_form.h"

namespace tidemark {

// Reads the profile at `path`. Damage is told as findings. Errors: file/not_found, file/unreadable, file/empty, file/truncated,
// file/unknown_format, profile/not_a_profile (no stack with a value can be read), query/cancelled, engine/out_of_memory.
Failure read_profile(const std::string& path, Progress& progress, Profile& out);

namespace readers::profile {

// The form of a file with this head; none where it is no profile.
ProfileForm form_of(const Head& head);

// Its word, and how the file is packed: "pprof, gzip".
std::string detail_of(ProfileForm form, const Head& head);

// Reads from bytes below any gzip layer; what read_profile(), the tests and the fuzz entry share.
Failure read_opened(const Head& head, std::unique_ptr<Input> input, Progress& progress, Profile& out);

}  // namespace readers::profile
}  // namespace tidemark
