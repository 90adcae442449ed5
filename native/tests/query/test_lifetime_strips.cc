// lifetime_raster in one strip and in two at a time, and the memory it keeps.
#include <cmath>

#include "check.h"
#include "lifetime_device.h"
#include "query/lifetime_raster.h"
#include "tests.h"

namespace tidemark_test {
namespace {

using namespace tidemark;

LifetimeRasterSummary paint_in(size_t worth_a_thread, LifetimeDevice& device, const LifetimeRasterRequest& request,
                               std::vector<uint8_t>& cells) {
  CHECK_EQUAL(check_lifetime_raster(device.columns, request).code, "");
  cells.assign(request.cells(), 0xEE);
  LifetimeScratch scratch;
  LifetimeRasterSummary summary;
  CHECK_EQUAL(paint_lifetimes(*device.space, request, {}, scratch, cells.data(), summary, worth_a_thread).code, "");
  return summary;
}

// Where all positions and shares are exact, whether one strip is painted or two at a time makes no difference at all.
void check_strips() {
  std::mt19937 random(77);
  constexpr uint64_t kBase = 0x7f0000000000;
  size_t alive = 0;
  for (int round = 0; round < 12; ++round) {
    DeviceParts parts = random_parts(random, 1024, 600, false);
    for (uint64_t slot = 0; slot < 4; ++slot) {
      Reservation life;
      life.address = kBase + (slot << 20);
      life.size = 1 << 20;
      life.map_event = static_cast<int64_t>(random() % 300) - 1;
      life.unmap_event = random() % 2 ? 0xFFFFFFFFu : 600 + static_cast<uint32_t>(random() % 400);
      parts.reservations.push_back(life);
    }
    for (Lifetime& lifetime : parts.lifetimes) {
      lifetime.size = uint64_t{512} << random() % 8;
      lifetime.address = kBase + random() % ((4 << 20) / lifetime.size) * lifetime.size;
      if (lifetime.free_requested != 0xFFFFFFFFu) lifetime.free_completed = lifetime.free_requested + static_cast<uint32_t>(random() % 40);
    }
    LifetimeDevice device(parts);
    for (const LifetimeOrder order : kOrders) {
      for (const LifetimeMeasure measure : kMeasures) {
        LifetimeRasterRequest request;
        const double height = is_address_order(order) ? device.space->places(order).end : 1024;
        request.view = {{Axis::event, order}, 0, 1024, 0, height, {}};
        request.columns = 1 << (1 + random() % 8);
        request.rows = 1 << random() % 7;
        request.measure = measure;
        std::vector<uint8_t> one, two;
        const LifetimeRasterSummary of_one = paint_in(SIZE_MAX, device, request, one);
        const LifetimeRasterSummary of_two = paint_in(0, device, request, two);
        CHECK(one == two);
        CHECK(of_one.column_total == of_two.column_total);
        CHECK_EQUAL(of_one.max, of_two.max);
        CHECK_EQUAL(of_one.shown, of_two.shown);
        CHECK_EQUAL(of_one.folded, of_two.folded);
        CHECK_EQUAL(of_one.folded_bytes, of_two.folded_bytes);
        CHECK(std::abs(of_one.mean_columns - of_two.mean_columns) < 1e-9);
        for (const uint8_t cell : one) alive += (cell & 63) >= kLeastLevel ? 1 : 0;
      }
    }
  }
  CHECK(alive > 10000);
}

// What a picture needs while it is painted follows what lives at a time, and only a little of it is kept.
void check_working_memory() {
  const auto paint_lives = [](uint32_t life, LifetimeScratch& scratch) {
    DeviceParts parts;
    parts.event_count = 200000;
    for (uint32_t event = 0; event < 199000; ++event) {
      const uint32_t freed = std::min<uint32_t>(event + life, 199999);
      parts.lifetimes.push_back({static_cast<int32_t>(event), freed, 512, -1, 0, 0, freed, 0});
    }
    LifetimeDevice device(parts);
    LifetimeRasterRequest request;
    request.view = {{Axis::event, LifetimeOrder::allocation}, 0, 200000, 0, 200000, {}};
    request.columns = 2000;
    request.rows = 10;
    std::vector<uint8_t> cells(request.cells());
    LifetimeRasterSummary summary;
    CHECK_EQUAL(paint_lifetimes(*device.space, request, {}, scratch, cells.data(), summary).code, "");
  };
  LifetimeScratch few, many;
  paint_lives(300, few);  // three columns
  paint_lives(199000, many);
  for (const SweepScratch& sweep : few.sweep) CHECK(sweep.changes.size() < 1000);
  CHECK(few.sweep[0].changes.capacity() > 0);
  for (const SweepScratch& sweep : many.sweep) CHECK(sweep.changes.capacity() * sizeof(SweepScratch::Change) <= SweepScratch::kMostKept);
}

}  // namespace

void test_lifetime_strips() {
  check_strips();
  check_working_memory();
}

}  // namespace tidemark_test
