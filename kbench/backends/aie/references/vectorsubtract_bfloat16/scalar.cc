#include <aie_api/aie.hpp>

void vectorsubtract_bfloat16(bfloat16 *input_a, bfloat16 *input_b, bfloat16 *output) {
    for (unsigned i = 0; i < 256; ++i)
        output[i] = (bfloat16)((float)input_a[i] - (float)input_b[i]);
}
