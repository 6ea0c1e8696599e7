#include <aie_api/aie.hpp>

void compare_equal_bfloat16(bfloat16 *input_a, bfloat16 *input_b, uint8_t *output_mask) {
    for (unsigned i = 0; i < 256; ++i)
        output_mask[i] = (float)input_a[i] == (float)input_b[i];
}
