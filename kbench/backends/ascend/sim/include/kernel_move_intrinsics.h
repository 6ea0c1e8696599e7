// The compiler's intrinsics for copies, on addresses. `sid` is reserved. Lengths and gaps count 32-byte blocks; those of the
// align forms count bytes, but for the gap in UB.
#pragma once

#include "kb_raw.h"
#include "kernel_operator_data_copy_intf.h"

KB_API void copy_gm_to_ubuf(__ubuf__ void* dst, __gm__ void* src, uint8_t sid, uint16_t nBurst, uint16_t lenBurst,
                            uint16_t srcGap, uint16_t dstGap) {
    (void)sid;
    kbrt_copy_in_blocks(kb::raw_view(dst, kb::Dtype::u8), src, {nBurst, lenBurst, srcGap, dstGap});
}

KB_API void copy_ubuf_to_gm(__gm__ void* dst, __ubuf__ void* src, uint8_t sid, uint16_t nBurst, uint16_t lenBurst,
                            uint16_t srcGap, uint16_t dstGap) {
    (void)sid;
    kbrt_copy_out_blocks(dst, kb::raw_view(src, kb::Dtype::u8), {nBurst, lenBurst, srcGap, dstGap});
}

KB_API void copy_ubuf_to_ubuf(__ubuf__ void* dst, __ubuf__ void* src, uint8_t sid, uint16_t nBurst, uint16_t lenBurst,
                              uint16_t srcGap, uint16_t dstGap) {
    (void)sid;
    kbrt_copy_local_blocks(kb::raw_view(dst, kb::Dtype::u8), kb::raw_view(src, kb::Dtype::u8),
                           {nBurst, lenBurst, srcGap, dstGap});
}

// The paddings count elements and hold what set_mov_pad_val has set.
#define KB_RAW_PAD_IN(Name, bits)                                                                                     \
    KB_API void Name(__ubuf__ void* dst, __gm__ void* src, uint8_t sid, uint16_t nBurst, uint32_t lenBurst,           \
                     uint8_t leftPaddingNum, uint8_t rightPaddingNum, uint32_t srcGap, uint32_t dstGap) {             \
        (void)sid;                                                                                                    \
        kbrt_copy_in_pad(kb::raw_view(dst, kb::Dtype::u##bits), src, {nBurst, lenBurst, srcGap, dstGap},              \
                         {0, leftPaddingNum, rightPaddingNum, false, bits / 8});                                      \
    }

KB_RAW_PAD_IN(copy_gm_to_ubuf_align_b8, 8)
KB_RAW_PAD_IN(copy_gm_to_ubuf_align_b16, 16)
KB_RAW_PAD_IN(copy_gm_to_ubuf_align_b32, 32)

#undef KB_RAW_PAD_IN

// Nothing is padded on the way out.
#define KB_RAW_PAD_OUT(Name, bits)                                                                                    \
    KB_API void Name(__gm__ void* dst, __ubuf__ void* src, uint8_t sid, uint16_t nBurst, uint32_t lenBurst,           \
                     uint8_t leftPaddingNum, uint8_t rightPaddingNum, uint32_t srcGap, uint32_t dstGap) {             \
        (void)sid;                                                                                                    \
        (void)leftPaddingNum;                                                                                         \
        (void)rightPaddingNum;                                                                                        \
        kbrt_copy_out_pad(dst, kb::raw_view(src, kb::Dtype::u##bits), {nBurst, lenBurst, srcGap, dstGap}, bits / 8);  \
    }

KB_RAW_PAD_OUT(copy_ubuf_to_gm_align_b8, 8)
KB_RAW_PAD_OUT(copy_ubuf_to_gm_align_b16, 16)
KB_RAW_PAD_OUT(copy_ubuf_to_gm_align_b32, 32)

#undef KB_RAW_PAD_OUT

KB_API void set_mov_pad_val(uint64_t value) {
    kbrt_set_pad_value(value);
}

namespace AscendC {

// What DataCopy and Duplicate come down to, on addresses; published kernels call them.
template <typename T>
KB_API void DataCopyUB2GMImpl(__gm__ T* dst, __ubuf__ T* src, const DataCopyParams& intriParams) {
    kbrt_copy_out_blocks(dst, kb::raw_view(src), kb_burst_of(intriParams));
}

template <typename T>
KB_API void DataCopyGM2UBImpl(__ubuf__ T* dst, __gm__ T* src, const DataCopyParams& intriParams) {
    kbrt_copy_in_blocks(kb::raw_view(dst), src, kb_burst_of(intriParams));
}

template <typename T>
KB_API void DataCopyPadGm2UBImpl(__ubuf__ T* dst, __gm__ T* src, const DataCopyParams& intriParams,
                                 const DataCopyPadParams& padParams) {
    kbrt_copy_in_pad(kb::raw_view(dst), src, kb_burst_of(intriParams),
                     {padParams.paddingValue, padParams.leftPadding, padParams.rightPadding, padParams.isPad, sizeof(T)});
}

template <typename T>
KB_API void DataCopyPadGm2UBImpl(__ubuf__ T* dst, __gm__ T* src, const DataCopyExtParams& intriParams,
                                 const DataCopyPadExtParams<T>& padParams) {
    kbrt_copy_in_pad(kb::raw_view(dst), src, kb_burst_of(intriParams),
                     {kb_raw_bits(padParams.paddingValue), padParams.leftPadding, padParams.rightPadding, padParams.isPad,
                      sizeof(T)});
}

template <typename T>
KB_API void DataCopyPadUB2GMImpl(__gm__ T* dst, __ubuf__ T* src, const DataCopyParams& intriParams) {
    kbrt_copy_out_pad(dst, kb::raw_view(src), kb_burst_of(intriParams), sizeof(T));
}

template <typename T>
KB_API void DataCopyPadUB2GMImpl(__gm__ T* dst, __ubuf__ T* src, const DataCopyExtParams& intriParams) {
    kbrt_copy_out_pad(dst, kb::raw_view(src), kb_burst_of(intriParams), sizeof(T));
}

template <typename T>
KB_API void DataCopyUB2UBImpl(__ubuf__ T* dst, __ubuf__ T* src, const DataCopyParams& intriParams) {
    kbrt_copy_local_blocks(kb::raw_view(dst), kb::raw_view(src), kb_burst_of(intriParams));
}

template <typename T>
KB_API void DuplicateImpl(__ubuf__ T* dst, const T& scalarValue, const int32_t& count) {
    static_assert((SupportType<T, half, bfloat16_t, int16_t, uint16_t, int32_t, uint32_t, float>()),
                  "Failed to check dtype in Duplicate, current api support dtype combination is dst: half / "
                  "bfloat16_t / int16_t / uint16_t / int32_t / uint32_t / float.");
    kbrt_vec_lanes(kb::raw_view(dst), {}, {},
                   kb::with_scalar(kb::vec_count(kb::VecOp::Duplicate, count), kb::scalar_bits(scalarValue)));
}

}  // namespace AscendC
