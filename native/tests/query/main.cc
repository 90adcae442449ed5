#include "check.h"
#include "tests.h"

int main() {
  tidemark_test::test_batch();
  tidemark_test::test_curves();
  tidemark_test::test_allocations();
  tidemark_test::test_range_stats();
  tidemark_test::test_raster();
  return tidemark_test::finish();
}
