#include <aie_api/aie.hpp>

void dotproduct_bias_relu_bfloat16(bfloat16 *in0, bfloat16 *in1, bfloat16 *out, bfloat16 bias, uint32_t vector_size) {
    float sum = (float)bias;
    for (unsigned i = 0; i < vector_size; ++i)
        sum += (float)in0[i] * (float)in1[i];
    *out = (bfloat16)(sum > 0.0f ? sum : 0.0f);
}
