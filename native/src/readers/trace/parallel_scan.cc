#include "readers/trace/parallel_scan.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <map>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace tidemark::readers::trace {
namespace {

// Text before a block that a guess may look at, and how far into a block it looks for the first event.
constexpr uint64_t kLookBack = 256;
constexpr uint64_t kLookFor = 256 * 1024;

class ParallelScan {
 public:
  ParallelScan(TextSource& source, uint64_t size, const Place& start, const Cut& cut, const Progress& progress, PartMerger& merger)
      : source_(source), cut_(cut), progress_(progress), merger_(merger), blocks_(std::max<uint64_t>(1, (size + cut.block - 1) / cut.block)),
        start_(start), guess_(start), place_(start), again_(cut.threads) {
    guess_.mode = Mode::events;
    guess_.seen_document = guess_.seen_events = true;
    Window window(source_, progress_, start.offset, kLookAhead);
    guess_.shape = shape_of(window.begin(), window.end());
  }

  void run() {
    std::vector<std::thread> threads;
    for (unsigned i = 1; i < cut_.threads; ++i) {
      try {
        threads.emplace_back([this, i] { work(i); });
      } catch (const std::system_error&) {
        break;  // fewer threads do
      }
    }
    work(0);
    for (std::thread& thread : threads) thread.join();
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  static constexpr size_t kLookAhead = 64 * 1024;

  // What a thread made of a block: from where it was scanned, and where it stood at the end.
  struct Stretch {
    bool is_guessed = false;  // false: no event was found to begin with
    uint64_t begin = 0;
    Place end;
    Part part;
  };

  uint64_t limit_of(uint64_t block) const { return block + 1 == blocks_ ? UINT64_MAX : (block + 1) * cut_.block; }

  void work(unsigned scanner) {
    try {
      PartBuilder builder(scanner);
      while (!stopped_) {
        const uint64_t block = next_block_.fetch_add(1);
        if (block >= blocks_) return;
        commit(block, scan(block, builder));
      }
    } catch (...) {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
      stopped_ = true;
    }
  }

  Stretch scan(uint64_t block, PartBuilder& builder) {
    Stretch stretch;
    const uint64_t begin = block * cut_.block;
    const uint64_t back = block == 0 ? 0 : std::min(begin, kLookBack);
    Window window(source_, progress_, block == 0 ? start_.offset : begin - back, cut_.step);
    Place start = guess_;
    if (block == 0) {
      start = start_;
    } else {
      const uint64_t reach = std::min(cut_.block, kLookFor);
      window.ensure(back + reach + 512);
      const uint8_t* const stop = std::min(window.end(), window.begin() + back + reach);
      const uint8_t* const first = find_event(window.begin(), std::min(stop, window.begin() + back), stop, false);
      if (first == nullptr) {
        stretch.part = builder.take();
        return stretch;
      }
      start.offset = window.offset() + static_cast<uint64_t>(first - window.begin());
    }
    stretch.begin = start.offset;
    DocumentScanner scanner(window, builder, start);
    if (block != 0) scanner.set_patience(std::max(cut_.block, kLookFor));
    scanner.run(limit_of(block));
    stretch.is_guessed = !scanner.gave_up();
    stretch.end = scanner.place();
    stretch.part = builder.take();
    if (window.cancelled()) stopped_ = true;
    return stretch;
  }

  void commit(uint64_t block, Stretch&& stretch) {
    const std::lock_guard<std::mutex> lock(mutex_);
    waiting_.emplace(block, std::move(stretch));
    while (!stopped_) {
      const auto found = waiting_.find(settled_);
      if (found == waiting_.end()) return;
      settle(settled_++, found->second);
      waiting_.erase(found);
    }
  }

  // Called in the order of the blocks, by whichever thread completed the row.
  void settle(uint64_t block, Stretch& stretch) {
    const bool is_first = block == 0;
    const bool fits = is_first || (stretch.is_guessed && place_.mode == Mode::events && !place_.recovering &&
                                   place_.shape == guess_.shape && place_.offset == stretch.begin && place_.dark_until <= stretch.begin);
    const bool is_done = place_.mode == Mode::ended || (!is_first && place_.offset >= limit_of(block));
    if (fits && !is_done) {
      place_ = stretch.end;
      merger_.add(std::move(stretch.part));
      return;
    }
    merger_.drop(std::move(stretch.part));
    if (is_done) return;
    Window window(source_, progress_, place_.offset, cut_.step);
    DocumentScanner scanner(window, again_, place_);
    scanner.run(limit_of(block));
    place_ = scanner.place();
    merger_.add(again_.take());
    if (window.cancelled()) stopped_ = true;
  }

  TextSource& source_;
  const Cut cut_;
  const Progress& progress_;
  PartMerger& merger_;
  const uint64_t blocks_;
  const Place start_;
  Place guess_;  // where a block is taken to begin, but for the offset
  std::atomic<uint64_t> next_block_{0};
  std::atomic<bool> stopped_{false};

  std::mutex mutex_;  // guards all below
  std::map<uint64_t, Stretch> waiting_;
  uint64_t settled_ = 0;
  Place place_;  // behind all that is settled
  PartBuilder again_;
  std::exception_ptr failure_;
};

}  // namespace

void scan_parallel(TextSource& source, uint64_t size, const Place& start, const Cut& cut, const Progress& progress, PartMerger& merger) {
  ParallelScan(source, size, start, cut, progress, merger).run();
}

}  // namespace tidemark::readers::trace
