#include <aie_api/aie.hpp>

void dotproduct_bias_relu_bfloat16(bfloat16 *__restrict in0, bfloat16 *__restrict in1, bfloat16 *__restrict out,
                                   bfloat16 bias, uint32_t vector_size) {
    auto sums = aie::zeros<accfloat, 32>();
    const unsigned whole = vector_size / 32 * 32;
    for (unsigned i = 0; i < whole; i += 32)
        sums = aie::mac(sums, aie::load_v<32>(in0 + i), aie::load_v<32>(in1 + i));
    float sum = (float)bias + aie::reduce_add(sums.to_vector<float>());
    for (unsigned i = whole; i < vector_size; ++i)
        sum += (float)in0[i] * (float)in1[i];
    *out = (bfloat16)(sum > 0.0f ? sum : 0.0f);
}
