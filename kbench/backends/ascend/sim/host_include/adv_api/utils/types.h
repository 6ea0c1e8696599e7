#pragma once

#include "graph/tensor.h"
#include "graph/types.h"

namespace AscendC {

using TensorShape = ge::Shape;
using TensorDataType = ge::DataType;

}  // namespace AscendC
