// How the headers of the softmax family fill in their calls.
#pragma once

#include "adv_api/activation/softmax_utils.h"
#include "kb_row_operands.h"
#include "kernel_tensor.h"
#include "kernel_tiling/kernel_tiling.h"

namespace kb {

// The shape, from the argument, from the constants of `config`, or from the tensor.
template <const AscendC::SoftmaxConfig& config, class T>
KB_API SoftmaxCall with_shape(SoftmaxCall call, const AscendC::LocalTensor<T>& src, const AscendC::SoftMaxShapeInfo& shape) {
    call.m = shape.srcM;
    call.k = shape.srcK;
    call.ori_m = shape.oriSrcM;
    call.ori_k = shape.oriSrcK;
    if (call.m == 0 || call.k == 0) {
        const AscendC::ShapeInfo info = src.GetShapeInfo();
        call.m = call.ori_m = 1;
        call.k = call.ori_k = 0;
        for (int i = 0; i < info.shapeDim; ++i) {
            (i + 1 < info.shapeDim ? call.m : call.k) = i + 1 < info.shapeDim ? call.m * info.shape[i] : info.shape[i];
        }
        for (int i = 0; i < info.originalShapeDim; ++i) {
            (i + 1 < info.originalShapeDim ? call.ori_m : call.ori_k) =
                i + 1 < info.originalShapeDim ? call.ori_m * info.originalShape[i] : info.originalShape[i];
        }
    }
    if constexpr (config.oriSrcM != 0 && config.oriSrcK != 0) {
        call.ori_k = config.oriSrcK;
    }
    return call;
}

template <class Tiling>
KB_API SoftmaxCall with_tiling(SoftmaxCall call, const Tiling& tiling) {
    call.tiling_m = tiling.srcM;
    call.tiling_k = tiling.srcK;
    call.split_m = tiling.splitM;
    call.range_m = tiling.rangeM;
    call.tail_m = tiling.tailM;
    return call;
}

template <class T>
KB_API SoftmaxCall softmax_call(RowOp op, const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<T>& src,
                                const AscendC::LocalTensor<uint8_t>& tmp) {
    static_assert(AscendC::SupportType<T, half, float>(), "softmax: expected half or float");
    SoftmaxCall call{};
    call.op = op;
    call.broadcast = true;
    call.dst = dst.view();
    call.src = src.view();
    call.tmp = tmp.view();
    return call;
}

}  // namespace kb
