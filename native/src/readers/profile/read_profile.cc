#include "readers/profile/read_profile.h"

#include <new>

#include "readers/profile/formats.h"
#include "readers/trace/text_source.h"

namespace tidemark {
namespace readers::profile {
namespace {

// UTF-16 as UTF-8.
class NarrowInput : public Input {
 public:
  explicit NarrowInput(std::unique_ptr<Input> wide) : disk_(*wide), stream_(std::move(wide), nullptr), narrow_(stream_) {}
  size_t read(uint8_t* to, size_t capacity) override {
    const size_t got = narrow_.read(offset_, to, capacity);
    offset_ += got;
    return got;
  }
  uint64_t disk_bytes() const override { return disk_.disk_bytes(); }
  bool failed() const override { return disk_.failed(); }

 private:
  const Input& disk_;
  trace::StreamSource stream_;
  trace::Utf16Source narrow_;
  uint64_t offset_ = 0;
};

void note_json_end(JsonTokens& tokens, ByteSource& source, StackBuilder& stacks) {
  if (tokens.damaged())
    stacks.note("profile/syntax", "error", tokens.offset(), "The file is damaged here; what comes before is shown.");
  // A reader stops at the document's last bracket.
  const JsonToken last = tokens.damaged() ? JsonToken::damaged : tokens.next();
  if (last == JsonToken::end && tokens.cut())
    stacks.note("profile/truncated", "error", tokens.offset(), "The file ends early; what comes before is shown.");
  while (source.ensure(1) && (*source.cursor() <= ' ')) source.set_cursor(source.cursor() + 1);
  if (last == JsonToken::end && !tokens.cut() && source.ensure(1))
    stacks.note("profile/bytes_after_end", "info", source.offset(), "Something follows the end of the profile; it is not read.");
}

FrameLists read_json(ProfileForm form, ByteSource& source, StackBuilder& stacks, Profile& out) {
  JsonTokens tokens(source);
  FrameLists frames = form == ProfileForm::d3           ? read_d3(tokens, stacks, out)
                      : form == ProfileForm::speedscope ? read_speedscope(tokens, stacks, out)
                                                        : read_heapprofile(tokens, stacks, out);
  note_json_end(tokens, source, stacks);
  return frames;
}

Failure refuse(const Head& head) {
  if (head.family == Family::empty) return {"file/empty", "The file is empty.", 0};
  if (head.family == Family::cut) return cut_failure();
  return {"file/unknown_format", "The file looks like " + head.detail + ", not like a profile.", 0};
}

Failure read_path(const std::string& path, Progress& progress, Profile& out) {
  progress.stage = 0;
  progress.done = 0;
  Failure error;
  const Head head = read_head(path, error);
  if (error.failed()) return error;
  progress.total = head.disk_size;
  std::unique_ptr<Input> input = open_input(path, head.is_gzip, error);
  if (!input) return error;
  error = read_opened(head, std::move(input), progress, out);
  if (!error.failed()) progress.done = head.disk_size;
  return error;
}

}  // namespace

ProfileForm form_of(const Head& head) {
  std::string other;
  if (head.family == Family::json) return form_of_json(head.bytes, other);
  return head.family == Family::pprof ? ProfileForm::pprof : head.family == Family::folded ? ProfileForm::folded : ProfileForm::none;
}

std::string detail_of(ProfileForm form, const Head& head) {
  return std::string(word_of(form)) + (head.is_utf16 ? ", UTF-16" : "") + (head.is_gzip ? ", gzip" : "");
}

Failure read_opened(const Head& head, std::unique_ptr<Input> input, Progress& progress, Profile& out) {
  const ProfileForm form = form_of(head);
  if (form == ProfileForm::none) return refuse(head);
  if (head.is_utf16) input = std::make_unique<NarrowInput>(std::move(input));
  ByteSource source(std::move(input), progress);
  StackBuilder stacks(out, progress);
  if (head.is_utf16) stacks.note("profile/utf16", "info", 0, "The file is UTF-16; it was read as such.");
  const FrameLists frames = form == ProfileForm::folded  ? read_folded(source, stacks, out)
                            : form == ProfileForm::pprof ? read_pprof(source, stacks, out)
                                                         : read_json(form, source, stacks, out);
  if (source.failed() && !head.is_gzip && !source.cancelled())
    return {"file/unreadable", "The disk or network reported an error while the file was read.", static_cast<int64_t>(source.offset())};
  if (source.failed())
    stacks.note("profile/damaged_gzip", "error", source.offset(), "The compressed file is damaged or ends early; what comes before is shown.");
  if (!progress.cancel) stacks.finish(frames);
  if (progress.cancel) return {"query/cancelled", "The load was cancelled.", static_cast<int64_t>(source.offset())};
  if (out.values.empty()) return {"profile/not_a_profile", "No stack with a value could be read.", 0};
  out.format_detail = detail_of(form, head);
  return {};
}

}  // namespace readers::profile

Failure read_profile(const std::string& path, Progress& progress, Profile& out) {
  try {
    return readers::profile::read_path(path, progress, out);
  } catch (const std::bad_alloc&) {
    return {"engine/out_of_memory", "There is not enough memory to read the file.", -1};
  } catch (const std::exception& failure) {
    return {"engine/internal", std::string("The reader failed: ") + failure.what() + ".", -1};
  }
}

}  // namespace tidemark
