#include <aie_api/aie.hpp>
#include "aie_kernel_utils.h"

using Values = aie::vector<bfloat16, 32>;
using Sums = aie::accum<accfloat, 32>;

static inline Sums constant(float c) { return Sums(aie::broadcast<float, 32>(c)); }
static inline Values narrow(const Sums &a) { return a.to_vector<bfloat16>(); }

void divide_bfloat16(bfloat16 *__restrict a, bfloat16 *__restrict b, bfloat16 *__restrict out) {
    AIE_PREPARE_FOR_PIPELINING
    for (unsigned i = 0; i < 256; i += 32) {
        const Values x = aie::load_v<32>(a + i), divisor = aie::load_v<32>(b + i);
        const auto zero = aie::eq(divisor, bfloat16(0.0f));
        const Values y = aie::select(divisor, bfloat16(1.0f), zero);
        // The first quotient, and what it leaves of the dividend.
        const Values r = aie::inv(y), q = narrow(aie::mul(x, r));
        const Values rest = narrow(aie::msc(Sums(x), q, y));
        aie::store_v(out + i, aie::select(narrow(aie::mac(Sums(q), rest, r)), bfloat16(0.0f), zero));
    }
}
