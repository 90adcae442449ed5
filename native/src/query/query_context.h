// What the query functions of one connection share: the connection's columns, and what was derived from them.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "query/allocation_list.h"
#include "query/block_cache.h"
#include "query/categories.h"
#include "query/flame_cache.h"
#include "query/lifetime_raster.h"
#include "query/range_stats.h"
#include "query/slice_tree.h"
#include "query/timeline_raster.h"
#include "query/trace_filter.h"
#include "store/connection.h"

namespace tidemark {

// What is kept of the trace of an index.
struct TraceState {
  explicit TraceState(sqlite3* db) : index(db) {}
  TraceIndex index;
  PassingSlices passing;
  std::unique_ptr<SliceTree> slices;  // when QueryContext::slice_tree() was asked
};

class QueryContext {
 public:
  explicit QueryContext(ConnectionState* state) : state_(state) {}

  // The columns of `device` with at least the `wanted` parts (kTimesPart | …), and their lifetimes; nullptr on failure, `error`
  // is then the text of an SQLite error.
  const Lifetimes* device(int64_t device, unsigned wanted, std::string& error);

  // The integrals of the curves of a device that device() answered with every part, derived at the first call; nullptr when
  // interrupted.
  const CurveIntegrals* integrals(const Lifetimes& lifetimes);

  // The lifetimes as rectangles of a device that device() answered with kAllocationsPart and kBlocksPart, for which
  // LifetimeSpace::check() passed.
  LifetimeSpace& lifetime_space(const Lifetimes& lifetimes);

  // The layout of `device` after `event`, with kAllocationsPart, kBlocksPart and `further_parts` loaded; nullptr on failure, `error` is
  // then the text of an SQLite error.
  std::shared_ptr<const BlockLayout> layout(int64_t device, int64_t event, unsigned further_parts, std::string& error);

  // The frames of the capture's stacks, as many as `device`, with kAllocationsPart, says; nullptr on failure.
  const StackFrames* stack_frames(const DeviceColumns& device, Failure& failure);

  // The frames of all stacks of a profile; nullptr on failure.
  const StackFrames* profile_frames(Failure& failure);

  // The call tree of `frames` with these options, `key` being their text; nullptr on failure.
  std::shared_ptr<const CallTree> call_tree(const StackFrames& frames, const std::string& key, const CallTreeOptions& options,
                                            Failure& failure);

  // The category of each allocation of a device that device() answered with kAllocationsPart, derived when first asked for; nullptr
  // on failure. Without rules everything is unknown.
  const Categories* categories(const DeviceColumns& columns, Failure& failure) { return shared_categories(columns, failure).get(); }
  std::shared_ptr<const Categories> shared_categories(const DeviceColumns& columns, Failure& failure);
  bool has_category_rules() const { return !category_rules_->rules.empty(); }
  void set_category_rules(std::shared_ptr<const CategoryRules> rules);

  // The trace of the index; empty for a snapshot's.
  TraceState& trace();

  // Which op encloses each slice of the trace, read at the first call; nullptr on failure.
  const SliceTree* slice_tree(Failure& failure);

  ConnectionState& state() { return *state_; }
  AllocationLists& allocation_lists() { return allocation_lists_; }
  RasterScratch& raster_scratch() { return raster_scratch_; }
  LifetimeScratch& lifetime_scratch() { return lifetime_scratch_; }

  // Stops when sqlite3_interrupt() was called on the connection (SQLite ≥ 3.41; never before that).
  StopSignal stop_signal() const;

 private:
  struct Derived {
    uint64_t generation = 0;  // of the connection's columns
    unsigned parts = 0;       // that `lifetimes` is of
    Lifetimes lifetimes;
    CurveIntegrals integrals;
    bool has_integrals = false;
    std::unique_ptr<LifetimeSpace> lifetime_space;
    std::shared_ptr<const Categories> categories;
  };
  ConnectionState* state_;
  std::shared_ptr<const CategoryRules> category_rules_ = std::make_shared<CategoryRules>();
  std::map<int32_t, Derived> derived_;
  BlockCache blocks_;
  FlameCache flames_;
  AllocationLists allocation_lists_;
  std::unique_ptr<TraceState> trace_;
  uint64_t trace_generation_ = 0;  // of the connection's index that trace_ is of
  RasterScratch raster_scratch_;
  LifetimeScratch lifetime_scratch_;
};

}  // namespace tidemark
