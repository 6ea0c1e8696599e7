// Filling global memory, and the state of a core.
#pragma once

#include "kernel_tensor.h"
#include "kernel_event.h"

extern "C" {
void kbrt_fill_gm(void* destination, uint64_t elements, uint64_t bits, uint32_t element);
void kbrt_init_soc_state();
uint64_t kbrt_ctrl();
void kbrt_set_ctrl(uint64_t value);
uint64_t kbrt_store_atomic();  // type in bits 0 to 2, operation in 3 and 4
void kbrt_set_store_atomic(uint64_t config);
void kbrt_set_hccl_context(uint32_t index, uint8_t* context);
uint8_t* kbrt_hccl_context(uint32_t index);
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

// ---- the control register -------------------------------------------------------------------------------------------

// CTRL[48]: 0 where half results saturate.
#define KB_CTRL_BITS static_assert(startBit == 48 && endBit == 48, "CTRL: expected startBit and endBit 48, the only bit of A2 and A3")

template <int8_t startBit, int8_t endBit>
KB_API void SetCtrlSpr(int64_t value) {
    KB_CTRL_BITS;
    kbrt_set_ctrl((kbrt_ctrl() & ~(1ull << startBit)) | static_cast<uint64_t>(value) << startBit);
}

template <int8_t startBit, int8_t endBit>
KB_API int64_t GetCtrlSpr() {
    KB_CTRL_BITS;
    return static_cast<int64_t>(kbrt_ctrl() >> startBit & 1);
}

#undef KB_CTRL_BITS

enum class SaturationMode : uint8_t { FLOAT, FLOAT8, INT, CAST };
enum class OverrideStrategy : uint8_t { USE_API = 0, USE_GLOBAL = 1 };

#define KB_SATURATION_BITS(Name)                                                               \
    static_assert(mode != SaturationMode::FLOAT8, #Name ": SaturationMode::FLOAT8 is not on this architecture")

// FLOAT: whether half results are clamped to finite values. Conversions to integers always saturate, integer arithmetic
// follows FLOAT.
template <SaturationMode mode>
KB_API void SetSaturationFlag(bool enableSat) {
    KB_SATURATION_BITS(SetSaturationFlag);
    if constexpr (mode == SaturationMode::FLOAT) {
        SetCtrlSpr<48, 48>(enableSat ? 0 : 1);
    } else if (enableSat != (mode == SaturationMode::CAST)) {
        kbrt_unsupported("SetSaturationFlag of SaturationMode::INT or CAST");
    }
}

template <SaturationMode mode>
KB_API bool GetSaturationFlag() {
    KB_SATURATION_BITS(GetSaturationFlag);
    if constexpr (mode == SaturationMode::FLOAT) {
        return GetCtrlSpr<48, 48>() == 0;
    } else {
        return mode == SaturationMode::CAST;
    }
}

#undef KB_SATURATION_BITS

// ---- atomics by number ----------------------------------------------------------------------------------------------

enum class AtomicDtype { ATOMIC_NONE = 0, ATOMIC_F32, ATOMIC_F16, ATOMIC_S16, ATOMIC_S32, ATOMIC_S8, ATOMIC_BF16 };
enum class AtomicOp { ATOMIC_SUM = 0 };

template <AtomicDtype type, AtomicOp op>
KB_API void SetStoreAtomicConfig() {
    kbrt_set_store_atomic(static_cast<uint64_t>(type) | static_cast<uint64_t>(op) << 3);
}

KB_API void GetStoreAtomicConfig(uint16_t& atomicType, uint16_t& atomicOp) {
    const uint64_t config = kbrt_store_atomic();
    atomicType = static_cast<uint16_t>(config & 7);
    atomicOp = static_cast<uint16_t>(config >> 3 & 3);
}

// ---- tasks that follow one another ----------------------------------------------------------------------------------

// Both act inside a SuperKernel only, unless they are forced to.
template <pipe_t AIV_PIPE = PIPE_MTE3, pipe_t AIC_PIPE = PIPE_FIX, bool FORCE = false>
KB_API void SetNextTaskStart() {
    if (FORCE) {
        kbrt_unsupported("SetNextTaskStart with FORCE");
    }
}

template <bool FORCE = false>
KB_API void WaitPreTaskEnd() {
    if (FORCE) {
        kbrt_unsupported("WaitPreTaskEnd with FORCE");
    }
}

// ---- message areas of communication groups --------------------------------------------------------------------------

// The framework's own for groups that the host side names; here a kernel gets what it has set.
template <uint32_t index>
KB_API void SetHcclContext(__gm__ uint8_t* context) {
    static_assert(index < 2, "index: expected 0 or 1");
    kbrt_set_hccl_context(index, context);
}
template <uint32_t index>
KB_API __gm__ uint8_t* GetHcclContext(void) {
    static_assert(index < 2, "index: expected 0 or 1");
    return kbrt_hccl_context(index);
}

// ---- traps on accesses to UB ----------------------------------------------------------------------------------------

struct CheckLocalMemoryIAParam {
    uint8_t enableBit = 0;
    uint32_t startAddr = 0;
    uint32_t endAddr = 0;
    bool isScalarRead = false;
    bool isScalarWrite = false;
    bool isVectorRead = false;
    bool isVectorWrite = false;
    bool isMteRead = false;
    bool isMteWrite = false;
    bool isEnable = false;
    uint32_t reserved = 0;
};

KB_API void CheckLocalMemoryIA(const CheckLocalMemoryIAParam& checkParams) {
    if (checkParams.isEnable) {
        kbrt_unsupported("CheckLocalMemoryIA");
    }
}

}  // namespace AscendC
