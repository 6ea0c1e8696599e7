// Parameters of the cube side's loads and of its multiplication. Only declared: nothing of it runs.
#pragma once

#include "kernel_utils.h"

namespace AscendC {

inline constexpr int32_t PAD_SIZE = 4;

enum class FmatrixMode : uint8_t { FMATRIX_LEFT = 0, FMATRIX_RIGHT = 1 };
enum class HF32Mode { ENABLE, DISABLE };
enum class HF32TransMode { NEAREST_ZERO, NEAREST_EVEN };

struct IsResetLoad3dConfig {
    bool isSetFMatrix = true;
    bool isSetPadding = true;
};

inline constexpr IsResetLoad3dConfig IS_RESER_LOAD3D_DEFAULT_CONFIG{true, true};

struct LoadData2DParams {
    constexpr LoadData2DParams() = default;
    constexpr LoadData2DParams(uint16_t startIndex_, uint8_t repeatTimes_, uint16_t srcStride_, uint8_t sid_,
                               uint16_t dstGap_, bool ifTranspose_, uint8_t addrMode_)
        : startIndex(startIndex_), dstGap(dstGap_), srcStride(srcStride_), ifTranspose(ifTranspose_),
          repeatTimes(repeatTimes_), sid(sid_), addrMode(addrMode_) {}

    uint16_t startIndex = 0;
    uint16_t dstGap = 0;
    uint16_t srcStride = 0;
    bool ifTranspose = false;
    uint8_t repeatTimes = 0;
    uint8_t sid = 0;
    uint8_t addrMode = 0;
};

struct LoadData2DParamsV2 {
    constexpr LoadData2DParamsV2() = default;
    constexpr LoadData2DParamsV2(uint32_t mStartPosition_, uint32_t kStartPosition_, uint16_t mStep_, uint16_t kStep_,
                                 int32_t srcStride_, uint16_t dstStride_, bool ifTranspose_, uint8_t sid_)
        : mStartPosition(mStartPosition_), kStartPosition(kStartPosition_), mStep(mStep_), kStep(kStep_),
          srcStride(srcStride_), dstStride(dstStride_), ifTranspose(ifTranspose_), sid(sid_) {}

    uint32_t mStartPosition = 0;
    uint32_t kStartPosition = 0;
    uint16_t mStep = 0;
    uint16_t kStep = 0;
    int32_t srcStride = 0;
    uint16_t dstStride = 0;
    bool ifTranspose = false;
    uint8_t sid = 0;
};

struct LoadData2dTransposeParams {
    constexpr LoadData2dTransposeParams() = default;
    constexpr LoadData2dTransposeParams(uint16_t startIndex_, uint8_t repeatTimes_, uint16_t srcStride_,
                                        uint16_t dstGap_, uint16_t dstFracGap_, uint8_t addrMode_)
        : startIndex(startIndex_), repeatTimes(repeatTimes_), srcStride(srcStride_), dstGap(dstGap_),
          dstFracGap(dstFracGap_), addrMode(addrMode_) {}
    constexpr LoadData2dTransposeParams(uint16_t startIndex_, uint8_t repeatTimes_, uint16_t srcStride_,
                                        uint16_t dstGap_, uint16_t dstFracGap_)
        : startIndex(startIndex_), repeatTimes(repeatTimes_), srcStride(srcStride_), dstGap(dstGap_),
          dstFracGap(dstFracGap_) {}

    uint16_t startIndex = 0;
    uint8_t repeatTimes = 0;
    uint16_t srcStride = 0;
    uint16_t dstGap = 0;
    uint16_t dstFracGap = 0;
    uint8_t addrMode = 0;
};

struct LoadData2dTransposeParamsV2 {
    constexpr LoadData2dTransposeParamsV2() = default;
    constexpr LoadData2dTransposeParamsV2(uint16_t startIndex_, uint8_t repeatTimes_, uint16_t srcStride_,
                                          uint16_t dstGap_, uint16_t dstFracGap_, uint16_t srcFracGap_)
        : startIndex(startIndex_), repeatTimes(repeatTimes_), srcStride(srcStride_), dstGap(dstGap_),
          dstFracGap(dstFracGap_), srcFracGap(srcFracGap_) {}
    constexpr LoadData2dTransposeParamsV2(uint16_t startIndex_, uint8_t repeatTimes_, uint16_t srcStride_,
                                          uint16_t dstGap_, uint16_t dstFracGap_, uint16_t srcFracGap_,
                                          uint8_t addrMode_)
        : startIndex(startIndex_), repeatTimes(repeatTimes_), srcStride(srcStride_), dstGap(dstGap_),
          dstFracGap(dstFracGap_), srcFracGap(srcFracGap_), addrMode(addrMode_) {}

    uint16_t startIndex = 0;
    uint8_t repeatTimes = 0;
    uint16_t srcStride = 0;
    uint16_t dstGap = 0;
    uint16_t dstFracGap = 0;
    uint16_t srcFracGap = 0;
    uint8_t addrMode = 0;
};

template <typename T>
struct LoadData3DParamsV1 {
    constexpr LoadData3DParamsV1() = default;
    constexpr LoadData3DParamsV1(const uint8_t padList_[PAD_SIZE], uint16_t l1H_, uint16_t l1W_, uint16_t c1Index_,
                                 uint8_t fetchFilterW_, uint8_t fetchFilterH_, int16_t leftTopW_, int16_t leftTopH_,
                                 uint8_t strideW_, uint8_t strideH_, uint8_t filterW_, uint8_t filterH_,
                                 uint8_t dilationFilterW_, uint8_t dilationFilterH_, uint8_t jumpStride_,
                                 uint8_t repeatMode_, uint8_t repeatTime_, uint8_t cSize_, T padValue_)
        : strideW(strideW_), strideH(strideH_), filterW(filterW_), filterH(filterH_), dilationFilterW(dilationFilterW_),
          dilationFilterH(dilationFilterH_), jumpStride(jumpStride_), repeatMode(repeatMode_), repeatTime(repeatTime_),
          cSize(cSize_), padValue(padValue_), fetchFilterW(fetchFilterW_), fetchFilterH(fetchFilterH_), l1H(l1H_),
          l1W(l1W_), c1Index(c1Index_), leftTopW(leftTopW_), leftTopH(leftTopH_) {
        for (int i = 0; i < PAD_SIZE; ++i) {
            padList[i] = padList_[i];
        }
    }

    uint8_t padList[PAD_SIZE] = {0};
    uint8_t strideW = 0;
    uint8_t strideH = 0;
    uint8_t filterW = 0;
    uint8_t filterH = 0;
    uint8_t dilationFilterW = 0;
    uint8_t dilationFilterH = 0;
    uint8_t jumpStride = 0;
    uint8_t repeatMode = 0;
    uint8_t repeatTime = 0;
    uint8_t cSize = 0;
    T padValue = 0;
    uint8_t fetchFilterW = 0;
    uint8_t fetchFilterH = 0;
    uint16_t l1H = 0;
    uint16_t l1W = 0;
    uint16_t c1Index = 0;
    int16_t leftTopW = 0;
    int16_t leftTopH = 0;
};

template <typename T>
struct LoadData3DParamsV2 {
    constexpr LoadData3DParamsV2() = default;
    constexpr LoadData3DParamsV2(const uint8_t padList_[PAD_SIZE], uint16_t l1H_, uint16_t l1W_,
                                 uint16_t channelSize_, uint16_t kExtension_, uint16_t mExtension_,
                                 uint16_t kStartPt_, uint16_t mStartPt_, uint8_t strideW_, uint8_t strideH_,
                                 uint8_t filterW_, uint8_t filterH_, uint8_t dilationFilterW_,
                                 uint8_t dilationFilterH_, bool enTranspose_, bool enSmallK_, T padValue_)
        : l1H(l1H_), l1W(l1W_), channelSize(channelSize_), kExtension(kExtension_), mExtension(mExtension_),
          kStartPt(kStartPt_), mStartPt(mStartPt_), strideW(strideW_), strideH(strideH_), filterW(filterW_),
          filterH(filterH_), dilationFilterW(dilationFilterW_), dilationFilterH(dilationFilterH_),
          enTranspose(enTranspose_), enSmallK(enSmallK_), padValue(padValue_) {
        for (int i = 0; i < PAD_SIZE; ++i) {
            padList[i] = padList_[i];
        }
    }
    constexpr LoadData3DParamsV2(const uint8_t padList_[PAD_SIZE], uint16_t l1H_, uint16_t l1W_,
                                 uint16_t channelSize_, uint16_t kExtension_, uint16_t mExtension_,
                                 uint16_t kStartPt_, uint16_t mStartPt_, uint8_t strideW_, uint8_t strideH_,
                                 uint8_t filterW_, uint8_t filterH_, uint8_t dilationFilterW_,
                                 uint8_t dilationFilterH_, bool enTranspose_, bool enSmallK_, T padValue_,
                                 bool filterSizeW_, bool filterSizeH_, bool fMatrixCtrl_)
        : l1H(l1H_), l1W(l1W_), channelSize(channelSize_), kExtension(kExtension_), mExtension(mExtension_),
          kStartPt(kStartPt_), mStartPt(mStartPt_), strideW(strideW_), strideH(strideH_), filterW(filterW_),
          filterH(filterH_), dilationFilterW(dilationFilterW_), dilationFilterH(dilationFilterH_),
          enTranspose(enTranspose_), enSmallK(enSmallK_), padValue(padValue_), filterSizeW(filterSizeW_),
          filterSizeH(filterSizeH_), fMatrixCtrl(fMatrixCtrl_) {
        for (int i = 0; i < PAD_SIZE; ++i) {
            padList[i] = padList_[i];
        }
    }

    uint8_t padList[PAD_SIZE] = {0};
    uint16_t l1H = 0;
    uint16_t l1W = 0;
    uint16_t channelSize = 0;
    uint16_t kExtension = 0;
    uint16_t mExtension = 0;
    uint16_t kStartPt = 0;
    uint16_t mStartPt = 0;
    uint8_t strideW = 1;
    uint8_t strideH = 1;
    uint8_t filterW = 1;
    uint8_t filterH = 1;
    uint8_t dilationFilterW = 1;
    uint8_t dilationFilterH = 1;
    bool enTranspose = false;
    bool enSmallK = false;
    T padValue = 0;
    bool filterSizeW = false;
    bool filterSizeH = false;
    bool fMatrixCtrl = false;
};

struct LoadData3DParamsV2Pro {
    constexpr LoadData3DParamsV2Pro() = default;
    constexpr LoadData3DParamsV2Pro(uint16_t channelSize_, bool enTranspose_, bool enSmallK_, bool filterSizeW_,
                                    bool filterSizeH_, bool fMatrixCtrl_, uint64_t extConfig_, uint64_t filterConfig_)
        : channelSize(channelSize_), enTranspose(enTranspose_), enSmallK(enSmallK_), filterSizeW(filterSizeW_),
          filterSizeH(filterSizeH_), fMatrixCtrl(fMatrixCtrl_), extConfig(extConfig_), filterConfig(filterConfig_) {}

    uint16_t channelSize = 0;
    bool enTranspose = false;
    bool enSmallK = false;
    bool filterSizeW = false;
    bool filterSizeH = false;
    bool fMatrixCtrl = false;
    uint64_t extConfig = 0;
    uint64_t filterConfig = 0X10101010101;
};

struct MmadParams {
    constexpr MmadParams() = default;
    constexpr MmadParams(uint16_t m_, uint16_t n_, uint16_t k_, bool isBias_, int32_t fmOffset_, bool enSsparse_,
                         bool enWinogradA_, bool enWinogradB_)
        : m(m_), n(n_), k(k_), isBias(isBias_), fmOffset(fmOffset_), enSsparse(enSsparse_), enWinogradA(enWinogradA_),
          enWinogradB(enWinogradB_) {}
    constexpr MmadParams(uint16_t m_, uint16_t n_, uint16_t k_, uint8_t unitFlag_, bool cmatrixSource_,
                         bool cmatrixInitVal_)
        : m(m_), n(n_), k(k_), unitFlag(unitFlag_), cmatrixSource(cmatrixSource_), cmatrixInitVal(cmatrixInitVal_) {}

    uint16_t m = 0;
    uint16_t n = 0;
    uint16_t k = 0;
    bool isBias = false;
    int32_t fmOffset = 0;
    bool enSsparse = false;
    bool enWinogradA = false;
    bool enWinogradB = false;
    uint8_t unitFlag = 0;
    bool kDirectionAlign = false;
    bool cmatrixSource = false;
    bool cmatrixInitVal = true;
};

template <typename T>
struct InitConstValueParams {
    constexpr InitConstValueParams() = default;
    constexpr InitConstValueParams(uint16_t repeatTimes_, uint16_t blockNum_, uint16_t dstGap_, T initValue_)
        : repeatTimes(repeatTimes_), blockNum(blockNum_), dstGap(dstGap_), initValue(initValue_) {}
    constexpr InitConstValueParams(uint16_t repeatTimes_, T initValue_)
        : repeatTimes(repeatTimes_), initValue(initValue_) {}

    uint16_t repeatTimes = 0;
    uint16_t blockNum = 0;
    uint16_t dstGap = 0;
    T initValue = 0;
};

struct LoadDataRepeatParam {
    constexpr LoadDataRepeatParam() = default;
    constexpr LoadDataRepeatParam(uint16_t repeatStride_, uint8_t repeatTime_, uint8_t repeatMode_)
        : repeatStride(repeatStride_), repeatTime(repeatTime_), repeatMode(repeatMode_) {}

    uint16_t repeatStride = 0;
    uint8_t repeatTime = 1;
    uint8_t repeatMode = 0;
    uint8_t reserved = 0;
};

struct LoadImageToLocalParams {
    constexpr LoadImageToLocalParams() = default;
    constexpr LoadImageToLocalParams(uint16_t horizSize_, uint16_t vertSize_, uint16_t horizStartPos_,
                                     uint16_t vertStartPos_, uint16_t srcHorizSize_, uint8_t topPadSize_,
                                     uint8_t botPadSize_, uint16_t leftPadSize_, uint16_t rightPadSize_)
        : horizSize(horizSize_), vertSize(vertSize_), horizStartPos(horizStartPos_), vertStartPos(vertStartPos_),
          srcHorizSize(srcHorizSize_), topPadSize(topPadSize_), botPadSize(botPadSize_), leftPadSize(leftPadSize_),
          rightPadSize(rightPadSize_) {}

    uint16_t horizSize = 0;
    uint16_t vertSize = 0;
    uint16_t horizStartPos = 0;
    uint16_t vertStartPos = 0;
    uint16_t srcHorizSize = 0;
    uint8_t topPadSize = 0;
    uint8_t botPadSize = 0;
    uint16_t leftPadSize = 0;
    uint16_t rightPadSize = 0;
    uint8_t sid = 0;
};

using LoadData2dParams = LoadData2DParams;

}  // namespace AscendC
