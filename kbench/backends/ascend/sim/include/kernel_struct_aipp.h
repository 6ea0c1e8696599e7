// Parameters of the image loads of the cube side. Only declared: nothing of it runs.
#pragma once

#include "kernel_utils.h"

namespace AscendC {

enum class AippInputFormat : uint8_t { YUV420SP_U8 = 0, XRGB8888_U8 = 1, RGB888_U8 = 4, YUV400_U8 = 9 };

template <typename T>
struct AippPaddingParams {
    uint32_t paddingMode = 0;
    T paddingValueCh0 = 0;
    T paddingValueCh1 = 0;
    T paddingValueCh2 = 0;
    T paddingValueCh3 = 0;
};

struct AippSwapParams {
    bool isSwapRB = false;
    bool isSwapUV = false;
    bool isSwapAX = false;
};

struct AippSingleLineParams {
    bool isSingleLineCopy = false;
};

struct AippDataTypeConvParams {
    uint8_t dtcMeanCh0 = 0;
    uint8_t dtcMeanCh1 = 0;
    uint8_t dtcMeanCh2 = 0;
    half dtcMinCh0 = 0;
    half dtcMinCh1 = 0;
    half dtcMinCh2 = 0;
    half dtcVarCh0 = 1.0;
    half dtcVarCh1 = 1.0;
    half dtcVarCh2 = 1.0;
    uint32_t dtcRoundMode = 0;
};

template <typename T>
struct AippChannelPaddingParams {
    uint32_t cPaddingMode = 0;
    T cPaddingValue = {};
};

struct AippColorSpaceConvParams {
    bool isEnableCsc = false;
    int16_t cscMatrixR0C0 = 0;
    int16_t cscMatrixR0C1 = 0;
    int16_t cscMatrixR0C2 = 0;
    int16_t cscMatrixR1C0 = 0;
    int16_t cscMatrixR1C1 = 0;
    int16_t cscMatrixR1C2 = 0;
    int16_t cscMatrixR2C0 = 0;
    int16_t cscMatrixR2C1 = 0;
    int16_t cscMatrixR2C2 = 0;
    uint8_t cscBiasIn0 = 0;
    uint8_t cscBiasIn1 = 0;
    uint8_t cscBiasIn2 = 0;
    uint8_t cscBiasOut0 = 0;
    uint8_t cscBiasOut1 = 0;
    uint8_t cscBiasOut2 = 0;
};

template <typename T>
struct AippParams {
    AippPaddingParams<T> paddingParams = {};
    AippSwapParams swapParams = {};
    AippSingleLineParams singleLineParams = {};
    AippDataTypeConvParams dtcParams = {};
    AippChannelPaddingParams<T> cPaddingParams = {};
    AippColorSpaceConvParams cscParams = {};
};

}  // namespace AscendC
