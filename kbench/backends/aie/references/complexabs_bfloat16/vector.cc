#include <aie_api/aie.hpp>
#include "aie_kernel_utils.h"

using Values = aie::vector<bfloat16, 32>;
using Sums = aie::accum<accfloat, 32>;

static inline Sums constant(float c) { return Sums(aie::broadcast<float, 32>(c)); }
static inline Values narrow(const Sums &a) { return a.to_vector<bfloat16>(); }

// The square root of a sum of squares: the approximation, corrected by the difference of its square.
static inline Values root(const Sums &square) {
    const Values s = narrow(square);
    const Values y = aie::invsqrt(aie::max(s, bfloat16(1e-36f)));
    const Values r = narrow(aie::mul(s, y));
    const Values rest = narrow(aie::msc(square, r, r));
    return narrow(aie::mac(Sums(r), rest, narrow(aie::mul(y, bfloat16(0.5f)))));
}

void complexabs_bfloat16(bfloat16 *__restrict real_vector, bfloat16 *__restrict imag_vector,
                         bfloat16 *__restrict output_vector) {
    AIE_LOOP_UNROLL_FULL
    for (unsigned i = 0; i < 64; i += 32) {
        const Values re = aie::load_v<32>(real_vector + i), im = aie::load_v<32>(imag_vector + i);
        aie::store_v(output_vector + i, root(aie::mac(aie::mul(re, re), im, im)));
    }
}
