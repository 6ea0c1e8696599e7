// Atomic mode of the copies to global memory.
#pragma once

#include "kernel_utils.h"

extern "C" {
// `op`: 0 none, 1 add, 2 max, 3 min, 4 keep the operation and change the type.
void kbrt_set_atomic(uint8_t op, kb::Dtype dtype);
}

namespace AscendC {

template <typename T>
KB_API void SetAtomicAdd() {
    kbrt_set_atomic(1, kb::dtype_of<T>());
}

template <typename T>
KB_API void SetAtomicMax() {
    kbrt_set_atomic(2, kb::dtype_of<T>());
}

template <typename T>
KB_API void SetAtomicMin() {
    kbrt_set_atomic(3, kb::dtype_of<T>());
}

template <typename T>
KB_API void SetAtomicType() {
    kbrt_set_atomic(4, kb::dtype_of<T>());
}

KB_API void SetAtomicNone() {
    kbrt_set_atomic(0, kb::Dtype::none);
}

KB_API void DisableDmaAtomic() {
    kbrt_set_atomic(0, kb::Dtype::none);
}

}  // namespace AscendC
