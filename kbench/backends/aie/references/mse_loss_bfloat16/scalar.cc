#include <aie_api/aie.hpp>

void mse_loss_bfloat16(bfloat16 *input_a, bfloat16 *input_b, bfloat16 *output) {
    float sum = 0.0f;
    for (unsigned i = 0; i < 256; ++i) {
        const float difference = (float)input_a[i] - (float)input_b[i];
        sum += difference * difference;
    }
    *output = (bfloat16)(sum / 256.0f);
}
