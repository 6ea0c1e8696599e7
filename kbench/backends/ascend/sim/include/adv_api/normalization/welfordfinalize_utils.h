// Options and shape of WelfordFinalize.
#pragma once

#include <stdint.h>

#include "kb_view.h"

namespace AscendC {

struct WelfordFinalizeConfig {
    KB_API constexpr WelfordFinalizeConfig(const bool isCorrectionIn) : isCorrection(isCorrectionIn) {}
    bool isCorrection = false;
};

inline constexpr WelfordFinalizeConfig WFFINALIZE_DEFAULT_CFG = {false};

struct WelfordFinalizePara {
    uint32_t rnLength;
    uint32_t abLength;
    uint32_t headCount;
    uint32_t headCountLength;
    uint32_t tailCount;
    uint32_t tailCountLength;
    float abRec;
    float rRec;
};

}  // namespace AscendC
