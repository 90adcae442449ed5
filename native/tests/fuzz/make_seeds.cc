// Writes the seeds of the fuzz entries. Usage: make_seeds PICKLE_FOLDER JSON_FOLDER TRACE_FOLDER (all exist).
#include <cstdio>
#include <fstream>
#include <string>

#include "readers/pickle_maker.h"

namespace {

using maker::Pickle;
using maker::Style;

void write(const std::string& path, const std::string& bytes) { std::ofstream(path, std::ios::binary) << bytes; }

std::string every_key() {
  Pickle pickle(Style::python4);
  pickle.begin_dict().text("allocator_settings").begin_dict().text("max_split_size").integer(-1).end_dict();
  pickle.text("external_annotations")
      .begin_list()
      .begin_dict()
      .text("name")
      .text("step")
      .text("stage")
      .text("START")
      .text("device")
      .integer(0)
      .text("time_us")
      .integer(5)
      .end_dict()
      .end_list();
  pickle.text("rank")
      .integer(3)
      .text("notes")
      .begin_list()
      .integer(1)
      .op('N')
      .begin_dict()
      .text("x")
      .pair(1, 2)
      .end_dict()
      .end_list();
  pickle.text("device_traces")
      .begin_list()
      .begin_list()
      .entry("alloc", -4096, 512, 1, 2)
      .entry("oom", 1, 2, 3, 0)
      .raw("e]\x94")
      .end_list();
  pickle.text("segments")
      .begin_list()
      .segment(4096, 3)
      .end_list()
      .text("host_traces")
      .begin_list()
      .begin_list()
      .entry("alloc", 1, 1, 1, 1)
      .end_list()
      .end_list();
  return pickle.end_dict().stop();
}

std::string legacy() {
  Pickle pickle(Style::cpp2);
  pickle.begin_list()
      .begin_dict()
      .text("address")
      .integer(4096)
      .text("total_size")
      .integer(512)
      .text("blocks")
      .begin_list()
      .begin_dict();
  pickle.text("size")
      .integer(512)
      .text("state")
      .text("active_allocated")
      .text("history")
      .begin_list()
      .begin_dict()
      .text("addr")
      .integer(4096);
  return pickle.text("real_size").integer(7).end_dict().end_list().end_dict().end_list().end_dict().end_list().stop();
}

constexpr const char* kJson =
    R"({"segments":[{"device":0,"address":4096,"total_size":1024,"stream":0,"segment_type":"small","segment_pool_id":[0,1],"is_expandable":false,)"
    R"("frames":[],"blocks":[{"address":4096,"size":1024,"requested_size":9,"state":"inactive","frames":[]}]}],"device_traces":[[{"action":"alloc","addr":)"
    R"(18446720620317114368,"size":1,"stream":0,"time_us":1,"frames":[{"name":"f\u00e9\ud800","filename":"a","line":1}]},{"action":"oom","device_free":1.5e3,"size":-3}]],)"
    R"("allocator_settings":{"a":NaN,"b":[true,null]},"rank":3})";

// Events of every phase, and damage of every kind.
constexpr const char* kEvents =
    R"({"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":"t","ts":5109156364170.580,"dur":195.635,"args":{"External id":7,"Sequence number":3,"l":[[1,2],["a\"]"]]}},)"
    R"({"ph":"B","name":"b","pid":1,"tid":1,"ts":1e3},{"ph":"E","pid":1,"tid":1,"ts":"2.0000001"},{"ph":"C","name":"c","pid":1,"ts":1,"args":{"a":1.5,"":"2"}},)"
    R"({"ph":"b","cat":"x","id2":{"local":"0x1"},"name":"n","ts":1},{"ph":"S","id":1,"name":"n","ts":1},{"ph":"s","id":1,"ts":1,"cat":"f"},{"ph":"f","bp":"e","id":1,"ts":1,"cat":"f"},)"
    R"({"ph":"X","name":"v","ts":1,"dur":1,"bind_id":3,"flow_in":true},{"ph":"P","name":"s","sf":"7","ts":1},{"ph":"M","name":"thread_name","pid":1,"tid":1,"args":{"name":"\ud83d\ude00"}},)"
    R"({"ph":"i","s":"g","name":"[memory]","ts":-1,"args":{"Device Type":1,"Device Id":0,"Addr":18446744073709551615,"Bytes":-64,"Total Allocated":9}},{},)";
constexpr const char* kDamage =
    R"({"ph":"X","name":"say "hi" C:\Users","ts":-1.-05,"dur":NaN},{"ph":"X","na{"ph":"X","name":"m","ts":007,"dur":.5},me":1},{"ph":"X","name":"n","name":"o","ts":1,"dur":9223372036854775807},)"
    R"({"ph":"Q","ts":1},{"ph":"X","args":{"x":N/A,"c":"p "q" r","y":inf},"ts":null},{"ph":"X","ts":1,"dur":1,"args":{"l":["a"b"]}},nonsense,{"ph":"X","ts":1,"dur":)";

void write_traces(const std::string& folder) {
  const std::string events = kEvents;
  write(folder + "/object", "{\"schemaVersion\":1,\"traceEvents\":[" + events + "],\"stackFrames\":{\"7\":{\"name\":\"leaf\"}},\"baseTimeNanoseconds\":5}");
  write(folder + "/array", "[\n" + events);
  write(folder + "/lines", events);
  write(folder + "/damage", "{\"INFO\":[\"a \"b\" c\"],\"traceEvents\":[" + events + kDamage);
  write(folder + "/several", "[" + events + "]{\"traceEvents\":[" + events + "]} tail [" + kDamage + "]");
  write(folder + "/timeline", "[[10,10,12],[[0,8,0,0,0,0,0,0,0],[0,8,0,0,2,0,0,0,0],[0,8,0,0,0,0,0,0,5]]]");
  write(folder + "/raw_timeline", "[[-1,1,8,0],[10000,2,4,3],[10000,3,-4,3],[10000,3,4,4],[12000,4,-1,9]]");
  std::string wide = "\xff\xfe";
  for (const char c : "[" + events + "]") wide += std::string(1, c) + '\0';
  write(folder + "/wide", wide);
}

void write_profiles(const std::string& folder) {
  write(folder + "/folded", "# note\nmain;train (train.py:12);f 3\nmain;g 4.5\nmain;g 1 2\n");
  write(folder + "/d3", R"x({"name":"all","value":9,"children":[{"children":[{"name":"b","value":2}],"value":5,"delta":-1,"name":"a (a.py:3)"}]})x");
  write(folder + "/speedscope",
        R"({"$schema":"https://www.speedscope.app/file-format-schema.json","profiles":[{"type":"evented","name":"t","unit":"seconds","endValue":9,)"
        R"("events":[{"type":"O","frame":0,"at":1},{"type":"O","frame":1,"at":2.5},{"type":"C","frame":1,"at":3},{"type":"C","frame":0,"at":4}]},)"
        R"({"type":"sampled","name":"s","unit":"bytes","samples":[[0,1],[9]],"weights":[5,6]}],"shared":{"frames":[{"name":"f","file":"x.c","line":4},{"name":"g"}]}})");
  write(folder + "/heapprofile",
        R"x({"head":{"callFrame":{"functionName":"(root)","url":"","lineNumber":-1},"selfSize":0,"id":1,"children":[{"callFrame":{"functionName":"f","url":"a.js","lineNumber":2},"selfSize":64,"children":[]}]},"samples":[]})x");
  const std::string types("\x0a\x04\x08\x01\x10\x02", 6), sample("\x12\x08\x0a\x02\x07\x09\x12\x02\x05\x06", 10);
  const std::string locations("\x22\x08\x08\x07\x22\x04\x08\x03\x10\x0a\x22\x04\x08\x09\x18\x20", 16), function("\x2a\x04\x08\x03\x10\x03", 6);
  write(folder + "/pprof", types + types + sample + locations + function + std::string("\x32\x00\x32\x01s\x32\x01u\x32\x01f\x70\x01", 13));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fprintf(stderr, "usage: make_seeds PICKLE_FOLDER JSON_FOLDER TRACE_FOLDER PROFILE_FOLDER\n");
    return 1;
  }
  const std::string pickles = argv[1];
  write(pickles + "/python4", maker::snapshot(Style::python4, 4));
  write(pickles + "/cpp2", maker::snapshot(Style::cpp2, 4));
  write(pickles + "/text0", maker::snapshot(Style::text0, 4));
  write(pickles + "/every_key", every_key());
  write(pickles + "/legacy", legacy());
  write(std::string(argv[2]) + "/snapshot", kJson);
  write(std::string(argv[2]) + "/trace", R"([{"ph":"X","ts":1.5,"args":{}}])");
  write_traces(argv[3]);
  write_profiles(argv[4]);
  return 0;
}
