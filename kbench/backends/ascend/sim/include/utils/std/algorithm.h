// AscendC::Std: the smaller and the larger of two scalars, which may differ in type.
#pragma once

#include "kernel_utils.h"

namespace AscendC::Std {

template <typename T, typename U>
KB_API constexpr auto min(const T& src0, const U& src1) {
    return src0 < src1 ? src0 : src1;
}

template <typename T, typename U>
KB_API constexpr auto max(const T& src0, const U& src1) {
    return src0 > src1 ? src0 : src1;
}

}  // namespace AscendC::Std
