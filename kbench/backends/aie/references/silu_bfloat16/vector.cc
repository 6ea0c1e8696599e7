#include <aie_api/aie.hpp>
#include "aie_kernel_utils.h"

using Values = aie::vector<bfloat16, 32>;
using Sums = aie::accum<accfloat, 32>;

static inline Sums constant(float c) { return Sums(aie::broadcast<float, 32>(c)); }
static inline Values narrow(const Sums &a) { return a.to_vector<bfloat16>(); }

// e^x = 2^(n + f) with n the even number nearest to x log2 e. The sum with 384 lies from 256 to 512, where bfloat16 has
// every second number: n / 2 is what its bits are beyond those of 384, and eight places up it is n in the exponent.
static inline Values exponential(const Values &given) {
    const Values x = aie::min(aie::max(given, bfloat16(-87.0f)), bfloat16(88.5f));
    const Sums t = aie::mac(aie::mul(x, bfloat16(1.4453125f)), x, bfloat16(-0.0026174622f));
    const Values shifted = narrow(aie::add(t, 384.0f));
    const Values f = narrow(aie::sub(t, aie::sub(shifted, bfloat16(384.0f))));
    Values p = narrow(aie::mac(constant(0.0098423097f), f, bfloat16(0.0013068914f)));
    p = narrow(aie::mac(constant(0.055556283f), f, p));
    p = narrow(aie::mac(constant(0.2401478f), f, p));
    p = narrow(aie::mac(constant(0.69313298f), f, p));
    p = narrow(aie::mac(constant(1.0f), f, p));
    const auto n = aie::upshift(aie::sub(shifted.cast_to<int16_t>(), int16_t(0x43c0)), 8);
    return aie::add(p.cast_to<int16_t>(), n).cast_to<bfloat16>();
}

// The approximation and one step of Newton's.
static inline Values reciprocal(const Values &x) {
    const Values r = aie::inv(x);
    const Values error = narrow(aie::msc(constant(1.0f), x, r));
    return narrow(aie::mac(Sums(r), r, error));
}

static inline Values sigmoid(const Values &x) {
    const Values bounded = aie::min(aie::max(x, bfloat16(-80.0f)), bfloat16(80.0f));
    return reciprocal(aie::add(exponential(aie::neg(bounded)), bfloat16(1.0f)));
}

void silu_bfloat16(bfloat16 *__restrict input, bfloat16 *__restrict output) {
    AIE_PREPARE_FOR_PIPELINING
    for (unsigned i = 0; i < 256; i += 32) {
        const Values x = aie::load_v<32>(input + i);
        aie::store_v(output + i, narrow(aie::mul(x, sigmoid(x))));
    }
}
