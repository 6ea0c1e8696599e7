// The data format of LayerNormGrad's operands: ND.
#pragma once

#include "kernel_tensor.h"

namespace AscendC {

struct LayerNormGradShapeInfo {
    DataFormat dataFormat = DataFormat::ND;
};

}  // namespace AscendC
