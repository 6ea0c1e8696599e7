// Runs a list of copies with masks, transpositions and sorts. A step is 64 words of int64; each loads a 48 KiB image of
// the unified buffer, works on it, and stores it.
#include "kernel_operator.h"

using namespace AscendC;

namespace {

constexpr uint32_t kImage = 48 * 1024;

enum Op : int64_t { COPY, TRANSPOSE, HD_WORDS, HD_TENSORS, HD_ADDRESSES, SORT, MERGE, IMAGES, DEQUANT };
enum Type : int64_t { I8, U8, I16, U16, F16, BF16, I32, U32, F32 };
enum Form : int64_t { MASK, BITS, KEPT_BITS, COUNTER, KEPT_COUNTER };

struct Step {
    int64_t op, type, form, repeats, mask0, mask1, dst, src0, src1, work;
    int64_t dstBlock, srcBlock, dstRepeat, srcRepeat;
    int64_t dstHigh, srcHigh;
    int64_t stop, valid;
    int64_t lengths[4], queues[4];
    int64_t dsts[16], srcs[16];
    int64_t spare[6];
};
static_assert(sizeof(Step) == 64 * 8, "a step is 64 words");

LocalTensor<uint8_t> image;

template <class T>
__aicore__ LocalTensor<T> At(int64_t offset)
{
    LocalTensor<uint8_t> all = image;
    LocalTensor<uint8_t> part = all[static_cast<uint32_t>(offset)];
    return part.ReinterpretCast<T>();
}

template <class T>
__aicore__ void Copies(const Step& s)
{
    LocalTensor<T> d = At<T>(s.dst), a = At<T>(s.src0);
    const CopyRepeatParams params((uint16_t)s.dstBlock, (uint16_t)s.srcBlock, (uint16_t)s.dstRepeat, (uint16_t)s.srcRepeat);
    uint64_t bits[2] = {(uint64_t)s.mask0, (uint64_t)s.mask1};
    const uint8_t repeats = (uint8_t)s.repeats;
    switch (s.form) {
        case MASK: Copy(d, a, (uint64_t)s.mask0, repeats, params); break;
        case BITS: Copy(d, a, bits, repeats, params); break;
        case KEPT_BITS:
            SetVectorMask<T>(bits[1], bits[0]);
            Copy<T, false>(d, a, MASK_PLACEHOLDER, repeats, params);
            break;
        case COUNTER:
            SetMaskCount();
            Copy(d, a, (uint64_t)s.mask0, repeats, params);
            break;
        case KEPT_COUNTER:
            SetMaskCount();
            SetVectorMask<T, MaskMode::COUNTER>(0, bits[0]);
            Copy<T, false>(d, a, MASK_PLACEHOLDER, repeats, params);
            break;
    }
    SetMaskNorm();
    ResetMask();
}

template <class T>
__aicore__ void Blocks(const Step& s)
{
    TransDataTo5HDParams params;
    params.dstHighHalf = s.dstHigh != 0;
    params.srcHighHalf = s.srcHigh != 0;
    params.repeatTimes = (uint8_t)s.repeats;
    params.dstRepStride = (uint16_t)s.dstRepeat;
    params.srcRepStride = (uint16_t)s.srcRepeat;
    uint64_t to[16], from[16];
    LocalTensor<T> dsts[16], srcs[16];
    for (int i = 0; i < 16; ++i) {
        dsts[i] = At<T>(s.dsts[i]);
        srcs[i] = At<T>(s.srcs[i]);
        to[i] = (uint64_t)dsts[i].GetPhyAddr();
        from[i] = (uint64_t)srcs[i].GetPhyAddr();
    }
    if (s.op == HD_WORDS) {
        TransDataTo5HD<T>(to, from, params);
    } else if (s.op == HD_TENSORS) {
        TransDataTo5HD<T>(dsts, srcs, params);
    } else {
        LocalTensor<uint64_t> toList = At<uint64_t>(s.work), fromList = At<uint64_t>(s.work + 128);
        for (int i = 0; i < 16; ++i) {
            toList.SetValue(i, to[i]);
            fromList.SetValue(i, from[i]);
        }
        TransDataTo5HD<T>(toList, fromList, params);
        for (int i = 0; i < 16; ++i) {  // addresses differ from run to run
            toList.SetValue(i, 0);
            fromList.SetValue(i, 0);
        }
    }
}

template <class T>
__aicore__ void Sorts(const Step& s)
{
    LocalTensor<T> d = At<T>(s.dst);
    if (s.op == SORT) {
        Sort32<T>(d, At<T>(s.src0), At<uint32_t>(s.src1), (int32_t)s.repeats);
        return;
    }
    MrgSort4Info info;
    for (int i = 0; i < 4; ++i) {
        info.elementLengths[i] = (uint16_t)s.lengths[i];
    }
    info.ifExhaustedSuspension = s.stop != 0;
    info.validBit = (uint16_t)s.valid;
    info.repeatTimes = (uint8_t)s.repeats;
    MrgSortSrcList<T> queues;
    queues.src1 = At<T>(s.queues[0]);
    queues.src2 = At<T>(s.queues[1]);
    queues.src3 = At<T>(s.queues[2]);
    queues.src4 = At<T>(s.queues[3]);
    MrgSort<T>(d, queues, info);
    if (s.stop) {
        uint16_t taken[4] = {0, 0, 0, 0};
        GetMrgSortResult(taken[0], taken[1], taken[2], taken[3]);
        LocalTensor<uint16_t> out = At<uint16_t>(s.work);
        for (int i = 0; i < 4; ++i) {
            out.SetValue(i, taken[i]);
        }
    }
}

template <class T>
__aicore__ void Images(const Step& s)  // lengths: N, C, H, W; stop: to NHWC
{
    const TransposeType type = s.stop ? TransposeType::TRANSPOSE_NCHW2NHWC : TransposeType::TRANSPOSE_NHWC2NCHW;
    const TransposeParamsExt params((uint16_t)s.lengths[0], (uint16_t)s.lengths[1], (uint16_t)s.lengths[2],
                                    (uint16_t)s.lengths[3], type);
    Transpose(At<T>(s.dst), At<T>(s.src0), At<uint8_t>(s.work), params);
}

// Sixteen scales (float) and offsets (int16_t) lie at src1; valid: of the eight bits the lower half block; stop: a count.
template <class T, bool lower>
__aicore__ void Dequantizes(const Step& s)
{
    VdeqInfo info;
    LocalTensor<float> scales = At<float>(s.src1);
    LocalTensor<int16_t> offsets = At<int16_t>(s.src1 + 64);
    for (int i = 0; i < 16; ++i) {
        info.vdeqScale[i] = scales.GetValue(i);
        info.vdeqOffset[i] = offsets.GetValue(i);
        info.vdeqSignMode[i] = std::is_same_v<T, int8_t>;
    }
    LocalTensor<uint64_t> vdeq = At<uint64_t>(s.work);
    SetDeqScale(vdeq, info);
    const UnaryRepeatParams params((uint16_t)s.dstBlock, (uint16_t)s.srcBlock, (uint8_t)s.dstRepeat, (uint8_t)s.srcRepeat);
    if (s.stop) {
        CastDequant<T, int16_t, true, lower>(At<T>(s.dst), At<int16_t>(s.src0), (uint32_t)s.mask0);
    } else {
        CastDequant<T, int16_t, true, true, lower>(At<T>(s.dst), At<int16_t>(s.src0), (int32_t)s.mask0, (uint8_t)s.repeats,
                                                   params);
    }
}

__aicore__ void RunStep(const Step& s)
{
    if (s.op == IMAGES) {
        switch (s.type) {
            case I8: Images<int8_t>(s); break;
            case F16: Images<half>(s); break;
            case I32: Images<int32_t>(s); break;
        }
    } else if (s.op == DEQUANT) {
        if (s.type == I8) {
            s.valid ? Dequantizes<int8_t, true>(s) : Dequantizes<int8_t, false>(s);
        } else {
            s.valid ? Dequantizes<uint8_t, true>(s) : Dequantizes<uint8_t, false>(s);
        }
    } else if (s.op == COPY) {
        switch (s.type) {
            case I16: Copies<int16_t>(s); break;
            case U16: Copies<uint16_t>(s); break;
            case F16: Copies<half>(s); break;
            case BF16: Copies<bfloat16_t>(s); break;
            case I32: Copies<int32_t>(s); break;
            case U32: Copies<uint32_t>(s); break;
            case F32: Copies<float>(s); break;
        }
    } else if (s.op == TRANSPOSE) {
        switch (s.type) {
            case I16: Transpose(At<int16_t>(s.dst), At<int16_t>(s.src0)); break;
            case U16: Transpose(At<uint16_t>(s.dst), At<uint16_t>(s.src0)); break;
            case F16: Transpose(At<half>(s.dst), At<half>(s.src0)); break;
        }
    } else if (s.op <= HD_ADDRESSES) {
        switch (s.type) {
            case I8: Blocks<int8_t>(s); break;
            case U8: Blocks<uint8_t>(s); break;
            case F16: Blocks<half>(s); break;
            case U16: Blocks<uint16_t>(s); break;
            case F32: Blocks<float>(s); break;
            case I32: Blocks<int32_t>(s); break;
        }
    } else {
        s.type == F16 ? Sorts<half>(s) : Sorts<float>(s);
    }
}

}  // namespace

extern "C" __global__ __aicore__ void rearranging(GM_ADDR steps, GM_ADDR in, GM_ADDR out)
{
    const int64_t count = reinterpret_cast<const int64_t*>(steps)[0];
    const Step* list = reinterpret_cast<const Step*>(steps + 32);
    GlobalTensor<uint8_t> from, to;
    from.SetGlobalBuffer((__gm__ uint8_t*)in);
    to.SetGlobalBuffer((__gm__ uint8_t*)out);
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, kImage);
    image = buffer.Get<uint8_t>();
    for (int64_t i = 0; i < count; ++i) {
        DataCopy(image, from[static_cast<uint64_t>(i) * kImage], kImage);
        PipeBarrier<PIPE_ALL>();
        RunStep(list[i]);
        PipeBarrier<PIPE_ALL>();
        DataCopy(to[static_cast<uint64_t>(i) * kImage], image, kImage);
        PipeBarrier<PIPE_ALL>();
    }
}
