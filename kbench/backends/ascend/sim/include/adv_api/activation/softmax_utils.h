// Shapes and options of the softmax family.
#pragma once

#include <stdint.h>

#include "kb_view.h"

namespace AscendC {

enum class SoftmaxMode {
    SOFTMAX_NORMAL = 0,
    SOFTMAX_OUTPUT_WITHOUT_BRC = 1,  // one value a row instead of a block of 32 bytes
};

// isCheckTiling: tiling data of another shape is made anew. oriSrcM, oriSrcK: the shape as constants, where both are given.
struct SoftmaxConfig {
    KB_API constexpr SoftmaxConfig(bool isCheckTilingIn) : isCheckTiling(isCheckTilingIn) {}
    KB_API constexpr SoftmaxConfig(bool isCheckTilingIn, uint32_t oriSrcMIn, uint32_t oriSrcKIn)
        : isCheckTiling(isCheckTilingIn), oriSrcM(oriSrcMIn), oriSrcK(oriSrcKIn) {}
    KB_API constexpr SoftmaxConfig(bool isCheckTilingIn, uint32_t oriSrcMIn, uint32_t oriSrcKIn, SoftmaxMode modeIn)
        : isCheckTiling(isCheckTilingIn), oriSrcM(oriSrcMIn), oriSrcK(oriSrcKIn), mode(modeIn) {}

    bool isCheckTiling = true;
    uint32_t oriSrcM = 0;
    uint32_t oriSrcK = 0;
    SoftmaxMode mode = SoftmaxMode::SOFTMAX_NORMAL;
};

inline constexpr SoftmaxConfig SOFTMAX_DEFAULT_CFG = {true, 0, 0, SoftmaxMode::SOFTMAX_NORMAL};

struct SoftMaxParams {
    uint32_t srcM{0};
    uint32_t srcK{0};
    uint32_t oriSrcM{0};
    uint32_t oriSrcK{0};
    uint32_t loopCnt{1};
    uint32_t splitMeanCnt{8};
    float alpha{0.9375};
};

// Rows and columns of src, as they lie in UB and as they were before padding. All zero: what SetShapeInfo said of src.
struct SoftMaxShapeInfo {
    uint32_t srcM{0};
    uint32_t srcK{0};
    uint32_t oriSrcM{0};
    uint32_t oriSrcK{0};
};

}  // namespace AscendC
