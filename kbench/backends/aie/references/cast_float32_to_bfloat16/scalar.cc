#include <aie_api/aie.hpp>

void cast_float32_to_bfloat16(float *in_buffer, bfloat16 *out_buffer) {
    for (unsigned i = 0; i < 256; ++i)
        out_buffer[i] = (bfloat16)in_buffer[i];
}
