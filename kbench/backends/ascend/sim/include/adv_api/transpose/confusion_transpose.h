// Transpositions with a change of format, on the tiling data of GetTransposeTilingInfo.
#pragma once

#include "kb_turn.h"
#include "kernel_operator_vec_transpose_intf.h"
#include "kernel_tiling/kernel_tiling.h"

namespace AscendC {

#define KB_TURN(Name)                                                                                                       \
    template <typename T>                                                                                                   \
    KB_API void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<uint8_t>& sharedTmpBuffer,     \
                     TransposeType transposeType, const ConfusionTransposeTiling& tiling) {                                 \
        KB_TURN_CHECK(Name);                                                                                                \
        kbrt_adv_turn(dst.view(), src.view(), sharedTmpBuffer.view(), static_cast<uint8_t>(transposeType), &tiling);        \
    }                                                                                                                       \
    template <typename T>                                                                                                   \
    KB_API void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, TransposeType transposeType,                     \
                     const ConfusionTransposeTiling& tiling) {                                                              \
        KB_TURN_CHECK(Name);                                                                                                \
        kbrt_adv_turn(dst.view(), src.view(), kb::no_tmp(), static_cast<uint8_t>(transposeType), &tiling);                  \
    }

#define KB_TURN_CHECK(Name)                                                                                               \
    static_assert((SupportType<T, int16_t, uint16_t, half, int32_t, uint32_t, float>()), "Failed to check dtype in " #Name \
                  ", current api support dtype combination is src and dst both: int16_t / uint16_t / half / int32_t / "   \
                  "uint32_t / float.")

KB_TURN(Transpose)
KB_TURN(ConfusionTranspose)  // the name of earlier versions

#undef KB_TURN
#undef KB_TURN_CHECK

}  // namespace AscendC
