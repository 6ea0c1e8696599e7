#include <aie_api/aie.hpp>
#include "aie_kernel_utils.h"

using Values = aie::vector<bfloat16, 32>;
using Sums = aie::accum<accfloat, 32>;

static inline Sums constant(float c) { return Sums(aie::broadcast<float, 32>(c)); }
static inline Values narrow(const Sums &a) { return a.to_vector<bfloat16>(); }

void rsqrt_bfloat16(bfloat16 *__restrict input, bfloat16 *__restrict output) {
    AIE_PREPARE_FOR_PIPELINING
    for (unsigned i = 0; i < 256; i += 32) {
        const Values x = aie::load_v<32>(input + i);
        // The approximation and one step of Newton's: y + y / 2 (1 - x y^2).
        const auto none = aie::le(x, bfloat16(0.0f));
        const Values positive = aie::select(x, bfloat16(1.0f), none), y = aie::invsqrt(positive);
        const Values part = narrow(aie::mul(positive, y));
        const Values error = narrow(aie::msc(constant(1.0f), part, y));
        const Values better = narrow(aie::mac(Sums(y), narrow(aie::mul(y, bfloat16(0.5f))), error));
        aie::store_v(output + i, aie::select(better, bfloat16(0.0f), none));
    }
}
