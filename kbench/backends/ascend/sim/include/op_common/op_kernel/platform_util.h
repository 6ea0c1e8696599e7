// Sizes of the vector unit in bytes, for kernels of the operator library.
#pragma once

#include "kernel_types.h"

namespace Ops::Base {

KB_API constexpr uint32_t GetUbBlockSize() {
    return 32;
}

KB_API constexpr uint32_t GetVRegSize() {
    return 256;
}

}  // namespace Ops::Base
