#include <aie_api/aie.hpp>
#include "aie_kernel_utils.h"

void conv2d_bfloat16(bfloat16 *__restrict input_matrix, bfloat16 *__restrict kernel,
                     bfloat16 *__restrict output_matrix, uint32_t stride) {
    if (stride != 1) {
        const unsigned size = (16 - 2) / stride + 1;
        for (unsigned r = 0; r < size; ++r)
            for (unsigned c = 0; c < size; ++c) {
                float sum = 0.0f;
                for (unsigned k = 0; k < 2; ++k)
                    for (unsigned l = 0; l < 2; ++l)
                        sum += (float)input_matrix[(r * stride + k) * 16 + c * stride + l] * (float)kernel[2 * k + l];
                output_matrix[r * size + c] = (bfloat16)sum;
            }
        return;
    }
    // Rows of 16 are computed whole, two at a time; their last element means nothing: the next row is written over it.
    const bfloat16 k00 = kernel[0], k01 = kernel[1], k10 = kernel[2], k11 = kernel[3];
    auto upper = aie::load_v<16>(input_matrix);
    bfloat16 last = 0.0f;
    AIE_LOOP_UNROLL(4)
    for (unsigned r = 0; r < 14; r += 2) {
        const auto next = input_matrix + 16 * r + 16;
        const auto middle = aie::load_v<16>(next), lower = aie::load_v<16>(next + 16);
        const auto x = aie::concat(upper, middle), below = aie::concat(middle, lower);
        auto sum = aie::mac(aie::mul(x, k00), aie::shuffle_down(x, 1), k01);
        sum = aie::mac(aie::mac(sum, below, k10), aie::shuffle_down(below, 1), k11);
        const auto rows = sum.to_vector<bfloat16>();
        aie::store_unaligned_v(output_matrix + 15 * r, rows.extract<16>(0));
        aie::store_unaligned_v(output_matrix + 15 * r + 15, rows.extract<16>(1));
        upper = lower;
        last = rows.get(30);
    }
    // The last row ends with the buffer: it is written with the value before it in front.
    const auto x = aie::concat(upper, upper), below = aie::concat(aie::load_v<16>(input_matrix + 240), upper);
    auto sum = aie::mac(aie::mul(x, k00), aie::shuffle_down(x, 1), k01);
    sum = aie::mac(aie::mac(sum, below, k10), aie::shuffle_down(below, 1), k11);
    auto end = aie::shuffle_up(sum.to_vector<bfloat16>().extract<16>(0), 1);
    end.set(last, 0);
    aie::store_unaligned_v(output_matrix + 209, end);
}
