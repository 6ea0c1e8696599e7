// Copies between global memory and UB, and inside UB.
#pragma once

#include "kb_vec.h"
#include "kernel_struct_data_copy.h"
#include "kernel_tensor.h"

namespace kb {

// `count` blocks of `len` bytes or DataBlocks and the gaps between them, in the unit of the API that passes it.
struct Burst {
    uint32_t count;
    uint32_t len;
    uint32_t source_gap;
    uint32_t destination_gap;
};

// Padding of DataCopyPad: elements on either side and the value's raw bits.
struct Padding {
    uint64_t value;
    uint8_t left;
    uint8_t right;
    bool set;
    uint8_t element;  // bytes of one
};

}  // namespace kb

extern "C" {
void kbrt_copy_in(kb::View destination, const void* source, uint64_t bytes);
void kbrt_copy_out(void* destination, kb::View source, uint64_t bytes);
void kbrt_copy_local(kb::View destination, kb::View source, uint64_t bytes);
void kbrt_copy_in_blocks(kb::View destination, const void* source, kb::Burst burst);
void kbrt_copy_out_blocks(void* destination, kb::View source, kb::Burst burst);
void kbrt_copy_local_blocks(kb::View destination, kb::View source, kb::Burst burst);
void kbrt_copy_in_pad(kb::View destination, const void* source, kb::Burst burst, kb::Padding padding);
void kbrt_copy_out_pad(void* destination, kb::View source, kb::Burst burst, uint32_t element);
void kbrt_copy_in_slice(kb::View destination, const void* source, const AscendC::SliceInfo* to,
                        const AscendC::SliceInfo* from, uint32_t dimensions, uint32_t element);
void kbrt_copy_out_slice(void* destination, kb::View source, const AscendC::SliceInfo* to,
                         const AscendC::SliceInfo* from, uint32_t dimensions, uint32_t element);
void kbrt_copy_in_nz(kb::View destination, const void* source, const AscendC::Nd2NzParams& params, uint32_t element);
void kbrt_copy_out_nd(void* destination, kb::View source, const AscendC::Nz2NdParamsFull& params, uint32_t element);
void kbrt_set_pad_value(uint64_t bits);
}

namespace AscendC {

template <typename T>
KB_API void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const uint32_t count) {
    kbrt_copy_in(dst.view(), src.raw(), kb_element_bytes<T>(count));
}

template <typename T>
KB_API void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<T>& src, const uint32_t count) {
    kbrt_copy_out(dst.raw(), src.view(), kb_element_bytes<T>(count));
}

template <typename T>
KB_API void DataCopy(const LocalTensor<T>& dst, const LocalTensor<T>& src, const uint32_t count) {
    kbrt_copy_local(dst.view(), src.view(), kb_element_bytes<T>(count));
}

KB_API kb::Burst kb_burst_of(const DataCopyParams& p) {
    return {p.blockCount, p.blockLen, p.srcGap, p.dstGap};
}

KB_API kb::Burst kb_burst_of(const DataCopyExtParams& p) {
    return {p.blockCount, p.blockLen, p.srcStride, p.dstStride};
}

template <typename T>
KB_API void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const DataCopyParams& repeatParams) {
    kbrt_copy_in_blocks(dst.view(), src.raw(), kb_burst_of(repeatParams));
}

template <typename T>
KB_API void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<T>& src, const DataCopyParams& repeatParams) {
    kbrt_copy_out_blocks(dst.raw(), src.view(), kb_burst_of(repeatParams));
}

template <typename T>
KB_API void DataCopy(const LocalTensor<T>& dst, const LocalTensor<T>& src, const DataCopyParams& repeatParams) {
    kbrt_copy_local_blocks(dst.view(), src.view(), kb_burst_of(repeatParams));
}

template <typename T>
inline constexpr bool kb_sliced = SupportType<T, int8_t, uint8_t, int16_t, uint16_t, half, bfloat16_t, int32_t, uint32_t, float>();
#define KB_SLICED                                                                                                      \
    "Failed to check dtype in DataCopy with SliceInfo, current api support dtype combination is src and dst both: "    \
    "int8_t / uint8_t / int16_t / uint16_t / half / bfloat16_t / int32_t / uint32_t / float."

// Where a slice has no shapeValue, the tensors' ShapeInfo has it.
struct KbSlices {
    KB_API KbSlices(const SliceInfo* info, const ShapeInfo& shape, uint32_t dimensions, bool given) {
        for (uint32_t d = 0; d < dimensions && d < K_MAX_DIM; ++d) {
            slices[d] = info[d];
            slices[d].shapeValue = given ? info[d].shapeValue : shape.shape[d];
        }
    }

    SliceInfo slices[K_MAX_DIM];
};

template <typename T>
KB_API void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const SliceInfo dstSliceInfo[],
                     const SliceInfo srcSliceInfo[], const uint32_t dimValue = 1) {
    static_assert(kb_sliced<T>, KB_SLICED);
    const bool given = srcSliceInfo[0].shapeValue != 0;
    const KbSlices to(dstSliceInfo, dst.GetShapeInfo(), dimValue, given), from(srcSliceInfo, src.GetShapeInfo(), dimValue, given);
    kbrt_copy_in_slice(dst.view(), src.raw(), to.slices, from.slices, dimValue, sizeof(T));
}

template <typename T>
KB_API void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<T>& src, const SliceInfo dstSliceInfo[],
                     const SliceInfo srcSliceInfo[], const uint32_t dimValue = 1) {
    static_assert(kb_sliced<T>, KB_SLICED);
    const bool given = dstSliceInfo[0].shapeValue != 0;
    const KbSlices to(dstSliceInfo, dst.GetShapeInfo(), dimValue, given), from(srcSliceInfo, src.GetShapeInfo(), dimValue, given);
    kbrt_copy_out_slice(dst.raw(), src.view(), to.slices, from.slices, dimValue, sizeof(T));
}

#undef KB_SLICED

// ---- ND and NZ ------------------------------------------------------------------------------------------------------

template <typename T>
KB_API void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const Nd2NzParams& intriParams) {
    kbrt_copy_in_nz(dst.view(), src.raw(), intriParams, sizeof(T));
}

// UB to L1 goes through the cube side.
template <typename T>
KB_API void DataCopy(const LocalTensor<T>&, const LocalTensor<T>&, const Nd2NzParams&) {
    kbrt_unsupported("DataCopy from UB to L1 with Nd2NzParams");
}

template <typename T>
KB_API void DataCopyPad(const LocalTensor<T>&, const LocalTensor<T>&, const DataCopyParams&, const Nd2NzParams&) {
    kbrt_unsupported("DataCopyPad from UB to L1");
}

template <typename T>
KB_API void DataCopyPad(const LocalTensor<T>&, const LocalTensor<T>&, const DataCopyExtParams&, const Nd2NzParams&) {
    kbrt_unsupported("DataCopyPad from UB to L1");
}

template <typename T>
KB_API void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<T>& src, const Nz2NdParamsFull& intriParams) {
    static_assert((SupportType<T, half, bfloat16_t, int16_t, uint16_t, int32_t, uint32_t, float>()),
                  "Failed to check dtype in DataCopy with Nz2NdParamsFull, current api support dtype combination is src and "
                  "dst both: int16_t / uint16_t / half / bfloat16_t / int32_t / uint32_t / float.");
    kbrt_copy_out_nd(dst.raw(), src.view(), intriParams, sizeof(T));
}

// ---- with what other chips do on the way ----------------------------------------------------------------------------

KB_API void kb_check_plain(const DataCopyEnhancedParams& p) {
    if (p.blockMode != BlockMode::BLOCK_MODE_NORMAL || p.deqScale != DeqScale::DEQ_NONE || p.isRelu ||
        p.padMode != pad_t::PAD_NONE || p.sidStoreMode != 0) {
        kbrt_unsupported("DataCopy with DataCopyEnhancedParams other than their defaults");
    }
}

template <typename T>
KB_API void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const DataCopyParams& intriParams,
                     const DataCopyEnhancedParams& enhancedParams) {
    kb_check_plain(enhancedParams);
    DataCopy(dst, src, intriParams);
}

template <typename T>
KB_API void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<T>& src, const DataCopyParams& intriParams,
                     const DataCopyEnhancedParams& enhancedParams) {
    kb_check_plain(enhancedParams);
    DataCopy(dst, src, intriParams);
}

template <typename T>
KB_API void DataCopy(const LocalTensor<T>& dst, const LocalTensor<T>& src, const DataCopyParams& intriParams,
                     const DataCopyEnhancedParams& enhancedParams) {
    kb_check_plain(enhancedParams);
    DataCopy(dst, src, intriParams);
}

// Between element types: only L0C, bias table and fixpipe buffer have such copies.
template <typename T, typename U, typename = std::enable_if_t<!std::is_same_v<T, U>>>
KB_API void DataCopy(const LocalTensor<T>&, const LocalTensor<U>&, const DataCopyParams&) {
    kbrt_unsupported("DataCopy between element types");
}

template <typename T, typename U, typename = std::enable_if_t<!std::is_same_v<T, U>>>
KB_API void DataCopy(const LocalTensor<T>&, const LocalTensor<U>&, const DataCopyParams&, const DataCopyEnhancedParams&) {
    kbrt_unsupported("DataCopy between element types");
}

template <typename T>
KB_API uint64_t kb_raw_bits(T value) {
    uint64_t bits = 0;
    __builtin_memcpy(&bits, &value, sizeof(T));
    return bits;
}

template <typename T>
KB_API void DataCopyPad(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const DataCopyParams& dataCopyParams,
                        const DataCopyPadParams& padParams) {
    kbrt_copy_in_pad(dst.view(), src.raw(), kb_burst_of(dataCopyParams),
                     {padParams.paddingValue, padParams.leftPadding, padParams.rightPadding, padParams.isPad, sizeof(T)});
}

template <typename T>
KB_API void DataCopyPad(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const DataCopyExtParams& dataCopyParams,
                        const DataCopyPadExtParams<T>& padParams) {
    kbrt_copy_in_pad(dst.view(), src.raw(), kb_burst_of(dataCopyParams),
                     {kb_raw_bits(padParams.paddingValue), padParams.leftPadding, padParams.rightPadding, padParams.isPad,
                      sizeof(T)});
}

template <typename T, typename U, typename = std::enable_if_t<!std::is_same_v<T, U>>>
KB_API void DataCopyPad(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const DataCopyExtParams& dataCopyParams,
                        const DataCopyPadExtParams<U>& padParams) {
    kbrt_copy_in_pad(dst.view(), src.raw(), kb_burst_of(dataCopyParams),
                     {kb_raw_bits(padParams.paddingValue), padParams.leftPadding, padParams.rightPadding, padParams.isPad,
                      sizeof(T)});
}

template <typename T>
KB_API void DataCopyPad(const GlobalTensor<T>& dst, const LocalTensor<T>& src, const DataCopyParams& dataCopyParams) {
    kbrt_copy_out_pad(dst.raw(), src.view(), kb_burst_of(dataCopyParams), sizeof(T));
}

template <typename T>
KB_API void DataCopyPad(const GlobalTensor<T>& dst, const LocalTensor<T>& src, const DataCopyExtParams& dataCopyParams) {
    kbrt_copy_out_pad(dst.raw(), src.view(), kb_burst_of(dataCopyParams), sizeof(T));
}

template <typename T, TPosition pos = TPosition::MAX>
KB_API void SetPadValue(T paddingValue) {
    kbrt_set_pad_value(kb_raw_bits(paddingValue));
}

#define KB_LEGAL_TYPE                                                                                              \
    static_assert((SupportType<T, half, bfloat16_t, int16_t, uint16_t, int32_t, uint32_t, float>()),               \
                  "Failed to check dtype in Copy, current api support dtype combination is src and dst both: half / " \
                  "bfloat16_t / int16_t / uint16_t / int32_t / uint32_t / float.")

KB_API kb::VecForm kb_with_strides(kb::VecForm form, const CopyRepeatParams& p) {
    form.block[0] = p.dstStride;
    form.block[1] = p.srcStride;
    form.repeat[0] = p.dstRepeatSize;
    form.repeat[1] = p.srcRepeatSize;
    return form;
}

template <typename T, bool isSetMask = true>
KB_API void Copy(const LocalTensor<T>& dst, const LocalTensor<T>& src, const uint64_t mask[], const uint8_t repeatTime,
                 const CopyRepeatParams& repeatParams) {
    KB_LEGAL_TYPE;
    kbrt_vec_lanes(dst.view(), src.view(), {},
                   kb_with_strides(kb::vec_bits<isSetMask>(kb::VecOp::Copy, mask, repeatTime), repeatParams));
}

template <typename T, bool isSetMask = true>
KB_API void Copy(const LocalTensor<T>& dst, const LocalTensor<T>& src, const uint64_t mask, const uint8_t repeatTime,
                 const CopyRepeatParams& repeatParams) {
    KB_LEGAL_TYPE;
    kbrt_vec_lanes(dst.view(), src.view(), {},
                   kb_with_strides(kb::vec_first<isSetMask>(kb::VecOp::Copy, mask, repeatTime), repeatParams));
}

#undef KB_LEGAL_TYPE

}  // namespace AscendC
