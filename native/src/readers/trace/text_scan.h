// Walking JSON text quickly: 16 or 64 bytes at a time with SSE2, which every x86-64 has, else byte by byte.
// All functions may look at up to 64 bytes behind `end`; a Window keeps zeros there.
#pragma once

#include <cstdint>
#include <cstring>

#if defined(__SSE2__) || defined(_M_X64)
#include <emmintrin.h>
#define TIDEMARK_SSE2 1
#endif

#include "model/bits.h"

namespace tidemark::readers::trace {

// Zero bytes behind the text, so that a block may be looked at before its end is checked.
inline constexpr size_t kPadding = 128;

inline bool is_blank(uint8_t c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }
inline bool is_digit(uint8_t c) { return c >= '0' && c <= '9'; }
// What bare words and numbers are made of.
inline bool is_word_byte(uint8_t c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '/' || c == '_' || c == '.' || c == '-' || c == '+';
}

// The first byte from `p` that is no blank. Stops at the padding.
TIDEMARK_HOT const uint8_t* skip_blanks(const uint8_t* p) {
  if (!is_blank(*p)) return p;
  if (!is_blank(*++p)) return p;
#ifdef TIDEMARK_SSE2
  for (;; p += 16) {
    const __m128i text = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    const __m128i blank = _mm_or_si128(
        _mm_or_si128(_mm_cmpeq_epi8(text, _mm_set1_epi8(' ')), _mm_cmpeq_epi8(text, _mm_set1_epi8('\n'))),
        _mm_or_si128(_mm_cmpeq_epi8(text, _mm_set1_epi8('\t')), _mm_cmpeq_epi8(text, _mm_set1_epi8('\r'))));
    const auto other = static_cast<uint32_t>(_mm_movemask_epi8(blank)) ^ 0xFFFFu;
    if (other != 0) return p + lowest_bit(other);
  }
#else
  while (is_blank(*p)) ++p;
  return p;
#endif
}

// What a string holds besides plain characters.
struct StringMarks {
  bool escaped = false;  // a backslash
  bool odd = false;      // a backslash, a control character or a byte above 127: worth a closer look
};

// The quote that closes the string whose first byte is `p`; nullptr = the text ends before it.
inline const uint8_t* string_end(const uint8_t* p, const uint8_t* end, StringMarks& marks) {
#ifdef TIDEMARK_SSE2
  const __m128i quote = _mm_set1_epi8('"');
  const __m128i slash = _mm_set1_epi8('\\');
  const __m128i control = _mm_set1_epi8(0x1f);
  while (p < end) {
    const __m128i text = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    const auto stops = static_cast<uint32_t>(
        _mm_movemask_epi8(_mm_or_si128(_mm_cmpeq_epi8(text, quote), _mm_cmpeq_epi8(text, slash))));
    // Bytes from 128 on have their own top bit set; those below 32 get it from the comparison.
    const auto odd = static_cast<uint32_t>(
        _mm_movemask_epi8(_mm_or_si128(text, _mm_cmpeq_epi8(_mm_min_epu8(text, control), text))));
    if (stops == 0) {
      marks.odd |= odd != 0;
      p += 16;
      continue;
    }
    const int at = lowest_bit(stops);
    marks.odd |= (odd & ((1u << at) - 1)) != 0;
    p += at;
    if (*p == '"') return p;
    marks.escaped = marks.odd = true;
    p += 2;
  }
#else
  for (; p < end; ++p) {
    if (*p == '"') return p;
    if (*p == '\\') {
      marks.escaped = marks.odd = true;
      ++p;
    } else if (*p < 0x20 || *p > 0x7f) {
      marks.odd = true;
    }
  }
#endif
  return nullptr;
}

// One bit for each of 64 bytes.
struct BlockBits {
  uint64_t quote = 0;
  uint64_t slash = 0;
  uint64_t open = 0;   // { [
  uint64_t close = 0;  // } ]
  uint64_t letter = 0;  // n N: what numbers that are not finite have
  uint64_t odd = 0;    // control characters and bytes above 127
};

inline BlockBits block_bits(const uint8_t* p) {
  BlockBits bits;
#ifdef TIDEMARK_SSE2
  for (int part = 0; part < 4; ++part) {
    const __m128i text = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p + 16 * part));
    const __m128i folded = _mm_or_si128(text, _mm_set1_epi8(0x20));  // [ and ] become { and }
    const auto mask = [&](__m128i found) {
      return static_cast<uint64_t>(static_cast<uint32_t>(_mm_movemask_epi8(found))) << (16 * part);
    };
    bits.quote |= mask(_mm_cmpeq_epi8(text, _mm_set1_epi8('"')));
    bits.slash |= mask(_mm_cmpeq_epi8(text, _mm_set1_epi8('\\')));
    bits.open |= mask(_mm_cmpeq_epi8(folded, _mm_set1_epi8('{')));
    bits.close |= mask(_mm_cmpeq_epi8(folded, _mm_set1_epi8('}')));
    bits.odd |= mask(_mm_or_si128(text, _mm_cmpeq_epi8(_mm_min_epu8(text, _mm_set1_epi8(0x1f)), text)));
    bits.letter |= mask(_mm_cmpeq_epi8(folded, _mm_set1_epi8('n')));
  }
#else
  for (int i = 0; i < 64; ++i) {
    const uint64_t bit = uint64_t{1} << i;
    const uint8_t c = p[i];
    if (c == '"') bits.quote |= bit;
    if (c == '\\') bits.slash |= bit;
    if (c == '{' || c == '[') bits.open |= bit;
    if (c == '}' || c == ']') bits.close |= bit;
    if (c == 'n' || c == 'N') bits.letter |= bit;
    if (c < 0x20 || c > 0x7f) bits.odd |= bit;
  }
#endif
  return bits;
}

// Skips a container without looking at its grammar: where it stands is kept from block to block of 64 bytes.
class ContainerSkipper {
 public:
  // Goes on at `p`; the byte behind the container, or nullptr when the text ends before. In that case the bytes up to
  // `end` are done and the next call goes on there.
  const uint8_t* skip(const uint8_t* p, const uint8_t* end) {
    for (; p < end; p += 64) {
      BlockBits bits = block_bits(p);
      const auto left = static_cast<size_t>(end - p);
      const uint64_t here = left >= 64 ? ~uint64_t{0} : (uint64_t{1} << left) - 1;
      const uint64_t escaped = (bits.slash & here) != 0 || carried_ ? escapes(bits.slash & here, left) : 0;
      const uint64_t inside = xor_before(bits.quote & here & ~escaped) ^ in_string_;
      odd_ |= ((bits.odd | bits.slash) & inside & here) != 0;
      words_ |= (bits.letter & ~inside & here) != 0;
      uint64_t brackets = (bits.open | bits.close) & ~inside & here;
      for (; brackets != 0; brackets &= brackets - 1) {
        const int at = lowest_bit(brackets);
        depth_ += (bits.open >> at & 1) != 0 ? 1 : -1;
        if (depth_ == 0) return p + at + 1;
      }
      in_string_ = 0 - (inside >> (left >= 64 ? 63 : left - 1) & 1);
    }
    return nullptr;
  }
  bool odd() const { return odd_; }
  // A word that may be a number that is not finite stands in it, or soon behind it.
  bool words() const { return words_; }

 private:
  // Each bit becomes the xor of itself and all below: 1 from an opening quote up to before the closing one.
  static uint64_t xor_before(uint64_t bits) {
    bits ^= bits << 1;
    bits ^= bits << 2;
    bits ^= bits << 4;
    bits ^= bits << 8;
    bits ^= bits << 16;
    return bits ^ (bits << 32);
  }
  // The bytes that a backslash makes literal.
  uint64_t escapes(uint64_t slash, size_t left) {
    uint64_t out = carried_ ? 1 : 0;
    slash &= ~out;
    carried_ = false;
    const int last = left >= 64 ? 63 : static_cast<int>(left) - 1;
    while (slash != 0) {
      const int at = lowest_bit(slash);
      if (at == last) {
        carried_ = true;
        break;
      }
      out |= uint64_t{2} << at;
      slash &= ~(uint64_t{3} << at);
    }
    return out;
  }

  uint64_t in_string_ = 0;  // all ones between two quotes
  int64_t depth_ = 0;
  bool carried_ = false;
  bool odd_ = false;
  bool words_ = false;
};

// The first eight bytes of a key as a number; shorter keys are filled up with zeros.
constexpr uint64_t word_of(const char* text) {
  uint64_t word = 0;
  for (int i = 0; i < 8 && text[i] != '\0'; ++i) word |= static_cast<uint64_t>(static_cast<uint8_t>(text[i])) << (8 * i);
  return word;
}
// The same of `length` bytes in a text with padding.
TIDEMARK_HOT uint64_t word_at(const uint8_t* p, size_t length) {
  uint64_t word = 0;
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  for (int i = 0; i < 8; ++i) word |= static_cast<uint64_t>(p[i]) << (8 * i);
#else
  std::memcpy(&word, p, 8);
#endif
  return length >= 8 ? word : word & ((uint64_t{1} << (8 * length)) - 1);
}

// Reads eight digits at once; false = other bytes are among them, and `number` is left as it is.
TIDEMARK_HOT bool eight_digits(const uint8_t* p, uint64_t& number) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  (void)p, (void)number;
  return false;
#else
  uint64_t word;
  std::memcpy(&word, p, 8);
  constexpr uint64_t kUpper = 0xF0F0F0F0F0F0F0F0u;
  // The upper half of each byte is 3, also six further on: '0' to '9' and nothing else.
  if (((word & kUpper) ^ 0x3030303030303030u) != 0 || (((word + 0x0606060606060606u) & kUpper) ^ 0x3030303030303030u) != 0) return false;
  // The lowest byte is the first digit: neighbors are joined to pairs, pairs to fours, fours to eight.
  word &= 0x0F0F0F0F0F0F0F0Fu;
  word = (word * 10 + (word >> 8)) & 0x00FF00FF00FF00FFu;
  word = (word * 100 + (word >> 16)) & 0x0000FFFF0000FFFFu;
  number = (word * 10000 + (word >> 32)) & 0xFFFFFFFFu;
  return true;
#endif
}

// The quote that closes a key; keys are short and seldom have anything but letters.
TIDEMARK_HOT const uint8_t* key_end(const uint8_t* p, const uint8_t* end, StringMarks& marks) {
#ifdef TIDEMARK_SSE2
  const __m128i text = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
  const auto quote = static_cast<uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(text, _mm_set1_epi8('"'))));
  const auto other = static_cast<uint32_t>(_mm_movemask_epi8(_mm_or_si128(
      _mm_cmpeq_epi8(text, _mm_set1_epi8('\\')), _mm_or_si128(text, _mm_cmpeq_epi8(_mm_min_epu8(text, _mm_set1_epi8(0x1f)), text)))));
  const uint32_t before = quote - 1;  // the bits below the first quote
  if (quote != 0 && (other & before & ~quote) == 0) return p + lowest_bit(quote);
#endif
  return string_end(p, end, marks);
}

}  // namespace tidemark::readers::trace
