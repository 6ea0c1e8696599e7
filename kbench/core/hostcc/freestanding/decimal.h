// The exact decimal digits of a double, for printing and for reading it back.
#pragma once

#include <stdint.h>

namespace kbfs {

// All decimal digits of a finite |value|: `digits[0 … count)` times 10^(point - count), no leading zeros.
struct Decimal {
  static constexpr int kMost = 1100;
  char digits[kMost];
  int count = 0;
  int point = 0;

  explicit Decimal(double value);
  Decimal(uint64_t mantissa, int power) { expand(mantissa, power); }  // mantissa * 2^power
  void round(int keep);  // to `keep` digits, half to even on the exact value

 private:
  void expand(uint64_t mantissa, int power);
};

constexpr uint32_t kBillion = 1000000000;

// A number as limbs of nine digits, least significant first; enough for 2^1024 and for 2^-1074's 1074 digits.
struct Limbs {
  uint32_t limb[130];
  int count = 0;

  void multiply(uint32_t by) {
    uint64_t carry = 0;
    for (int i = 0; i < count; ++i) {
      uint64_t product = uint64_t{limb[i]} * by + carry;
      limb[i] = static_cast<uint32_t>(product % kBillion);
      carry = product / kBillion;
    }
    if (carry) limb[count++] = static_cast<uint32_t>(carry);
  }
};

inline Decimal::Decimal(double value) {
  uint64_t bits = __builtin_bit_cast(uint64_t, value);
  int exponent = static_cast<int>((bits >> 52) & 0x7ff);
  uint64_t mantissa = bits & ((uint64_t{1} << 52) - 1);
  if (exponent) mantissa |= uint64_t{1} << 52;
  else exponent = 1;
  expand(mantissa, exponent - 1075);
}

inline void Decimal::expand(uint64_t mantissa, int power) {
  if (mantissa == 0) return;
  while ((mantissa & 1) == 0) mantissa >>= 1, ++power;
  Limbs n;
  for (; mantissa; mantissa /= kBillion) n.limb[n.count++] = static_cast<uint32_t>(mantissa % kBillion);
  // A negative power p becomes 5^-p over 10^-p, which keeps the digits whole.
  int scale = power < 0 ? -power : 0;
  for (int left = power < 0 ? -power : power; left > 0;) {
    int step = power < 0 ? (left < 12 ? left : 12) : (left < 29 ? left : 29);
    uint32_t by = 1;
    for (int i = 0; i < step; ++i) by *= power < 0 ? 5 : 2;
    n.multiply(by);
    left -= step;
  }
  for (int i = n.count - 1; i >= 0; --i) {
    uint32_t limb = n.limb[i];
    for (uint32_t unit = kBillion / 10; unit; unit /= 10) {
      int digit = static_cast<int>(limb / unit % 10);
      if (count || digit) digits[count++] = static_cast<char>(digit);
    }
  }
  point = count - scale;
  while (count && digits[count - 1] == 0) --count;
}

inline void Decimal::round(int keep) {
  if (keep >= count) return;
  if (keep < 0) {
    count = 0;
    return;
  }
  bool half = digits[keep] == 5 && count == keep + 1;
  bool up = half ? keep > 0 && (digits[keep - 1] & 1) : digits[keep] >= 5;
  count = keep;
  int i = keep - 1;
  if (up) {
    while (i >= 0 && digits[i] == 9) --i;
    if (i < 0) {
      digits[0] = 1;
      count = 1;
      ++point;
    } else {
      ++digits[i];
      count = i + 1;
    }
  }
  while (count && digits[count - 1] == 0) --count;
}

}  // namespace kbfs
