#include <aie_api/aie.hpp>

void maxpool1d_uint8(uint8_t *in_buffer, uint8_t *out_buffer, uint32_t window_size, uint32_t stride) {
    for (unsigned i = 0; i < (1024 - window_size) / stride + 1; ++i) {
        uint8_t largest = in_buffer[i * stride];
        for (unsigned j = 1; j < window_size; ++j)
            largest = in_buffer[i * stride + j] > largest ? in_buffer[i * stride + j] : largest;
        out_buffer[i] = largest;
    }
}
