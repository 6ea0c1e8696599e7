// How the headers of the normalisations fill in their calls.
#pragma once

#include "kb_row_operands.h"
#include "kernel_tensor.h"
#include "kernel_tiling/kernel_tiling.h"

namespace kb {

// What every normalisation of T has.
template <class T>
KB_API NormCall norm_call(RowOp op, const AscendC::LocalTensor<T>& out, const AscendC::LocalTensor<T>& x,
                          const AscendC::LocalTensor<uint8_t>& tmp, float epsilon) {
    static_assert(AscendC::SupportType<T, half, float>(), "a normalisation: expected half or float");
    NormCall call{};
    call.op = op;
    call.out = out.view();
    call.x = x.view();
    call.tmp = tmp.view();
    call.epsilon = epsilon;
    return call;
}

// Tiling data over [B, S, H]; float sources that may be destroyed save a buffer.
template <class T, class Tiling>
KB_API NormCall with_bsh(NormCall call, const Tiling& tiling, bool reuse) {
    const bool two_buffers = reuse && sizeof(T) == 4;
    call.reuse = reuse;
    call.rows = tiling.bLength * tiling.sLength;
    call.h = tiling.hLength;
    call.valid = tiling.originalHLength;
    call.factor = tiling.lastDimValueBack;
    call.used = (two_buffers ? tiling.secondTmpStartPos : tiling.thirdTmpStartPos) + tiling.oneTmpSize;
    call.needed = row_size::layer_norm(call.rows, call.h, two_buffers);
    return call;
}

template <class T>
KB_API NormCall with_affine(NormCall call, const AscendC::LocalTensor<T>& gamma, const AscendC::LocalTensor<T>& beta) {
    call.gamma = gamma.view();
    call.beta = beta.view();
    return call;
}

// U: gamma and beta, at least as precise as T.
template <class U, class T>
KB_API constexpr bool affine_types() {
    return AscendC::SupportType<T, half, float>() && (AscendC::SupportType<U, float>() || AscendC::SupportType<U, T>());
}

}  // namespace kb
