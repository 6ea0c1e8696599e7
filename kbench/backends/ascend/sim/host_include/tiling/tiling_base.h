// The frame of tiling by classes: each class says whether it fits and, if so, does the steps in order. All inline, because
// operators that bring their own copy of this frame use the same names.
#pragma once

#include <string>

#include "kb_frame.h"

namespace optiling {

struct AiCoreParams {
    uint64_t ubSize;
    uint64_t blockDim;
    uint64_t aicNum;
    uint64_t l1Size;
    uint64_t l0aSize;
    uint64_t l0bSize;
    uint64_t l0cSize;
};

class TilingBaseClass : public kbhost::TilingFrame<AiCoreParams> {
public:
    using kbhost::TilingFrame<AiCoreParams>::TilingFrame;
};

}  // namespace optiling
