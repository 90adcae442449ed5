#include <cmath>

#include "readers/profile/formats.h"

namespace tidemark::readers::profile {
namespace {

constexpr const char* kBadValue = "Some values cannot be read as numbers; they are left out.";
constexpr const char* kUnbalanced = "Frames are closed that are not open, left open, or times run backwards; each counts from where it is open to where it can be seen to end.";
constexpr uint32_t kNoSuchFrame = 0xFFFFFFFEu;
constexpr size_t kMostSearched = 1024;  // frames above one that is closed out of order

class SpeedscopeReader {
 public:
  SpeedscopeReader(JsonTokens& tokens, StackBuilder& stacks, Profile& out) : tokens_(tokens), stacks_(stacks), out_(out) {}

  FrameLists read() {
    if (tokens_.next() == JsonToken::object) each_key([&](const std::string& key, JsonToken value) { return top(key, value); });
    if (active_ > 0 && active_ < out_.value_types.size()) out_.default_type = active_;
    return std::move(frames_);
  }

 private:
  // use(key, first token of its value) for the keys of the object that was begun; false = the text ends or is damaged.
  template <typename Use>
  bool each_key(Use&& use) {
    for (JsonToken token = tokens_.next(); token != JsonToken::object_end; token = tokens_.next()) {
      if (token != JsonToken::key) return false;
      const std::string key = tokens_.text();
      if (!use(key, tokens_.next())) return false;
    }
    return true;
  }
  // use(first token) for the items of the list that was begun.
  template <typename Use>
  bool each_item(Use&& use) {
    for (JsonToken token = tokens_.next(); token != JsonToken::array_end; token = tokens_.next()) {
      if (token == JsonToken::end || token == JsonToken::damaged || !use(token)) return false;
    }
    return true;
  }

  bool bad_value(JsonToken first) {
    stacks_.note("profile/bad_value", "warning", tokens_.offset(), kBadValue);
    return tokens_.skip(first);
  }

  bool top(const std::string& key, JsonToken value) {
    if (key == "shared" && value == JsonToken::object)
      return each_key([&](const std::string& inner, JsonToken first) {
        const bool is_frames = inner == "frames" && first == JsonToken::array && frames_.size() == 0;
        return is_frames ? each_item([&](JsonToken item) { return frame(item); }) : tokens_.skip(first);
      });
    if (key == "profiles" && value == JsonToken::array)
      return each_item([&](JsonToken item) { return item == JsonToken::object ? profile() : bad_value(item); });
    if (key == "activeProfileIndex" && value == JsonToken::number && tokens_.number() >= 0 && tokens_.number() < StackBuilder::kMostTypes)
      active_ = static_cast<uint32_t>(tokens_.number());
    if ((key == "name" || key == "exporter") && value == JsonToken::text) out_.metadata.emplace_back(key, tokens_.text());
    return tokens_.skip(value);
  }

  bool frame(JsonToken item) {
    std::string name = "?", file;
    double line = 0;
    const auto field = [&](const std::string& key, JsonToken value) {
      if (key == "name" && value == JsonToken::text) name = tokens_.text();
      else if (key == "file" && value == JsonToken::text) file = tokens_.text();
      else if (key == "line" && value == JsonToken::number) line = tokens_.number();
      else return tokens_.skip(value);
      return true;
    };
    const bool goes_on = item == JsonToken::object ? each_key(field) : bad_value(item);
    frames_.add(out_.frames.intern(stacks_.text(name), stacks_.text(file), line > 0 && line < 1e9 ? static_cast<int64_t>(line) : 0));
    frames_.end_list();
    return goes_on;
  }

  bool profile() {
    type_ = stacks_.add_type("", "");
    samples_.clear();
    weights_.clear();
    open_.clear();
    last_ = 0;
    end_ = 0;
    is_running_ = false;
    const bool goes_on = each_key([&](const std::string& key, JsonToken value) { return of_profile(key, value); });
    close_profile(goes_on);
    return goes_on;
  }

  bool of_profile(const std::string& key, JsonToken value) {
    if (key == "samples" && value == JsonToken::array) return each_item([&](JsonToken item) { return sample(item); });
    if (key == "weights" && value == JsonToken::array)
      return each_item([&](JsonToken item) {
        weights_.push_back(item == JsonToken::number ? tokens_.number() : std::nan(""));
        return tokens_.skip(item);
      });
    if (key == "events" && value == JsonToken::array) return each_item([&](JsonToken item) { return event(item); });
    if (key == "endValue" && value == JsonToken::number) end_ = tokens_.number();
    if (value == JsonToken::text && type_ != kNone) {
      if (key == "name") out_.value_types[type_].name = tokens_.text();
      if (key == "unit") out_.value_types[type_].unit = tokens_.text() == "none" ? "" : tokens_.text();
    }
    return tokens_.skip(value);
  }

  // Root first.
  bool sample(JsonToken item) {
    if (item != JsonToken::array) {
      samples_.push_back(kNone);
      return bad_value(item);
    }
    uint32_t node = StackBuilder::kRoot;
    const bool goes_on = each_item([&](JsonToken inner) {
      node = stacks_.child(node, inner == JsonToken::number ? frame_number(tokens_.number()) : kNoSuchFrame);
      return tokens_.skip(inner);
    });
    if (goes_on) samples_.push_back(node);
    return goes_on;
  }

  static uint32_t frame_number(double number) { return number >= 0 && number < kNoSuchFrame ? static_cast<uint32_t>(number) : kNoSuchFrame; }

  struct OpenFrame {
    uint32_t frame;
    uint32_t node;
  };

  bool event(JsonToken item) {
    if (item != JsonToken::object) return bad_value(item);
    std::string type;
    uint32_t frame = kNoSuchFrame;
    double at = std::nan("");
    const bool goes_on = each_key([&](const std::string& key, JsonToken value) {
      if (key == "type" && value == JsonToken::text) type = tokens_.text();
      if (key == "frame" && value == JsonToken::number) frame = frame_number(tokens_.number());
      if (key == "at" && value == JsonToken::number) at = tokens_.number();
      return tokens_.skip(value);
    });
    if (!goes_on) return false;
    if ((type != "O" && type != "C") || !std::isfinite(at)) {
      stacks_.note("profile/bad_value", "warning", tokens_.offset(), kBadValue);
      return true;
    }
    advance(at);
    ++out_.sample_count;
    if (type == "O") open_.push_back({frame, stacks_.child(open_.empty() ? StackBuilder::kRoot : open_.back().node, frame)});
    else close(frame);
    return true;
  }

  // The time since the last event belongs to the innermost frame that is open.
  void advance(double at) {
    if (is_running_ && at < last_) unbalanced();
    if (is_running_ && at > last_ && !open_.empty()) stacks_.add(open_.back().node, type_, at - last_);
    last_ = is_running_ ? std::max(last_, at) : at;
    is_running_ = true;
  }

  // With the frames above it where it is not the innermost; one that is not open changes nothing.
  void close(uint32_t frame) {
    size_t at = open_.size();
    const size_t least = open_.size() - std::min(open_.size(), kMostSearched);
    while (at > least && open_[at - 1].frame != frame) --at;
    if (at == least) return unbalanced();
    if (at != open_.size()) unbalanced();
    open_.resize(at - 1);
  }

  void unbalanced() { stacks_.note("profile/unbalanced", "warning", tokens_.offset(), kUnbalanced); }

  // What is open at a cut did not end there.
  void close_profile(bool is_whole) {
    if (!open_.empty() && is_whole) {
      unbalanced();
      if (end_ > last_) advance(end_);
    }
    const size_t pairs = std::min(samples_.size(), weights_.size());
    for (size_t i = 0; i < pairs; ++i) {
      if (samples_[i] != kNone) stacks_.add(samples_[i], type_, weights_[i]);
    }
    if (is_whole && samples_.size() != weights_.size()) stacks_.note("profile/bad_value", "warning", tokens_.offset(), kBadValue);
    out_.sample_count += pairs;
  }

  JsonTokens& tokens_;
  StackBuilder& stacks_;
  Profile& out_;
  FrameLists frames_;
  uint32_t active_ = 0;
  // Of the profile that is being read:
  uint32_t type_ = kNone;
  std::vector<uint32_t> samples_;  // nodes
  std::vector<double> weights_;
  std::vector<OpenFrame> open_;
  double last_ = 0;
  double end_ = 0;
  bool is_running_ = false;  // some event has a time
};

}  // namespace

FrameLists read_speedscope(JsonTokens& tokens, StackBuilder& stacks, Profile& out) { return SpeedscopeReader(tokens, stacks, out).read(); }

}  // namespace tidemark::readers::profile
