#include "check.h"
#include "tests.h"

int main() {
  tidemark_test::test_batch();
  tidemark_test::test_curves();
  tidemark_test::test_allocations();
  tidemark_test::test_range_stats();
  tidemark_test::test_raster();
  tidemark_test::test_lifetimes();
  tidemark_test::test_lifetime_lists();
  tidemark_test::test_lifetime_strips();
  tidemark_test::test_block_layout();
  tidemark_test::test_block_raster();
  tidemark_test::test_space();
  tidemark_test::test_joins();
  return tidemark_test::finish();
}
