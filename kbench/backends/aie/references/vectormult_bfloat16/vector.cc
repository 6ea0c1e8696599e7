#include <aie_api/aie.hpp>

void vectormult_bfloat16(bfloat16 *__restrict in_buffer1, bfloat16 *__restrict in_buffer2,
                         bfloat16 *__restrict out_buffer, int32_t vector_size) {
    const unsigned whole = (unsigned)vector_size / 32 * 32;
    for (unsigned i = 0; i < whole; i += 32) {
        const auto product = aie::mul(aie::load_v<32>(in_buffer1 + i), aie::load_v<32>(in_buffer2 + i));
        aie::store_v(out_buffer + i, product.to_vector<bfloat16>());
    }
    for (unsigned i = whole; i < (unsigned)vector_size; ++i)
        out_buffer[i] = in_buffer1[i] * in_buffer2[i];
}
