#include <cmath>

#include "readers/profile/formats.h"
#include "readers/profile/json_tree.h"

namespace tidemark::readers::profile {
namespace {

constexpr double kTolerance = 1e-9;  // of sums of fractions

// What a node says of itself.
struct Said {
  double value = 0;
  double delta = 0;
  uint32_t name = kNone;  // strings id
};

class D3Reader {
 public:
  D3Reader(JsonTokens& tokens, StackBuilder& stacks, Profile& out) : tokens_(tokens), stacks_(stacks), out_(out) {}

  FrameLists read() {
    FrameLists frames;
    const JsonToken first = tokens_.next();
    if (first == JsonToken::object)
      read_tree(tokens_, stacks_, StackBuilder::kRoot, [&](uint32_t node, const std::string& key) { return field(node, key); });
    if (said_.empty()) return frames;
    said_.resize(stacks_.node_count());
    const uint32_t type = stacks_.add_type("", "");
    add_up(type, &Said::value, true);
    if (has_delta_) add_up(stacks_.add_type("delta", ""), &Said::delta, false);
    for (uint32_t node = 1; node < said_.size(); ++node) {
      stacks_.set_frame(node, static_cast<uint32_t>(frames.size()));
      frames.add(frame_of_text(out_, stacks_, said_[node].name == kNone ? "?" : out_.strings.at(said_[node].name)));
      frames.end_list();
    }
    out_.sample_count = said_.size();
    if (said_[0].name != kNone) out_.metadata.emplace_back("name", out_.strings.at(said_[0].name));
    return frames;
  }

 private:
  bool field(uint32_t node, const std::string& key) {
    const bool is_name = key == "name", is_value = key == "value", is_delta = key == "delta";
    const JsonToken token = tokens_.next();
    if (!is_name && !is_value && !is_delta) return tokens_.skip(token);
    said_.resize(std::max<size_t>(said_.size(), node + size_t{1}));
    Said& said = said_[node];
    if (is_name && token == JsonToken::text) {
      said.name = stacks_.text(tokens_.text());
    } else if (!is_name && token == JsonToken::number && std::isfinite(tokens_.number())) {
      (is_value ? said.value : said.delta) = tokens_.number();
      has_delta_ = has_delta_ || is_delta;
    } else if (token != JsonToken::literal) {
      stacks_.note("profile/bad_value", "warning", tokens_.offset(), "Some values cannot be read as numbers; they are left out.");
      return tokens_.skip(token);
    }
    return true;
  }

  // Children stand behind their parents.
  void add_up(uint32_t type, double Said::*member, bool may_be_own) {
    std::vector<double> below(said_.size(), 0);
    for (uint32_t node = 1; node < said_.size(); ++node) below[stacks_.parent(node)] += said_[node].*member;
    bool is_own = false;
    for (uint32_t node = 0; may_be_own && node < said_.size(); ++node)
      is_own = is_own || below[node] > said_[node].*member + kTolerance * std::abs(below[node]);
    if (is_own) stacks_.note("profile/self_values", "info", 0, "Children weigh more than their parents: each value is taken as the node's own.");
    for (uint32_t node = 0; node < said_.size(); ++node) {
      const double value = said_[node].*member;
      const double self = is_own ? value : value - below[node];
      const bool is_noise = !is_own && std::abs(self) <= kTolerance * std::abs(value);
      if (self != 0 && !is_noise) stacks_.add(node, type, self);
    }
  }

  JsonTokens& tokens_;
  StackBuilder& stacks_;
  Profile& out_;
  std::vector<Said> said_;  // by node
  bool has_delta_ = false;
};

}  // namespace

FrameLists read_d3(JsonTokens& tokens, StackBuilder& stacks, Profile& out) { return D3Reader(tokens, stacks, out).read(); }

}  // namespace tidemark::readers::profile
