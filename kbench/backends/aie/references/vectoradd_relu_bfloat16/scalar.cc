#include <aie_api/aie.hpp>

void vectoradd_relu_bfloat16(bfloat16 *in0, bfloat16 *in1, bfloat16 *out) {
    for (unsigned i = 0; i < 256; ++i) {
        const float sum = (float)in0[i] + (float)in1[i];
        out[i] = (bfloat16)(sum > 0.0f ? sum : 0.0f);
    }
}
