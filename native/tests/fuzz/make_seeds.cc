// Writes the seeds of the fuzz entries. Usage: make_seeds PICKLE_FOLDER JSON_FOLDER (both exist).
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

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: make_seeds PICKLE_FOLDER JSON_FOLDER\n");
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
  return 0;
}
