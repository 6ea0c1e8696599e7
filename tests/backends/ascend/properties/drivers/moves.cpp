// Runs a list of copies that the test wrote down. A step is 24 words of int64; each loads a 16 KiB image of the unified
// buffer, copies once between it and its own 16 KiB of global memory, and stores the image.
#include "kernel_operator.h"

using namespace AscendC;

namespace {

constexpr uint32_t kImage = 16 * 1024;

enum Op : int64_t {
    IN_COUNT, IN_BLOCKS, IN_PAD, IN_PAD_OLD, IN_PAD_REGISTER, OUT_COUNT, OUT_BLOCKS, OUT_PAD, OUT_PAD_OLD,
    INSIDE_COUNT, INSIDE_BLOCKS, IN_BLOCKS_RAW, OUT_BLOCKS_RAW, INSIDE_BLOCKS_RAW, IN_PAD_RAW, OUT_PAD_RAW,
    ADD, MAX, MIN, ADD_RAW, MAX_RAW, MIN_RAW, ADD_TYPE, MAX_TYPE, MIN_TYPE,
};
enum Type : int64_t { U8, F16, F32, I64, I8, I16, I32, BF16 };

struct Step {
    int64_t op, type, ub, gm, to, count, blocks, length, srcGap, dstGap, isPad, left, right, pad;
    int64_t spare[10];
};

LocalTensor<uint8_t> image;
GlobalTensor<uint8_t> memory;  // this step's global memory

// The intrinsics' own arguments.
#define PADDED 0, (uint16_t)s.blocks, (uint32_t)s.length, (uint8_t)s.left, (uint8_t)s.right, (uint32_t)s.srcGap, (uint32_t)s.dstGap

template <class T>
__aicore__ void RunPadded(const Step& s, __ubuf__ T* ub, __gm__ T* gm)
{
    if (s.op == IN_PAD_RAW) {
        set_mov_pad_val((uint64_t)s.pad);
        if constexpr (sizeof(T) == 1) {
            copy_gm_to_ubuf_align_b8(ub, gm, PADDED);
        } else if constexpr (sizeof(T) == 2) {
            copy_gm_to_ubuf_align_b16(ub, gm, PADDED);
        } else {
            copy_gm_to_ubuf_align_b32(ub, gm, PADDED);
        }
    } else if constexpr (sizeof(T) == 1) {
        copy_ubuf_to_gm_align_b8(gm, ub, PADDED);
    } else if constexpr (sizeof(T) == 2) {
        copy_ubuf_to_gm_align_b16(gm, ub, PADDED);
    } else {
        copy_ubuf_to_gm_align_b32(gm, ub, PADDED);
    }
}

template <class T>
__aicore__ void Run(const Step& s)
{
    LocalTensor<uint8_t> bytes = image[static_cast<uint32_t>(s.ub)], other = image[static_cast<uint32_t>(s.to)];
    LocalTensor<T> ub = bytes.ReinterpretCast<T>(), to = other.ReinterpretCast<T>();
    GlobalTensor<T> gm;
    gm.SetGlobalBuffer((__gm__ T*)(memory.GetPhyAddr() + s.gm), (kImage - s.gm) / sizeof(T));
    const DataCopyParams units((uint16_t)s.blocks, (uint16_t)s.length, (uint16_t)s.srcGap, (uint16_t)s.dstGap);
    const DataCopyExtParams bytesOf((uint16_t)s.blocks, (uint32_t)s.length, (uint32_t)s.srcGap, (uint32_t)s.dstGap, 0);
    T pad;
    __builtin_memcpy(&pad, &s.pad, sizeof(T));
    switch (s.op) {
        case IN_COUNT: DataCopy(ub, gm, (uint32_t)s.count); break;
        case IN_BLOCKS: DataCopy(ub, gm, units); break;
        case IN_PAD:
            DataCopyPad(ub, gm, bytesOf, DataCopyPadExtParams<T>(s.isPad != 0, (uint8_t)s.left, (uint8_t)s.right, pad));
            break;
        case IN_PAD_OLD:
            DataCopyPad(ub, gm, units, DataCopyPadParams(s.isPad != 0, (uint8_t)s.left, (uint8_t)s.right, (uint64_t)s.pad));
            break;
        case IN_PAD_REGISTER:
            SetPadValue<T>(pad);
            DataCopyPad(ub, gm, bytesOf, DataCopyPadExtParams<T>(false, (uint8_t)s.left, (uint8_t)s.right, (T)0));
            break;
        case OUT_COUNT: DataCopy(gm, ub, (uint32_t)s.count); break;
        case OUT_BLOCKS: DataCopy(gm, ub, units); break;
        case OUT_PAD: DataCopyPad(gm, ub, bytesOf); break;
        case OUT_PAD_OLD: DataCopyPad(gm, ub, units); break;
        case INSIDE_COUNT: DataCopy(to, ub, (uint32_t)s.count); break;
        case INSIDE_BLOCKS: DataCopy(to, ub, units); break;
        case IN_BLOCKS_RAW: DataCopyGM2UBImpl((__ubuf__ T*)ub.GetPhyAddr(), gm.GetPhyAddr(), units); break;
        case OUT_BLOCKS_RAW: DataCopyUB2GMImpl(gm.GetPhyAddr(), (__ubuf__ T*)ub.GetPhyAddr(), units); break;
        case INSIDE_BLOCKS_RAW: DataCopyUB2UBImpl((__ubuf__ T*)to.GetPhyAddr(), (__ubuf__ T*)ub.GetPhyAddr(), units); break;
        case IN_PAD_RAW: case OUT_PAD_RAW: RunPadded<T>(s, (__ubuf__ T*)ub.GetPhyAddr(), gm.GetPhyAddr()); break;
    }
}

template <class T>
__aicore__ void RawType()
{
    if constexpr (std::is_same_v<T, int8_t>) { set_atomic_s8(); }
    if constexpr (std::is_same_v<T, int16_t>) { set_atomic_s16(); }
    if constexpr (std::is_same_v<T, half>) { set_atomic_f16(); }
    if constexpr (std::is_same_v<T, bfloat16_t>) { set_atomic_bf16(); }
    if constexpr (std::is_same_v<T, int32_t>) { set_atomic_s32(); }
    if constexpr (std::is_same_v<T, float>) { set_atomic_f32(); }
}

template <class T>
__aicore__ void Atomic(const Step& s)
{
    LocalTensor<uint8_t> bytes = image[static_cast<uint32_t>(s.ub)];
    LocalTensor<T> ub = bytes.ReinterpretCast<T>();
    GlobalTensor<T> gm;
    gm.SetGlobalBuffer((__gm__ T*)(memory.GetPhyAddr() + s.gm), (kImage - s.gm) / sizeof(T));
    switch (s.op) {
        case ADD: SetAtomicAdd<T>(); break;
        case MAX: SetAtomicMax<T>(); break;
        case MIN: SetAtomicMin<T>(); break;
        case ADD_RAW: set_atomic_add(); RawType<T>(); break;
        case MAX_RAW: set_atomic_max(); RawType<T>(); break;
        case MIN_RAW: set_atomic_min(); RawType<T>(); break;
        // the operation stays, the type changes
        case ADD_TYPE: SetAtomicAdd<int8_t>(); SetAtomicType<T>(); break;
        case MAX_TYPE: SetAtomicMax<int8_t>(); SetAtomicType<T>(); break;
        case MIN_TYPE: SetAtomicMin<int8_t>(); SetAtomicType<T>(); break;
    }
    DataCopyPad(gm, ub, DataCopyExtParams((uint16_t)s.blocks, (uint32_t)s.length, (uint32_t)s.srcGap, (uint32_t)s.dstGap, 0));
    SetAtomicNone();
}

__aicore__ void RunStep(const Step& s)
{
    if (s.op >= ADD) {
        switch (s.type) {
            case I8: Atomic<int8_t>(s); break;
            case I16: Atomic<int16_t>(s); break;
            case F16: Atomic<half>(s); break;
            case BF16: Atomic<bfloat16_t>(s); break;
            case I32: Atomic<int32_t>(s); break;
            case F32: Atomic<float>(s); break;
        }
        return;
    }
    switch (s.type) {
        case U8: Run<uint8_t>(s); break;
        case F16: Run<half>(s); break;
        case F32: Run<float>(s); break;
        case I64: Run<int64_t>(s); break;
    }
}

}  // namespace

extern "C" __global__ __aicore__ void moves(GM_ADDR steps, GM_ADDR in, GM_ADDR out, GM_ADDR memories)
{
    const int64_t count = reinterpret_cast<const int64_t*>(steps)[0];
    const Step* list = reinterpret_cast<const Step*>(steps + 32);
    GlobalTensor<uint8_t> from, to;
    from.SetGlobalBuffer((__gm__ uint8_t*)in);
    to.SetGlobalBuffer((__gm__ uint8_t*)out);
    TPipe pipe;
    TBuf<TPosition::VECIN> buffer;
    pipe.InitBuffer(buffer, kImage);
    image = buffer.Get<uint8_t>();
    for (int64_t i = 0; i < count; ++i) {
        DataCopy(image, from[static_cast<uint64_t>(i) * kImage], kImage);
        memory.SetGlobalBuffer((__gm__ uint8_t*)memories + i * kImage, kImage);
        PipeBarrier<PIPE_ALL>();
        RunStep(list[i]);
        PipeBarrier<PIPE_ALL>();
        DataCopy(to[static_cast<uint64_t>(i) * kImage], image, kImage);
        PipeBarrier<PIPE_ALL>();
    }
}
