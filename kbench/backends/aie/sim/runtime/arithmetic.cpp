// Elementwise arithmetic.
#include "kbrt.h"

namespace {

// Integers wrap, so signed and unsigned ones add alike.
template <class T>
void add_lanes(const Desc* d, void* r, const void* const* a) {
  const T *x = in<T>(a, 0), *y = in<T>(a, 1);
  for (int32_t i = 0; i < d->result_lanes(); ++i) static_cast<T*>(r)[i] = static_cast<T>(x[i] + y[i]);
}

}  // namespace

KB_OP(add) {
  switch (kbrt::lane_bits(d->kind(0))) {
    case 8: return add_lanes<uint8_t>(d, r, a);
    case 16: return add_lanes<uint16_t>(d, r, a);
    case 32: return add_lanes<uint32_t>(d, r, a);
    default: return add_lanes<uint64_t>(d, r, a);
  }
}
