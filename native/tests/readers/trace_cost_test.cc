// Hostile crowds: whatever a file has many of, the time follows the length of the text.
#include <ctime>
#include <functional>

#include "check.h"
#include "readers/trace_text.h"

using trace_text::Read;

namespace {

using Make = std::function<std::string(int count)>;

std::string times(int count, const std::function<std::string(int)>& make) {
  std::string out;
  for (int i = 0; i < count; ++i) out += make(i);
  return out;
}
Make crowd(const std::string& before, std::function<std::string(int)> make, const std::string& behind) {
  return [=](int count) { return before + times(count, make) + behind; };
}
std::string number(int i) { return std::to_string(i); }

const std::string kA = R"({"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":1})";
const std::string kBegin = "{\"traceEvents\":[" + kA;

// The processor time of reading the text; the least of three, since other programs disturb it.
double cost_of(const std::string& text) {
  double least = 0;
  for (int run = 0; run < 3; ++run) {
    Read read;
    const std::clock_t begun = std::clock();
    trace_text::read_into(read, text, {8u << 20, 1u << 20, 1});
    const double spent = static_cast<double>(std::clock() - begun);
    least = run == 0 ? spent : std::min(least, spent);
  }
  return least;
}

// Eight times as much text may take 24 times as long; what grows with the square takes 64 times as long.
void check_cost(const char* what, const Make& make) {
  constexpr int kFew = 25000;
  constexpr double kGround = CLOCKS_PER_SEC / 100.0;  // what a read costs at least on a busy computer
  const double few = cost_of(make(kFew));
  const double many = cost_of(make(8 * kFew));
  if (many <= 24 * std::max(few, kGround / 2)) return;
  std::printf("%s: %.0f ms, then %.0f ms\n", what, few * 1000 / CLOCKS_PER_SEC, many * 1000 / CLOCKS_PER_SEC);
  CHECK(false);
}

std::string event(const std::string& fields) { return ",{" + fields + "}"; }

}  // namespace

TEST(crowds_of_things_with_ids_cost_their_length) {
  const auto each = [](const std::string& before, const std::string& behind) {
    return crowd(kBegin, [=](int i) { return event(before + number(i) + behind); }, "]}");
  };
  check_cost("processes", each(R"("ph":"X","name":"n","ts":1,"dur":1,"tid":1,"pid":)", ""));
  check_cost("threads", each(R"("ph":"X","name":"n","ts":1,"dur":1,"pid":1,"tid":)", ""));
  check_cost("names", each(R"("ph":"X","ts":1,"dur":1,"pid":1,"tid":1,"name":"n)", "\""));
  check_cost("categories", each(R"("ph":"X","name":"n","ts":1,"dur":1,"pid":1,"tid":1,"cat":"c)", "\""));
  check_cost("counters", each(R"("ph":"C","ts":1,"pid":1,"args":{"v":1},"name":"c)", "\""));
  check_cost("ids of counters", each(R"("ph":"C","ts":1,"pid":1,"name":"c","args":{"v":1},"id":)", ""));
  check_cost("series", each(R"("ph":"C","ts":1,"pid":1,"name":"c","args":{"v)", "\":1}"));
  check_cost("async ids", each(R"("ph":"b","cat":"c","name":"n","ts":1,"pid":1,"id":)", ""));
  check_cost("async names", each(R"("ph":"S","cat":"c","ts":1,"pid":1,"id":1,"name":"n)", "\""));
  check_cost("flows", each(R"("ph":"s","cat":"c","name":"n","ts":1,"pid":1,"tid":1,"id":)", ""));
  check_cost("names of threads", each(R"("ph":"M","name":"thread_name","pid":1,"args":{"name":"t"},"tid":)", ""));
  check_cost("samples", each(R"("ph":"P","name":"n","ts":1,"pid":1,"tid":1,"sf":)", ""));
  check_cost("frames", crowd("{\"stackFrames\":{", [](int i) { return "\"" + number(i) + "\":{\"name\":\"f" + number(i) + "\"},"; },
                             "\"z\":{\"name\":\"z\"}},\"traceEvents\":[" + kA + "]}"));
  check_cost("top-level keys", crowd("{", [](int i) { return "\"k" + number(i) + "\":0,"; }, "\"traceEvents\":[" + kA + "]}"));
  check_cost("equal top-level keys", crowd("{", [](int) { return "\"k\":0,"; }, "\"traceEvents\":[" + kA + "]}"));
}

TEST(one_event_with_crowds_inside_costs_its_length) {
  const auto inside = [](const std::string& before, std::function<std::string(int)> make, const std::string& behind) {
    return crowd(kBegin + ",{\"ph\":\"C\",\"ts\":1,\"pid\":1,", [=](int i) { return (i == 0 ? before : "") + make(i); }, behind + "}]}");
  };
  check_cost("series of one event", inside("\"name\":\"c\",\"args\":{", [](int i) { return "\"v" + number(i) + "\":1,"; }, "\"z\":1}"));
  check_cost("keys", inside("", [](int i) { return "\"k" + number(i) + "\":1,"; }, "\"z\":1"));
  check_cost("equal keys", inside("", [](int) { return "\"pid\":1,"; }, "\"z\":1"));
  check_cost("texts in a list", inside("\"args\":{\"l\":[", [](int i) { return "\"v" + number(i) + "\","; }, "0]}"));
  check_cost("lists", inside("\"args\":{\"l\":[", [](int) { return "[NaN],"; }, "0]}"));
  check_cost("digits", inside("\"args\":{\"v\":", [](int) { return "123456789"; }, "}"));
  check_cost("backslashes", inside("\"name\":\"", [](int) { return "\\q\\u12"; }, "\""));
  check_cost("bytes that are no text", inside("\"name\":\"", [](int) { return "\xff\xc3"; }, "\""));
  const Make long_name = [](int count) {
    return kBegin + ",{\"ph\":\"C\",\"ts\":1,\"pid\":1,\"name\":\"" + std::string(static_cast<size_t>(10 * count), 'n') + "\",\"args\":{" +
           times(count, [](int i) { return "\"v" + number(i) + "\":1,"; }) + "\"z\":1}}]}";
  };
  check_cost("series of a long name", long_name);
}

TEST(crowds_of_broken_events_cost_their_length) {
  const auto again = [](const std::string& text) { return crowd(kBegin + ",", [=](int) { return text; }, ""); };
  check_cost("names without end", again(R"({"ph":"X","name":"b)"));
  check_cost("values without end", again(R"({"ph":"x","a":")"));
  check_cost("lists in lists", again(R"({"ph":[)"));
  check_cost("objects in objects", again(R"({"ph":{)"));
  check_cost("lists of arguments", again(R"({"ph":1,"args":{"l":[)"));
  check_cost("lists with healthy events between", again(R"({"ph":1,"args":{"l":[)" + kA + ","));
  check_cost("names with healthy events between", again(R"({"ph":"X","name":"b)" + kA + ","));
  check_cost("keys without values", again(R"({"ph",)"));
  check_cost("quotes", again("\""));
  check_cost("quotes in a name", again("{\"ph\":\"X\",\"name\":\"" + std::string(30, '"')));
  check_cost("closing brackets", again("}] "));
  check_cost("braces", again("{"));
  check_cost("brackets", again("["));
  check_cost("zeros behind lists", [](int count) {
    const std::string open = times(200, [](int) { return std::string(R"({"ph":1,"args":{"l":[)"); });
    return kBegin + "," + open + times(count, [](int) { return std::string("0,0,0,0,"); }) + "!";
  });
  check_cost("groups of lists", crowd(kBegin + ",", [](int i) { return i % 5000 == 0 ? times(200, [](int) { return std::string(R"({"ph":1,"args":{"l":[)"); }) : std::string("0,0,0,0,"); }, "!"));
}

TEST(crowds_of_documents_and_broken_keys_cost_their_length) {
  check_cost("documents", crowd("", [](int) { return "{\"traceEvents\":[" + kA + "]}"; }, ""));
  check_cost("documents of other kinds", crowd(kA, [](int i) { return "{\"a" + number(i) + "\":[1]}"; }, kA));
  check_cost("arrays", crowd("", [](int) { return "[" + kA + "]"; }, ""));
  check_cost("lines", crowd("", [](int) { return kA + "\n"; }, ""));
  check_cost("lines with their phase at the end", crowd("", [](int) { return std::string(R"({"name":"a","args":{"l":[1,2,3]},"ts":1,"ph":"X"})") + "\n"; }, ""));
  check_cost("documents of lists without end", crowd(kA, [](int) { return std::string("{\"a\":["); }, ""));
  check_cost("keys of keys", crowd("{", [](int) { return std::string("\"a\":{"); }, ""));
  check_cost("keys of lists", crowd("{", [](int) { return std::string("\"k\":[{"); }, ""));
  check_cost("keys of zeros", crowd("{" + times(200, [](int) { return std::string("\"k\":[{"); }) + "\"l\":[", [](int) { return std::string("0,0,0,0,"); }, "!"));
  check_cost("texts behind the end", crowd("[" + kA + "]", [](int) { return std::string("{\"a\" [1 "); }, ""));
  check_cost("a long text of backslashes", crowd("{\"t\":\"", [](int) { return std::string("\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\"); }, "\",\"traceEvents\":[" + kA + "]}"));
}
