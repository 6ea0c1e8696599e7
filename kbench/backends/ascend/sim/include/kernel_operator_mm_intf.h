// The cube side's loads, its multiplication and what configures them. Declared with their signatures, so that a kernel which
// only mentions them compiles; whoever reaches one ends as unsupported.
#pragma once

#include "kernel_struct_aipp.h"
#include "kernel_struct_mm.h"
#include "kernel_tensor.h"

namespace AscendC {

#define KB_LOAD(Name, Params)                                                     \
    template <typename T>                                                         \
    KB_API void Name(const LocalTensor<T>&, const LocalTensor<T>&, const Params&) { \
        kbrt_cube(#Name);                                                  \
    }

#define KB_LOAD_GM(Name, Params)                                                   \
    template <typename T>                                                          \
    KB_API void Name(const LocalTensor<T>&, const GlobalTensor<T>&, const Params&) { \
        kbrt_cube(#Name);                                                   \
    }

#define KB_LOAD_3D(Name, Params)                                                                            \
    template <typename T, const IsResetLoad3dConfig& defaultConfig = IS_RESER_LOAD3D_DEFAULT_CONFIG,        \
              typename U = PrimT<T>, std::enable_if_t<std::is_same_v<PrimT<T>, U>, bool> = true>            \
    KB_API void Name(const LocalTensor<T>&, const LocalTensor<T>&, const Params<U>&) {                      \
        kbrt_cube(#Name);                                                                            \
    }

KB_LOAD(LoadData, LoadData2DParams)
KB_LOAD_GM(LoadData, LoadData2DParams)
KB_LOAD(LoadData, LoadData2DParamsV2)
KB_LOAD_GM(LoadData, LoadData2DParamsV2)
KB_LOAD_3D(LoadData, LoadData3DParamsV1)
KB_LOAD_3D(LoadData, LoadData3DParamsV2)
KB_LOAD(LoadData, LoadData3DParamsV2Pro)
KB_LOAD(LoadDataWithTranspose, LoadData2dTransposeParams)
KB_LOAD(LoadDataWithTranspose, LoadData2dTransposeParamsV2)

#undef KB_LOAD
#undef KB_LOAD_GM
#undef KB_LOAD_3D

template <typename T = int8_t, typename U = uint8_t, std::enable_if_t<std::is_same_v<PrimT<T>, int8_t>, bool> = true,
          std::enable_if_t<std::is_same_v<PrimT<U>, uint8_t>, bool> = true>
KB_API void LoadDataWithSparse(const LocalTensor<T>&, const LocalTensor<T>&, const LocalTensor<U>&, const LoadData2dParams&) {
    kbrt_cube("LoadDataWithSparse");
}

template <typename T>
KB_API void LoadImageToLocal(const LocalTensor<T>&, const LoadImageToLocalParams&) {
    kbrt_cube("LoadImageToLocal");
}

template <typename T, typename U, typename S>
KB_API void Mmad(const LocalTensor<T>&, const LocalTensor<U>&, const LocalTensor<S>&, const MmadParams&) {
    kbrt_cube("Mmad");
}

template <typename T, typename U, typename S, typename V>
KB_API void Mmad(const LocalTensor<T>&, const LocalTensor<U>&, const LocalTensor<S>&, const LocalTensor<V>&,
                 const MmadParams&) {
    kbrt_cube("Mmad");
}

template <typename T = int32_t, typename U = int8_t, std::enable_if_t<std::is_same_v<PrimT<T>, int32_t>, bool> = true,
          std::enable_if_t<std::is_same_v<PrimT<U>, int8_t>, bool> = true>
KB_API void MmadWithSparse(const LocalTensor<T>&, const LocalTensor<U>&, const LocalTensor<U>&, const MmadParams&) {
    kbrt_cube("MmadWithSparse");
}

template <typename T, typename U>
KB_API void BroadCastVecToMM(const LocalTensor<T>&, const LocalTensor<U>&, const int32_t, const uint8_t, const uint8_t,
                             const uint8_t) {
    kbrt_cube("BroadCastVecToMM");
}

template <typename T, typename U = PrimT<T>, std::enable_if_t<std::is_same_v<PrimT<T>, U>, bool> = true>
KB_API void Fill(const LocalTensor<T>&, const InitConstValueParams<U>&) {
    kbrt_cube("Fill of the cube side's memory");
}

template <typename T, typename U = PrimT<T>, std::enable_if_t<std::is_same_v<PrimT<T>, U>, bool> = true>
KB_API void InitConstValue(const LocalTensor<T>&, const InitConstValueParams<U>&) {
    kbrt_cube("InitConstValue");
}

template <typename T>
KB_API void SetLoadDataPaddingValue(const T) {
    kbrt_cube("SetLoadDataPaddingValue");
}

template <typename T, typename U>
KB_API void SetAippFunctions(const GlobalTensor<T>&, AippInputFormat, AippParams<U>) {
    kbrt_cube("SetAippFunctions");
}

template <typename T, typename U>
KB_API void SetAippFunctions(const GlobalTensor<T>&, const GlobalTensor<T>&, AippInputFormat, AippParams<U>) {
    kbrt_cube("SetAippFunctions");
}

#define KB_CONFIGURE(Name, ...)      \
    KB_API void Name(__VA_ARGS__) {  \
        kbrt_cube(#Name);     \
    }

KB_CONFIGURE(SetFmatrix, uint16_t, uint16_t, const uint8_t[4], const FmatrixMode&)
KB_CONFIGURE(SetLoadDataBoundary, uint32_t)
KB_CONFIGURE(SetLoadDataRepeat, const LoadDataRepeatParam&)
KB_CONFIGURE(SetHF32Mode, HF32Mode)
KB_CONFIGURE(SetHF32Mode, bool)
KB_CONFIGURE(SetHF32TransMode, HF32TransMode)
KB_CONFIGURE(SetHF32TransMode, bool)
KB_CONFIGURE(SetMMRowMajor)
KB_CONFIGURE(SetMMColumnMajor)
KB_CONFIGURE(SetMMLayoutTransform, bool)

#undef KB_CONFIGURE

}  // namespace AscendC
