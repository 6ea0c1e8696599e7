#include <aie_api/aie.hpp>
#include "aie_kernel_utils.h"

using Values = aie::vector<bfloat16, 32>;
using Sums = aie::accum<accfloat, 32>;

static inline Sums constant(float c) { return Sums(aie::broadcast<float, 32>(c)); }
static inline Values narrow(const Sums &a) { return a.to_vector<bfloat16>(); }

// The cosine of t turns: less the nearest whole number (about 192 a bfloat16 has no fraction), folded to a
// quarter on either side, where it is the sine of what is left of the quarter.
static inline Values cosine(const Sums &t) {
    const Values n = aie::sub(narrow(aie::add(t, 192.0f)), bfloat16(192.0f));
    const Values f = narrow(aie::sub(t, n));
    const Values u = aie::sub(bfloat16(0.25f), aie::abs(f));
    const Values s = narrow(aie::mul(u, u));
    Values p = narrow(aie::mac(constant(81.403996f), s, bfloat16(-71.555941f)));
    p = narrow(aie::mac(constant(-41.339172f), s, p));
    p = narrow(aie::mac(constant(6.2831803f), s, p));
    return narrow(aie::mul(u, p));
}

void cos_bfloat16(bfloat16 *__restrict input_vector, bfloat16 *__restrict output_vector) {
    AIE_PREPARE_FOR_PIPELINING
    for (unsigned i = 0; i < 256; i += 32) {
        const Values x = aie::load_v<32>(input_vector + i);
        const Sums turns = aie::mac(aie::mul(x, bfloat16(0.1591796875f)), x, bfloat16(-2.4747e-5f));
        aie::store_v(output_vector + i, cosine(turns));
    }
}
