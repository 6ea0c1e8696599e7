// TransDataTo5HD and the 16 × 16 Transpose: elements of sixteen 32-byte blocks change places with those of sixteen others.
#pragma once

#include "kb_vec.h"
#include "kernel_tensor.h"

namespace AscendC {

inline constexpr int32_t NCHW_CONV_ADDR_LIST_SIZE = 16;

enum class TransposeType : uint8_t {
    TRANSPOSE_TYPE_NONE,
    TRANSPOSE_NZ2ND_0213,
    TRANSPOSE_NZ2NZ_0213,
    TRANSPOSE_NZ2NZ_012_WITH_N,
    TRANSPOSE_NZ2ND_012_WITH_N,
    TRANSPOSE_NZ2ND_012_WITHOUT_N,
    TRANSPOSE_NZ2NZ_012_WITHOUT_N,
    TRANSPOSE_ND2ND_ONLY,
    TRANSPOSE_ND_UB_GM,
    TRANSPOSE_GRAD_ND_UB_GM,
    TRANSPOSE_ND2ND_B16,
    TRANSPOSE_NCHW2NHWC,
    TRANSPOSE_NHWC2NCHW,
};

struct TransposeParamsExt {
    KB_API constexpr TransposeParamsExt() {}
    KB_API constexpr TransposeParamsExt(uint16_t n, uint16_t c, uint16_t h, uint16_t w, TransposeType type)
        : nSize(n), cSize(c), hSize(h), wSize(w), transposeType(type) {}

    uint16_t nSize = 0;
    uint16_t cSize = 0;
    uint16_t hSize = 0;
    uint16_t wSize = 0;
    TransposeType transposeType = TransposeType::TRANSPOSE_ND2ND_B16;
};

struct TransDataTo5HDParams {
    KB_API constexpr TransDataTo5HDParams() {}
    KB_API constexpr TransDataTo5HDParams(bool dstHigh, bool srcHigh, uint8_t repeats, uint16_t dstRep, uint16_t srcRep)
        : dstHighHalf(dstHigh), srcHighHalf(srcHigh), repeatTimes(repeats), dstRepStride(dstRep), srcRepStride(srcRep) {}

    bool dstHighHalf = false;
    bool srcHighHalf = false;
    uint8_t repeatTimes = 1;
    uint16_t dstRepStride = 0;
    uint16_t srcRepStride = 0;
};

// bfloat16_t is in no table of types; with addresses the vendor's header moves it as any 16 bits, and published kernels
// rely on that.
#define KB_LEGAL_TYPE                                                                                                    \
    static_assert((SupportType<T, int8_t, uint8_t, int16_t, uint16_t, half, bfloat16_t, int32_t, uint32_t, float>()),                \
                  "Failed to check dtype in TransDataTo5HD, current api support dtype combination is src and dst both: "  \
                  "int8_t / uint8_t / int16_t / uint16_t / half / int32_t / uint32_t / float.")

// `dst` and `src`: sixteen views of blocks; their lengths are those of the tensors.
template <typename T>
KB_API void kb_trans_data(const kb::View* dst, const kb::View* src, const TransDataTo5HDParams& p) {
    KB_LEGAL_TYPE;
    kb::VecForm form = kb::vec_first<false>(kb::VecOp::TransDataTo5HD, 0, p.repeatTimes);
    form.repeat[0] = p.dstRepStride;
    form.repeat[1] = p.srcRepStride;
    kbrt_vec_transpose(dst, src, sizeof(T), p.dstHighHalf, p.srcHighHalf, form);
}

#undef KB_LEGAL_TYPE

template <typename T>
KB_API kb::View kb_view_at(uint64_t address) {
    return {reinterpret_cast<uint8_t*>(address), UINT32_MAX, static_cast<uint8_t>(TPosition::VECCALC), kb::dtype_of<T>(), 0};
}

template <typename T>
KB_API void TransDataTo5HD(const LocalTensor<T> (&dstLocalList)[NCHW_CONV_ADDR_LIST_SIZE],
                           const LocalTensor<T> (&srcLocalList)[NCHW_CONV_ADDR_LIST_SIZE],
                           const TransDataTo5HDParams& nchwconvParams) {
    static_assert(!std::is_same_v<T, bfloat16_t>, "TransDataTo5HD takes bfloat16_t by address only.");
    kb::View dst[NCHW_CONV_ADDR_LIST_SIZE], src[NCHW_CONV_ADDR_LIST_SIZE];
    for (int32_t i = 0; i < NCHW_CONV_ADDR_LIST_SIZE; ++i) {
        dst[i] = kb::view(dstLocalList[i]);
        src[i] = kb::view(srcLocalList[i]);
    }
    kb_trans_data<T>(dst, src, nchwconvParams);
}

// Addresses as GetPhyAddr gives them.
template <typename T>
KB_API void TransDataTo5HD(uint64_t dstList[NCHW_CONV_ADDR_LIST_SIZE], uint64_t srcList[NCHW_CONV_ADDR_LIST_SIZE],
                           const TransDataTo5HDParams& nchwconvParams) {
    kb::View dst[NCHW_CONV_ADDR_LIST_SIZE], src[NCHW_CONV_ADDR_LIST_SIZE];
    for (int32_t i = 0; i < NCHW_CONV_ADDR_LIST_SIZE; ++i) {
        dst[i] = kb_view_at<T>(dstList[i]);
        src[i] = kb_view_at<T>(srcList[i]);
    }
    kb_trans_data<T>(dst, src, nchwconvParams);
}

// The addresses lie in tensors.
template <typename T>
KB_API void TransDataTo5HD(const LocalTensor<uint64_t>& dst, const LocalTensor<uint64_t>& src,
                           const TransDataTo5HDParams& nchwconvParams) {
    uint64_t to[NCHW_CONV_ADDR_LIST_SIZE], from[NCHW_CONV_ADDR_LIST_SIZE];
    for (int32_t i = 0; i < NCHW_CONV_ADDR_LIST_SIZE; ++i) {
        to[i] = dst.GetValue(static_cast<uint32_t>(i));
        from[i] = src.GetValue(static_cast<uint32_t>(i));
    }
    TransDataTo5HD<T>(to, from, nchwconvParams);
}

// A 16 × 16 matrix of 16-bit elements; in place is allowed.
template <typename T>
KB_API void Transpose(const LocalTensor<T>& dst, const LocalTensor<T>& src) {
    static_assert((SupportType<T, int16_t, uint16_t, half>()),
                  "Failed to check dtype in Transpose, current api support dtype combination is src and dst both: "
                  "int16_t / uint16_t / half.");
    kb::View to[NCHW_CONV_ADDR_LIST_SIZE], from[NCHW_CONV_ADDR_LIST_SIZE];
    for (int32_t i = 0; i < NCHW_CONV_ADDR_LIST_SIZE; ++i) {
        to[i] = kb::view(dst[static_cast<uint32_t>(16 * i)]);
        from[i] = kb::view(src[static_cast<uint32_t>(16 * i)]);
    }
    kbrt_vec_transpose(to, from, sizeof(T), false, false, kb::vec_first<false>(kb::VecOp::Transpose, 0, 1));
}

// The same matrix, or a change between NCHW and NHWC; other types of the enumeration are for other chips or for none.
template <typename T>
KB_API void Transpose(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<uint8_t>& sharedTmpBuffer,
                      const TransposeParamsExt& transposeParams) {
    static_assert((SupportType<T, int8_t, uint8_t, int16_t, uint16_t, half, int32_t, uint32_t, float>()),
                  "Failed to check dtype in Transpose, current api support dtype combination is src and dst both: int8_t / "
                  "uint8_t / int16_t / uint16_t / half / int32_t / uint32_t / float.");
    const TransposeParamsExt& p = transposeParams;
    if (p.transposeType == TransposeType::TRANSPOSE_NCHW2NHWC || p.transposeType == TransposeType::TRANSPOSE_NHWC2NCHW) {
        kbrt_vec_transpose_format(kb::view(dst), kb::view(src), kb::view(sharedTmpBuffer),
                                  {p.nSize, p.cSize, static_cast<uint32_t>(p.hSize) * p.wSize,
                                   p.transposeType == TransposeType::TRANSPOSE_NCHW2NHWC});
    } else if (p.transposeType == TransposeType::TRANSPOSE_ND2ND_B16) {
        if constexpr (std::is_same_v<T, uint16_t>) {
            Transpose(dst, src);
        } else {
            kbrt_unsupported("Transpose with TRANSPOSE_ND2ND_B16 of another type than uint16_t");
        }
    } else if (p.transposeType != TransposeType::TRANSPOSE_TYPE_NONE) {
        kbrt_unsupported("Transpose with a TransposeType other than ND2ND_B16, NCHW2NHWC and NHWC2NCHW");
    }
}

}  // namespace AscendC
