// Per-lane scale, offset and sign of the vector form of SetDeqScale.
#pragma once

#include "kernel_types.h"

namespace AscendC {

inline constexpr int32_t VDEQ_TENSOR_SIZE = 16;

struct VdeqInfo {
    VdeqInfo() = default;
    KB_API VdeqInfo(const float (&scale)[VDEQ_TENSOR_SIZE], const int16_t (&offset)[VDEQ_TENSOR_SIZE],
                    const bool (&sign)[VDEQ_TENSOR_SIZE]) {
        for (int32_t i = 0; i < VDEQ_TENSOR_SIZE; ++i) {
            vdeqScale[i] = scale[i];
            vdeqOffset[i] = offset[i];
            vdeqSignMode[i] = sign[i];
        }
    }

    float vdeqScale[VDEQ_TENSOR_SIZE] = {};
    int16_t vdeqOffset[VDEQ_TENSOR_SIZE] = {};
    bool vdeqSignMode[VDEQ_TENSOR_SIZE] = {};
};

}  // namespace AscendC
