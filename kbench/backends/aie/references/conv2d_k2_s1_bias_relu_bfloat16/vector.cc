#include <aie_api/aie.hpp>
#include "aie_kernel_utils.h"

void conv2d_k2_s1_bias_relu_bfloat16(bfloat16 *__restrict input, bfloat16 *__restrict kernel,
                                     bfloat16 *__restrict output, bfloat16 bias) {
    // Rows of 16 are computed whole, two at a time; their last element means nothing: the next row is written over it.
    const bfloat16 k00 = kernel[0], k01 = kernel[1], k10 = kernel[2], k11 = kernel[3];
    const aie::accum<accfloat, 32> start(aie::broadcast<bfloat16, 32>(bias));
    auto upper = aie::load_v<16>(input);
    bfloat16 last = 0.0f;
    AIE_LOOP_UNROLL(4)
    for (unsigned r = 0; r < 14; r += 2) {
        const auto next = input + 16 * r + 16;
        const auto middle = aie::load_v<16>(next), lower = aie::load_v<16>(next + 16);
        const auto x = aie::concat(upper, middle), below = aie::concat(middle, lower);
        auto sum = aie::mac(aie::mac(start, x, k00), aie::shuffle_down(x, 1), k01);
        sum = aie::mac(aie::mac(sum, below, k10), aie::shuffle_down(below, 1), k11);
        const auto rows = aie::max(sum.to_vector<bfloat16>(), bfloat16(0.0f));
        aie::store_unaligned_v(output + 15 * r, rows.extract<16>(0));
        aie::store_unaligned_v(output + 15 * r + 15, rows.extract<16>(1));
        upper = lower;
        last = rows.get(30);
    }
    // The last row ends with the buffer: it is written with the value before it in front.
    const auto x = aie::concat(upper, upper), below = aie::concat(aie::load_v<16>(input + 240), upper);
    auto sum = aie::mac(aie::mac(start, x, k00), aie::shuffle_down(x, 1), k01);
    sum = aie::mac(aie::mac(sum, below, k10), aie::shuffle_down(below, 1), k11);
    auto end = aie::shuffle_up(aie::max(sum.to_vector<bfloat16>(), bfloat16(0.0f)).extract<16>(0), 1);
    end.set(last, 0);
    aie::store_unaligned_v(output + 209, end);
}
