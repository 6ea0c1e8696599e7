// Gemm, which older chips had. Declared with its signatures; whoever reaches it ends as unsupported.
#pragma once

#include "kernel_struct_conv2d.h"
#include "kernel_tensor.h"

namespace AscendC {

template <typename T>
KB_API GemmTiling GetGemmTiling(uint32_t, uint32_t, uint32_t) {
    kbrt_cube("GetGemmTiling");
}

template <typename T, typename U, typename S>
KB_API void Gemm(const LocalTensor<T>&, const LocalTensor<U>&, const LocalTensor<S>&, const uint32_t, const uint32_t,
                 const uint32_t, GemmTiling, bool = true, int32_t = 0) {
    kbrt_cube("Gemm");
}

}  // namespace AscendC
