// Sorting: Sort32 and MrgSort on structures of 8 bytes (score, index), and what is built on them. Index in the high word,
// score in the low one; a half takes its low two bytes.
#pragma once

#include "kb_sort.h"
#include "kernel_struct_proposal.h"

namespace AscendC {

#define KB_SORTS(Name)                                                                                                    \
    static_assert((SupportType<T, half, float>()), "Failed to check dtype in " #Name ", current api support dtype combination " \
                  "is src and dst both: half / float")

template <typename T>
KB_API void Sort32(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<uint32_t>& src1,
                   const int32_t repeatTime) {
    KB_SORTS(Sort32);
    kbrt_sort32(dst.view(), src0.view(), src1.view(), repeatTime);
}

template <typename T>
KB_API void MrgSort(const LocalTensor<T>& dst, const MrgSortSrcList<T>& src, const MrgSort4Info& params) {
    KB_SORTS(MrgSort);
    const kb::View queues[4] = {src.src1.view(), src.src2.view(), src.src3.view(), src.src4.view()};
    kbrt_merge(dst.view(), queues,
               {{params.elementLengths[0], params.elementLengths[1], params.elementLengths[2], params.elementLengths[3]},
                params.validBit, params.repeatTimes, params.ifExhaustedSuspension});
}

// How many structures of each queue the last MrgSort took.
KB_API void GetMrgSortResult(uint16_t& mrgSortList1, uint16_t& mrgSortList2, uint16_t& mrgSortList3, uint16_t& mrgSortList4) {
    const uint64_t counts = kbrt_merge_counts();
    mrgSortList1 = static_cast<uint16_t>(counts & 0xffff);
    mrgSortList2 = static_cast<uint16_t>(counts >> 16 & 0xffff);
    mrgSortList3 = static_cast<uint16_t>(counts >> 32 & 0xffff);
    mrgSortList4 = static_cast<uint16_t>(counts >> 48 & 0xffff);
}

template <typename T, bool isExhaustedSuspension = false>
KB_API void MrgSort(const LocalTensor<T>& dst, const MrgSortSrcList<T>& sortList, const uint16_t elementCountList[4],
                    uint32_t sortedNum[4], uint16_t validBit, const int32_t repeatTime) {
    KB_SORTS(MrgSort);
    const kb::View queues[4] = {sortList.src1.view(), sortList.src2.view(), sortList.src3.view(), sortList.src4.view()};
    kbrt_merge(dst.view(), queues,
               {{elementCountList[0], elementCountList[1], elementCountList[2], elementCountList[3]}, validBit,
                static_cast<uint32_t>(repeatTime), isExhaustedSuspension});
    if constexpr (isExhaustedSuspension) {
        const uint64_t counts = kbrt_merge_counts();
        for (int32_t i = 0; i < MRG_SORT_ELEMENT_LEN; ++i) {
            sortedNum[i] = static_cast<uint32_t>(counts >> (16 * i) & 0xffff);
        }
    }
}

// Bytes 8 of a structure in elements of T: of a position, and of a length.
template <typename T>
KB_API uint32_t GetSortOffset(const uint32_t elemOffset) {
    KB_SORTS(GetSortOffset);
    return elemOffset * (8 / sizeof(T));
}

template <typename T>
KB_API uint32_t GetSortLen(const uint32_t elemCount) {
    KB_SORTS(GetSortLen);
    return elemCount * (8 / sizeof(T));
}

// This architecture sorts scores as they are: the result is the source.
template <typename T>
KB_API void Concat(LocalTensor<T>& concat, const LocalTensor<T>& src, const LocalTensor<T>&, const int32_t repeatTime) {
    KB_SORTS(Concat);
    kbrt_adv_concat(repeatTime);
    concat = src;
}

template <typename T, bool isFullSort>
KB_API void Sort(const LocalTensor<T>& dst, const LocalTensor<T>& concat, const LocalTensor<uint32_t>& index,
                 LocalTensor<T>& tmp, const int32_t repeatTime) {
    KB_SORTS(Sort);
    kbrt_adv_sort(dst.view(), concat.view(), index.view(), tmp.view(), repeatTime, isFullSort);
}

template <typename T>
KB_API void Extract(const LocalTensor<T>& dstValue, const LocalTensor<uint32_t>& dstIndex, const LocalTensor<T>& sorted,
                    const int32_t repeatTime) {
    KB_SORTS(Extract);
    kbrt_adv_extract(dstValue.view(), dstIndex.view(), sorted.view(), repeatTime);
}

// Region proposals: declared, but not on this architecture.
template <typename T>
KB_API void MrgSort4(const LocalTensor<T>&, const MrgSortSrcList<T>&, const MrgSort4Info&) {
    KB_SORTS(MrgSort4);
    kbrt_proposals(kb::ProposalOp::MrgSort4);
}

template <typename T>
KB_API void RpSort16(const LocalTensor<T>&, const LocalTensor<T>&, const int32_t) {
    KB_SORTS(RpSort16);
    kbrt_proposals(kb::ProposalOp::RpSort16);
}

template <typename T>
KB_API void ProposalConcat(const LocalTensor<T>&, const LocalTensor<T>&, const int32_t, const int32_t) {
    KB_SORTS(ProposalConcat);
    kbrt_proposals(kb::ProposalOp::ProposalConcat);
}

template <typename T>
KB_API void ProposalExtract(const LocalTensor<T>&, const LocalTensor<T>&, const int32_t, const int32_t) {
    KB_SORTS(ProposalExtract);
    kbrt_proposals(kb::ProposalOp::ProposalExtract);
}

#undef KB_SORTS

}  // namespace AscendC
