#include <aie_api/aie.hpp>

void dotproduct_bfloat16(bfloat16 *__restrict vector1, bfloat16 *__restrict vector2, bfloat16 *__restrict result,
                         uint32_t vector_size) {
    auto sums = aie::zeros<accfloat, 32>();
    const unsigned whole = vector_size / 32 * 32;
    for (unsigned i = 0; i < whole; i += 32)
        sums = aie::mac(sums, aie::load_v<32>(vector1 + i), aie::load_v<32>(vector2 + i));
    float sum = 0.0f + aie::reduce_add(sums.to_vector<float>());
    for (unsigned i = whole; i < vector_size; ++i)
        sum += (float)vector1[i] * (float)vector2[i];
    *result = (bfloat16)sum;
}
