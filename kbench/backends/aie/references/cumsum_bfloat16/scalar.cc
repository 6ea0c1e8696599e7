#include <aie_api/aie.hpp>

void cumsum_bfloat16(bfloat16 *in, bfloat16 *out) {
    float sum = 0.0f;
    for (unsigned i = 0; i < 256; ++i) {
        sum += (float)in[i];
        out[i] = (bfloat16)sum;
    }
}
