#include <aie_api/aie.hpp>

void hingeloss_bfloat16(bfloat16 *pred, bfloat16 *label, bfloat16 *out) {
    for (unsigned i = 0; i < 256; ++i) {
        const float loss = 1.0f - (float)label[i] * (float)pred[i];
        out[i] = (bfloat16)(loss > 0.0f ? loss : 0.0f);
    }
}
