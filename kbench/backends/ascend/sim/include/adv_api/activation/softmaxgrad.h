// SoftmaxGrad: dst = (grad - sum(grad * src)) * src over each row; SoftmaxGradFront: the sum alone, as a block of 32 bytes.
#pragma once

#include "kb_softmax.h"

namespace kb {

template <class T>
KB_API void softmax_grad(RowOp op, const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<T>& grad,
                         const AscendC::LocalTensor<T>& src, const AscendC::LocalTensor<uint8_t>& tmp,
                         const SoftMaxTiling& tiling, const AscendC::SoftMaxShapeInfo& shape, bool basic, bool nz) {
    SoftmaxCall call = softmax_call(op, dst, src, tmp);
    call = with_tiling(with_shape<AscendC::SOFTMAX_DEFAULT_CFG>(call, src, shape), tiling);
    call.basic = basic;
    call.nz = nz;
    call.grad = grad.view();
    kbrt_softmax(call);
}

}  // namespace kb

namespace AscendC {

template <typename T, bool isReuseSource = false, bool isDataFormatNZ = false>
KB_API void SoftmaxGrad(const LocalTensor<T>& dstTensor, const LocalTensor<T>& gradTensor, const LocalTensor<T>& srcTensor,
                        const LocalTensor<uint8_t>& sharedTmpBuffer, const SoftMaxTiling& tiling, bool isFront = false,
                        const SoftMaxShapeInfo& softmaxShapeInfo = {}) {
    kb::softmax_grad(isFront ? kb::RowOp::SoftmaxGradFront : kb::RowOp::SoftmaxGrad, dstTensor, gradTensor, srcTensor,
                     sharedTmpBuffer, tiling, softmaxShapeInfo, false, isDataFormatNZ);
}

template <typename T, bool isReuseSource = false, bool isDataFormatNZ = false>
KB_API void SoftmaxGrad(const LocalTensor<T>& dstTensor, const LocalTensor<T>& gradTensor, const LocalTensor<T>& srcTensor,
                        const SoftMaxTiling& tiling, bool isFront = false, const SoftMaxShapeInfo& softmaxShapeInfo = {}) {
    SoftmaxGrad<T, isReuseSource, isDataFormatNZ>(dstTensor, gradTensor, srcTensor, kb::rest_of_ub(), tiling, isFront,
                                                  softmaxShapeInfo);
}

template <typename T, bool isBasicBlock = false, bool isDataFormatNZ = false>
KB_API void SoftmaxGradFront(const LocalTensor<T>& dstTensor, const LocalTensor<T>& gradTensor, const LocalTensor<T>& srcTensor,
                             const LocalTensor<uint8_t>& sharedTmpBuffer, const SoftMaxTiling& tiling,
                             const SoftMaxShapeInfo& softmaxShapeInfo = {}) {
    kb::softmax_grad(kb::RowOp::SoftmaxGradFront, dstTensor, gradTensor, srcTensor, sharedTmpBuffer, tiling, softmaxShapeInfo,
                     isBasicBlock, isDataFormatNZ);
}

template <typename T, bool isBasicBlock = false, bool isDataFormatNZ = false>
KB_API void SoftmaxGradFront(const LocalTensor<T>& dstTensor, const LocalTensor<T>& gradTensor, const LocalTensor<T>& srcTensor,
                             const SoftMaxTiling& tiling, const SoftMaxShapeInfo& softmaxShapeInfo = {}) {
    SoftmaxGradFront<T, isBasicBlock, isDataFormatNZ>(dstTensor, gradTensor, srcTensor, kb::rest_of_ub(), tiling,
                                                      softmaxShapeInfo);
}

}  // namespace AscendC
