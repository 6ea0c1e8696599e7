#include <aie_api/aie.hpp>
#include "aie_kernel_utils.h"

using Values = aie::vector<bfloat16, 32>;
using Sums = aie::accum<accfloat, 32>;

static inline Sums constant(float c) { return Sums(aie::broadcast<float, 32>(c)); }
static inline Values narrow(const Sums &a) { return a.to_vector<bfloat16>(); }

// log2 x of a positive number: the exponent but for its last bit becomes a number (its bits behind those of 128), and
// the rest of x, between 1/2 and 2, goes into a polynomial about 1, so that nothing cancels there.
static inline Values binary_logarithm(const Values &x) {
    const auto bits = x.cast_to<int16_t>();
    const auto k = aie::logical_downshift(aie::bit_and(int16_t(0x7f00), bits), 8);
    const Values pairs = aie::sub(aie::bit_or(int16_t(0x4300), k).cast_to<bfloat16>(), bfloat16(191.0f));
    const Values m = aie::bit_or(int16_t(0x3f00), aie::bit_and(int16_t(0x00ff), bits)).cast_to<bfloat16>();
    const Values u = aie::sub(m, bfloat16(1.0f));
    Values p = narrow(aie::mac(constant(0.34519559f), u, bfloat16(-0.13286956f)));
    p = narrow(aie::mac(constant(-0.41998756f), u, p));
    p = narrow(aie::mac(constant(0.48093898f), u, p));
    p = narrow(aie::mac(constant(-0.7163055f), u, p));
    p = narrow(aie::mac(constant(1.442593f), u, p));
    return narrow(aie::mac(aie::mul(pairs, bfloat16(2.0f)), u, p));
}

void log2_bfloat16(bfloat16 *__restrict input, bfloat16 *__restrict output) {
    AIE_PREPARE_FOR_PIPELINING
    for (unsigned i = 0; i < 256; i += 32) {
        const Values x = aie::load_v<32>(input + i);
        const auto none = aie::le(x, bfloat16(0.0f));
        aie::store_v(output + i, aie::select(binary_logarithm(x), bfloat16(-__builtin_inff()), none));
    }
}
