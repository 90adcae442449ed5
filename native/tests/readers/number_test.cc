// Numbers with a fraction or an exponent.
#include <cmath>
#include <limits>

#include "check.h"
#include "readers/number.h"

using tidemark::readers::to_nearest_double;

namespace {

double number(const char* text) {
  double out = -7;
  CHECK(to_nearest_double(text, out));
  return out;
}

}  // namespace

TEST(decimals_become_the_nearest_double) {
  CHECK_EQ(number("0.1"), 0.1);
  CHECK_EQ(number("-1.5e3"), -1500.0);
  CHECK_EQ(number(".5"), 0.5);
  CHECK_EQ(number("5."), 5.0);
  CHECK_EQ(number("9007199254740993.0"), 9007199254740992.0);
  CHECK_EQ(number("4.9e-324"), std::numeric_limits<double>::denorm_min());
}

TEST(decimals_beyond_the_range_of_doubles_become_infinity_or_zero) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const char* text : {"1e400", "1e99999999999999999999", "00012.5e400", "0.000001e400"}) CHECK_EQ(number(text), infinity);
  CHECK_EQ(number("-1e400"), -infinity);
  for (const char* text : {"1e-400", "1e-99999999999999999999", "0.0e999", "123456e-400"}) CHECK_EQ(number(text), 0.0);
  CHECK(std::signbit(number("-1e-400")));
}

TEST(what_is_no_decimal_is_refused) {
  double out = 0;
  for (const char* text : {"", "-", "+1", " 1", "1 ", "1,5", "1e", "e5", "0x10", "inf", "nan", "1.2.3", "1-2"}) CHECK(!to_nearest_double(text, out));
}
