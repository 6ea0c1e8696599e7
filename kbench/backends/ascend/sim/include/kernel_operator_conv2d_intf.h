// Conv2D, which older chips had. Declared with its signatures; whoever reaches it ends as unsupported.
#pragma once

#include "kernel_struct_conv2d.h"
#include "kernel_tensor.h"

namespace AscendC {

template <typename T>
KB_API Conv2dTilling GetConv2dTiling(Conv2dParams&) {
    kbrt_cube("GetConv2dTiling");
}

template <typename T, typename U>
KB_API void Conv2D(const LocalTensor<T>&, const LocalTensor<U>&, const LocalTensor<U>&, Conv2dParams&, Conv2dTilling&) {
    kbrt_cube("Conv2D");
}

template <typename T, typename U>
KB_API void Conv2D(const LocalTensor<T>&, const LocalTensor<T>&, const LocalTensor<U>&, const LocalTensor<U>&,
                   Conv2dParams&, Conv2dTilling&) {
    kbrt_cube("Conv2D");
}

}  // namespace AscendC
