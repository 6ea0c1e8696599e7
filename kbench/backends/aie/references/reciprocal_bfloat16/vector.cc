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

void reciprocal_bfloat16(bfloat16 *__restrict input_vector, bfloat16 *__restrict output_vector) {
    AIE_PREPARE_FOR_PIPELINING
    for (unsigned i = 0; i < 256; i += 32) {
        const Values x = aie::load_v<32>(input_vector + i);
        const auto zero = aie::eq(x, bfloat16(0.0f));
        const Values y = reciprocal(aie::select(x, bfloat16(1.0f), zero));
        aie::store_v(output_vector + i, aie::select(y, bfloat16(__builtin_inff()), zero));
    }
}
