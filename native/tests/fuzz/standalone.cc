// Stands in for libFuzzer where clang is missing: mutates the seeds with a fixed random sequence for a fixed number of
// runs. Usage: standalone RUNS SEED_FOLDER
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

// One of the mutations that find most in such formats: flip, replace, insert, erase, copy a part, cut, splice.
std::string mutate(std::string bytes, const std::vector<std::string>& seeds, std::mt19937& random) {
  const auto below = [&](size_t limit) { return static_cast<size_t>(random() % (limit == 0 ? 1 : limit)); };
  for (size_t step = 1 + below(6); step > 0 && !bytes.empty(); --step) {
    const size_t at = below(bytes.size());
    const size_t length = std::min(bytes.size() - at, 1 + below(32));
    switch (below(7)) {
      case 0: bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8))); break;
      case 1: bytes[at] = static_cast<char>(random()); break;
      case 2: bytes.insert(at, 1, static_cast<char>(random())); break;
      case 3: bytes.erase(at, length); break;
      case 4: bytes.insert(below(bytes.size()), bytes.substr(at, length)); break;
      case 5: bytes.resize(at); break;
      default: {
        const std::string& other = seeds[below(seeds.size())];
        bytes = bytes.substr(0, at) + other.substr(below(other.size()));
      }
    }
  }
  return bytes.substr(0, 8192);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 1;
  std::vector<std::string> seeds;
  for (const auto& entry : std::filesystem::directory_iterator(argv[2])) {
    std::ifstream file(entry.path(), std::ios::binary);
    seeds.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  if (seeds.empty()) return 1;
  std::mt19937 random(20240229);
  const long runs = std::atol(argv[1]);
  for (long run = 0; run < runs; ++run) {
    const std::string bytes = mutate(seeds[static_cast<size_t>(run) % seeds.size()], seeds, random);
    LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
  }
  std::printf("%ld runs\n", runs);
  return 0;
}
