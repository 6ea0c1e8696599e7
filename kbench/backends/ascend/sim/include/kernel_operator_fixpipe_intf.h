// The way out of L0C. Declared with its signatures, so that a kernel which only mentions it compiles; whoever reaches it ends
// as unsupported.
#pragma once

#include "kernel_struct_fixpipe.h"
#include "kernel_tensor.h"

namespace AscendC {

#define KB_FIXPIPE(Tensor)                                                                                      \
    template <typename T, typename U, const FixpipeConfig& config = CFG_ROW_MAJOR>                              \
    KB_API void Fixpipe(const Tensor<T>&, const LocalTensor<U>&, const FixpipeParamsV220&) {                    \
        kbrt_cube("Fixpipe");                                                                            \
    }                                                                                                           \
    template <typename T, typename U, const FixpipeConfig& config = CFG_ROW_MAJOR, typename S = uint64_t,       \
              std::enable_if_t<std::is_same_v<PrimT<S>, uint64_t>, bool> = true>                                \
    KB_API void Fixpipe(const Tensor<T>&, const LocalTensor<U>&, const LocalTensor<S>&, const FixpipeParamsV220&) { \
        kbrt_cube("Fixpipe");                                                                            \
    }                                                                                                           \
    template <typename T, typename U>                                                                           \
    KB_API void DataCopy(const Tensor<T>&, const LocalTensor<U>&, const DataCopyCO12DstParams&) {               \
        kbrt_cube("DataCopy from L0C");                                                                  \
    }

KB_FIXPIPE(LocalTensor)
KB_FIXPIPE(GlobalTensor)

#undef KB_FIXPIPE

template <typename T>
KB_API void SetFixPipeConfig(const LocalTensor<T>&, const LocalTensor<T>&, bool = false) {
    kbrt_cube("SetFixPipeConfig");
}

template <typename T, bool setRelu = false>
KB_API void SetFixPipeConfig(const LocalTensor<T>&, bool = false) {
    kbrt_cube("SetFixPipeConfig");
}

KB_API void SetFixpipeNz2ndFlag(uint16_t, uint16_t, uint16_t) {
    kbrt_cube("SetFixpipeNz2ndFlag");
}

KB_API void SetFixpipePreQuantFlag(uint64_t) {
    kbrt_cube("SetFixpipePreQuantFlag");
}

}  // namespace AscendC
