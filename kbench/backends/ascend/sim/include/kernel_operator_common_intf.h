// Filling global memory, and the state of a core.
#pragma once

#include "kernel_tensor.h"

extern "C" {
void kbrt_fill_gm(void* destination, uint64_t elements, uint64_t bits, uint32_t element);
void kbrt_init_soc_state();
}

namespace AscendC {

// Fills `size` elements of global memory.
template <typename T>
KB_API void Fill(GlobalTensor<T> gmWorkspaceAddr, const uint64_t size, const T value) {
    uint64_t bits = 0;
    __builtin_memcpy(&bits, &value, sizeof(T));
    kbrt_fill_gm(gmWorkspaceAddr.raw(), size, bits, sizeof(T));
}

template <typename T>
KB_API void InitGlobalMemory(GlobalTensor<T>& gmWorkspaceAddr, const uint64_t size, const T value) {
    Fill(gmWorkspaceAddr, size, value);
}

template <typename T>
KB_API void InitOutput(GlobalTensor<T> gmWorkspaceAddr, uint32_t size, T value = T(0)) {
    Fill(gmWorkspaceAddr, size, value);
}

KB_API void InitSocState() {
    kbrt_init_soc_state();
}

}  // namespace AscendC
