#include <aie_api/aie.hpp>
#include "aie_kernel_utils.h"

using Values = aie::vector<bfloat16, 32>;
using Sums = aie::accum<accfloat, 32>;

static inline Sums constant(float c) { return Sums(aie::broadcast<float, 32>(c)); }
static inline Values narrow(const Sums &a) { return a.to_vector<bfloat16>(); }

// The approximation and one step of Newton's.
static inline Values reciprocal(const Values &x) {
    const Values r = aie::inv(x);
    const Values error = narrow(aie::msc(constant(1.0f), x, r));
    return narrow(aie::mac(Sums(r), r, error));
}

void tan_bfloat16(bfloat16 *__restrict input, bfloat16 *__restrict output) {
    AIE_PREPARE_FOR_PIPELINING
    for (unsigned i = 0; i < 256; i += 32) {
        const Values x = aie::load_v<32>(input + i);
        // Less the nearest multiple of a quarter period, in three parts. About 192 a bfloat16 has no fraction, and its
        // last bit tells an odd multiple, where the tangent is the negative reciprocal.
        const Values shifted = narrow(aie::add(aie::mul(x, bfloat16(0.63661977f)), 192.0f));
        const Values n = aie::sub(shifted, bfloat16(192.0f));
        Sums rest = aie::msc(Sums(x), n, bfloat16(1.5703125f));
        rest = aie::msc(rest, n, bfloat16(4.844665527e-4f));
        rest = aie::mac(rest, n, bfloat16(6.3975783e-7f));
        const Values d = narrow(rest), s = narrow(aie::mul(d, d));
        Values p = narrow(aie::mac(constant(0.11398916f), s, bfloat16(0.096787761f)));
        p = narrow(aie::mac(constant(0.33592913f), s, p));
        p = narrow(aie::mac(constant(0.99994794f), s, p));
        const Values y = narrow(aie::mul(d, p));
        const auto odd = aie::neq(aie::bit_and(int16_t(1), shifted.cast_to<int16_t>()), int16_t(0));
        aie::store_v(output + i, aie::select(y, aie::neg(reciprocal(y)), odd));
    }
}
