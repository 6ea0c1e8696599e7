#include <aie_api/aie.hpp>

void cumsum_int16(int16_t *in_buffer, int16_t *out_buffer) {
    // The sum itself does not saturate: it comes back from beyond the range.
    int32_t sum = 0;
    for (unsigned i = 0; i < 256; ++i) {
        sum += in_buffer[i];
        out_buffer[i] = sum > 32767 ? 32767 : sum < -32768 ? -32768 : sum;
    }
}
