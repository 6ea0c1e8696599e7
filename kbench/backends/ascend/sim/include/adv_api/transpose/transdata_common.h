// What TransData changes between: formats, and the layouts of both operands.
#pragma once

#include "kernel_operator_layout.h"
#include "kernel_utils.h"

namespace AscendC {

template <typename T, typename U>
struct TransDataParams {
    T srcLayout;
    U dstLayout;
};

#ifndef ASCC_PARAM_TRANSDATACONFIG
#define ASCC_PARAM_TRANSDATACONFIG
struct TransDataConfig {
    DataFormat srcFormat;
    DataFormat dstFormat;
};
#endif

}  // namespace AscendC
