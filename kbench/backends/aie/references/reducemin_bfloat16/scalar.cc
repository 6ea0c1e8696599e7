#include <aie_api/aie.hpp>

void reducemin_bfloat16(bfloat16 *in_buffer, bfloat16 *out_buffer) {
    float smallest = (float)in_buffer[0];
    for (unsigned i = 1; i < 64; ++i)
        smallest = (float)in_buffer[i] < smallest ? (float)in_buffer[i] : smallest;
    *out_buffer = (bfloat16)smallest;
}
