#include <aie_api/aie.hpp>

void vectoradd_bfloat16(bfloat16 *in0, bfloat16 *in1, bfloat16 *out) {
    for (unsigned i = 0; i < 256; ++i)
        out[i] = (bfloat16)((float)in0[i] + (float)in1[i]);
}
