// The register shuffle: elements of one or two registers of 64 bytes as a matrix, transposed.
#include "kbrt.h"

namespace {

struct Mode {
  uint8_t element_bytes, rows, columns;
};

// By number, one for each pair lo and hi of the first 28 modes and of 30 to 33.
constexpr Mode pairs[] = {
    {1, 64, 2}, {2, 32, 2}, {4, 16, 2}, {8, 8, 2},  {16, 4, 2}, {32, 2, 2}, {16, 2, 4},
    {8, 2, 8},  {4, 2, 16}, {2, 2, 32}, {1, 2, 64}, {64, 1, 2}, {2, 16, 4}, {2, 4, 16},
};
constexpr Mode wide_pairs[] = {{4, 8, 4}, {4, 4, 8}};
// From 34 on, of one register; the flip (38) swaps neighbours.
constexpr Mode singles[] = {
    {4, 4, 4}, {1, 8, 8}, {1, 16, 4}, {1, 4, 16}, {0, 0, 0},  {2, 4, 4}, {2, 4, 2},
    {2, 2, 4}, {2, 8, 2}, {2, 2, 8},  {2, 16, 2}, {2, 2, 16}, {1, 8, 4}, {1, 4, 8},
};

// Elements beyond the matrix stay where they are.
void transpose(const Mode& m, const uint8_t* from, uint8_t* to, uint32_t bytes) {
  const uint32_t size = m.element_bytes;
  for (uint32_t i = 0; i < bytes / size; ++i) {
    const uint32_t source = i < uint32_t(m.rows) * m.columns ? i % m.rows * m.columns + i / m.rows : i;
    __builtin_memcpy(to + i * size, from + source * size, size);
  }
}

void flip(const uint16_t* from, uint16_t* to) {
  for (int i = 0; i < 32; ++i) to[i] = from[i ^ 1];
}

}  // namespace

KB_OP(shuffle) {
  alignas(16) uint8_t both[128], moved[128];
  __builtin_memcpy(both, a[0], 64);
  __builtin_memcpy(both + 64, a[1], 64);
  const uint32_t mode = static_cast<uint32_t>(in_int(a, 2));
  if (mode > 47) broken_rule(d, "shuffle: a mode is a number up to 47");
  const bool pair = mode < 28 || (mode >= 30 && mode < 34);
  if (pair) {
    transpose(mode < 28 ? pairs[mode / 2] : wide_pairs[(mode - 30) / 2], both, moved, 128);
    __builtin_memcpy(r, moved + mode % 2 * 64, 64);
  } else if (mode == 38) {
    flip(reinterpret_cast<const uint16_t*>(both), static_cast<uint16_t*>(r));
  } else {
    transpose(mode == 28 ? Mode{2, 8, 4} : mode == 29 ? Mode{2, 4, 8} : singles[mode - 34], both, moved, 64);
    __builtin_memcpy(r, moved, 64);
  }
}
