// The groups of query tests; each counts into check.h.
#pragma once

namespace tidemark_test {

void test_raster();
void test_curves();
void test_allocations();
void test_range_stats();
void test_batch();
void test_lifetimes();
void test_lifetime_lists();
void test_lifetime_strips();
void test_block_layout();
void test_block_raster();
void test_space();
void test_joins();

}  // namespace tidemark_test
