// Running a function on one kind of core.
#pragma once

#include "kernel_utils.h"

namespace AscendC {

enum class EngineType : int32_t { AIC = 1, AIV = 2 };

template <int count = 1>
KB_API void Nop() {}

template <EngineType engine, auto funPtr, class... Args>
KB_API void Async(Args... args) {
    if constexpr (g_coreType == static_cast<int32_t>(engine)) {
        funPtr(args...);
    }
}

}  // namespace AscendC
