#include <aie_api/aie.hpp>

void avgpool1d_relu_bfloat16(bfloat16 *in_buffer, bfloat16 *out_buffer) {
    for (unsigned i = 0; i < 64; ++i) {
        float sum = 0.0f;
        for (unsigned j = 0; j < 4; ++j)
            sum += (float)in_buffer[4 * i + j];
        out_buffer[i] = (bfloat16)(sum > 0.0f ? 0.25f * sum : 0.0f);
    }
}
