// Parameters and tilings of Conv2D and Gemm. Only declared: nothing of it runs.
#pragma once

#include "kernel_utils.h"

namespace AscendC {

inline constexpr int32_t CONV2D_IMG_SIZE = 2;
inline constexpr int32_t CONV2D_KERNEL_SIZE = 2;
inline constexpr int32_t CONV2D_STRIDE = 2;
inline constexpr int32_t CONV2D_PAD = 4;
inline constexpr int32_t CONV2D_DILATION = 2;

enum class LoopMode : uint8_t { MODE_NM = 0, MODE_MN = 1, MODE_KM = 2, MODE_KN = 3 };

struct Conv2dTilling {
    const uint32_t blockSize = 16;
    LoopMode loopMode = LoopMode::MODE_NM;
    uint32_t c0Size = 32;
    uint32_t dTypeSize = 1;
    uint32_t strideH = 0;
    uint32_t strideW = 0;
    uint32_t dilationH = 0;
    uint32_t dilationW = 0;
    uint32_t hi = 0;
    uint32_t wi = 0;
    uint32_t ho = 0;
    uint32_t wo = 0;
    uint32_t height = 0;
    uint32_t width = 0;
    uint32_t howo = 0;
    uint32_t mNum = 0;
    uint32_t nNum = 0;
    uint32_t kNum = 0;
    uint32_t mBlockNum = 0;
    uint32_t kBlockNum = 0;
    uint32_t nBlockNum = 0;
    uint32_t roundM = 0;
    uint32_t roundN = 0;
    uint32_t roundK = 0;
    uint32_t mTileBlock = 0;
    uint32_t nTileBlock = 0;
    uint32_t kTileBlock = 0;
    uint32_t mIterNum = 0;
    uint32_t nIterNum = 0;
    uint32_t kIterNum = 0;
    uint32_t mTileNums = 0;
    bool mHasTail = false;
    bool nHasTail = false;
    bool kHasTail = false;
    uint32_t kTailBlock = 0;
    uint32_t mTailBlock = 0;
    uint32_t nTailBlock = 0;
    uint32_t mTailNums = 0;
};

struct Conv2dParams {
    constexpr Conv2dParams() = default;
    constexpr Conv2dParams(const uint32_t imgShape_[CONV2D_IMG_SIZE], const uint32_t kernelShape_[CONV2D_KERNEL_SIZE],
                           const uint32_t stride_[CONV2D_STRIDE], uint32_t cin_, uint32_t cout_,
                           const uint32_t padList_[CONV2D_PAD], const uint32_t dilation_[CONV2D_DILATION],
                           uint32_t initY_, bool partialSum_)
        : cin(cin_), cout(cout_), initY(initY_), partialSum(partialSum_) {
        for (int i = 0; i < CONV2D_IMG_SIZE; ++i) {
            imgShape[i] = imgShape_[i];
        }
        for (int i = 0; i < CONV2D_KERNEL_SIZE; ++i) {
            kernelShape[i] = kernelShape_[i];
        }
        for (int i = 0; i < CONV2D_STRIDE; ++i) {
            stride[i] = stride_[i];
        }
        for (int i = 0; i < CONV2D_PAD; ++i) {
            padList[i] = padList_[i];
        }
        for (int i = 0; i < CONV2D_DILATION; ++i) {
            dilation[i] = dilation_[i];
        }
    }

    uint32_t imgShape[CONV2D_IMG_SIZE] = {0};
    uint32_t kernelShape[CONV2D_KERNEL_SIZE] = {0};
    uint32_t stride[CONV2D_STRIDE] = {0};
    uint32_t cin = 0;
    uint32_t cout = 0;
    uint32_t padList[CONV2D_PAD] = {0};
    uint32_t dilation[CONV2D_DILATION] = {0};
    uint32_t initY = 0;
    bool partialSum = false;
};

struct GemmTiling {
    const uint32_t blockSize = 16;
    LoopMode loopMode = LoopMode::MODE_NM;
    uint32_t mNum = 0;
    uint32_t nNum = 0;
    uint32_t kNum = 0;
    uint32_t roundM = 0;
    uint32_t roundN = 0;
    uint32_t roundK = 0;
    uint32_t c0Size = 32;
    uint32_t dtypeSize = 1;
    uint32_t mBlockNum = 0;
    uint32_t nBlockNum = 0;
    uint32_t kBlockNum = 0;
    uint32_t mIterNum = 1;
    uint32_t nIterNum = 1;
    uint32_t kIterNum = 1;
    uint32_t mTileBlock = 0;
    uint32_t nTileBlock = 0;
    uint32_t kTileBlock = 0;
    uint32_t kTailBlock = 0;
    uint32_t mTailBlock = 0;
    uint32_t nTailBlock = 0;
    bool kHasTail = false;
    bool mHasTail = false;
    bool nHasTail = false;
    bool kHasTailEle = false;
    uint32_t kTailEle = 0;
};

}  // namespace AscendC
