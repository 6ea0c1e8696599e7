#include <aie_api/aie.hpp>
#include "aie_kernel_utils.h"

void conv2d_int32(int32_t *__restrict input_matrix, int32_t *__restrict kernel, int32_t *__restrict output_matrix,
                  uint32_t stride) {
    if (stride != 1) {
        const unsigned size = (16 - 3) / stride + 1;
        for (unsigned r = 0; r < size; ++r)
            for (unsigned c = 0; c < size; ++c) {
                int32_t sum = 0;
                for (unsigned k = 0; k < 3; ++k)
                    for (unsigned l = 0; l < 3; ++l)
                        sum += input_matrix[(r * stride + k) * 16 + c * stride + l] * kernel[3 * k + l];
                output_matrix[r * size + c] = sum;
            }
        return;
    }
    // Rows of 16 are computed whole; the last two of them mean nothing, and the next row is written over them.
    aie::vector<int32_t, 16> row, before;
    for (unsigned r = 0; r < 14; ++r) {
        before = row;
        auto sum = aie::zeros<acc64, 16>();
        AIE_LOOP_UNROLL_FULL
        for (unsigned k = 0; k < 3; ++k) {
            const auto x = aie::load_v<16>(input_matrix + 16 * (r + k));
            sum = aie::mac(sum, x, kernel[3 * k]);
            sum = aie::mac(sum, aie::shuffle_down(x, 1), kernel[3 * k + 1]);
            sum = aie::mac(sum, aie::shuffle_down(x, 2), kernel[3 * k + 2]);
        }
        row = sum.to_vector<int32_t>();
        if (r < 13)
            aie::store_unaligned_v(output_matrix + 14 * r, row);
    }
    // The last row ends with the buffer: it is written with the two values before it in front.
    auto end = aie::shuffle_up(row, 2);
    end.set(before.get(12), 0);
    end.set(before.get(13), 1);
    aie::store_unaligned_v(output_matrix + 180, end);
}
