// The temporary buffer of the forms that leave it to the framework.
#pragma once

#include "kb_rows.h"
#include "kernel_tensor.h"

namespace kb {

// An empty tensor: the runtime takes what InitBuffer left of UB.
KB_API AscendC::LocalTensor<uint8_t> rest_of_ub() {
    return {};
}

}  // namespace kb
