#include <aie_api/aie.hpp>
#include "aie_kernel_utils.h"

void conv2d_k4_s2_bias_relu_bfloat16(bfloat16 *__restrict in_buffer, bfloat16 *__restrict kernel,
                                     bfloat16 *__restrict out_buffer, bfloat16 bias, uint32_t stride) {
    if (stride != 2) {
        const unsigned size = (16 - 4) / stride + 1;
        for (unsigned r = 0; r < size; ++r)
            for (unsigned c = 0; c < size; ++c) {
                float sum = (float)bias;
                for (unsigned k = 0; k < 4; ++k)
                    for (unsigned l = 0; l < 4; ++l)
                        sum += (float)in_buffer[(r * stride + k) * 16 + c * stride + l] * (float)kernel[4 * k + l];
                out_buffer[r * size + c] = (bfloat16)(sum > 0.0f ? sum : 0.0f);
            }
        return;
    }
    // Four rows at a time, as their even and their odd columns, eight of each, and as often a column's taps; the four
    // rows of products are added in the end. Taps 2 and 3 are taps 0 and 1, one place on.
    aie::vector<bfloat16, 32> taps[4];
    AIE_LOOP_UNROLL_FULL
    for (unsigned l = 0; l < 4; ++l)
        taps[l] = aie::concat(aie::broadcast<bfloat16, 8>(kernel[l]), aie::broadcast<bfloat16, 8>(kernel[4 + l]),
                              aie::broadcast<bfloat16, 8>(kernel[8 + l]), aie::broadcast<bfloat16, 8>(kernel[12 + l]));
    for (unsigned r = 0; r < 7; ++r) {
        const auto x = in_buffer + 32 * r;
        const auto [even, odd] = aie::interleave_unzip(aie::load_v<32>(x), aie::load_v<32>(x + 32), 1);
        auto products = aie::mac(aie::mul(even, taps[0]), odd, taps[1]);
        products = aie::mac(products, aie::shuffle_down(even, 1), taps[2]);
        products = aie::mac(products, aie::shuffle_down(odd, 1), taps[3]);
        const auto pairs = aie::add(products.extract<16>(0), products.extract<16>(1));
        const auto sum = aie::add(pairs, aie::shuffle_down(pairs.to_vector<float>(), 8));
        const auto row = aie::max(aie::add(sum, (float)bias).to_vector<bfloat16>(), bfloat16(0.0f));
        AIE_LOOP_UNROLL_FULL
        for (unsigned c = 0; c < 7; ++c)
            out_buffer[7 * r + c] = row.get(c);
    }
}
