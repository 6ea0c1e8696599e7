// y = (x1 == x2), one byte of 0 or 1 for each element.
//
// Compare gives one bit an element and knows half, float and int32: 8-bit integers are compared as half and bfloat16 as
// float, both exact; uint32 has the bits of int32. Select turns bits into halves of 0 and 1, Cast these into bytes.
#include <type_traits>

#include "kernel_operator.h"

using namespace AscendC;

constexpr int32_t BUFFER_NUM = 2;

template <typename T>
class KernelEqual {
    static constexpr bool IS_BYTE = sizeof(T) == sizeof(int8_t);
    static constexpr bool IS_BFLOAT = std::is_same_v<T, bfloat16_t>;
    static constexpr bool IS_WIDENED = IS_BYTE || IS_BFLOAT;
    static constexpr bool IS_UNSIGNED_WORD = std::is_same_v<T, uint32_t>;
    using Same = std::conditional_t<IS_UNSIGNED_WORD, int32_t, T>;
    using Compared = std::conditional_t<IS_BYTE, half, std::conditional_t<IS_BFLOAT, float, Same>>;

public:
    __aicore__ inline KernelEqual() {}

    __aicore__ inline void Init(GM_ADDR x1, GM_ADDR x2, GM_ADDR y, uint32_t totalLength, uint32_t blockLength,
                                uint32_t tileLength, TPipe* pipe)
    {
        const uint32_t begin = static_cast<uint32_t>(GetBlockIdx()) * blockLength;
        length = begin < totalLength ? totalLength - begin : 0;
        length = length < blockLength ? length : blockLength;
        tile = tileLength;
        x1Gm.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(x1) + begin, length);
        x2Gm.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(x2) + begin, length);
        yGm.SetGlobalBuffer(reinterpret_cast<__gm__ uint8_t*>(y) + begin, length);
        pipe->InitBuffer(x1Queue, BUFFER_NUM, tileLength * sizeof(T));
        pipe->InitBuffer(x2Queue, BUFFER_NUM, tileLength * sizeof(T));
        pipe->InitBuffer(yQueue, BUFFER_NUM, tileLength);
        if constexpr (IS_WIDENED) {
            pipe->InitBuffer(wide1Buffer, tileLength * sizeof(Compared));
            pipe->InitBuffer(wide2Buffer, tileLength * sizeof(Compared));
        }
        pipe->InitBuffer(bitsBuffer, tileLength / 8);
        pipe->InitBuffer(onesBuffer, tileLength * sizeof(half));
        pipe->InitBuffer(flagsBuffer, tileLength * sizeof(half));
        Duplicate(onesBuffer.Get<half>(), static_cast<half>(1), tileLength);
    }

    __aicore__ inline void Process()
    {
        for (uint32_t offset = 0; offset < length; offset += tile) {
            const uint32_t count = length - offset < tile ? length - offset : tile;
            CopyIn(offset, count);
            Compute(count);
            CopyOut(offset, count);
        }
    }

private:
    __aicore__ inline void CopyIn(uint32_t offset, uint32_t count)
    {
        LocalTensor<T> x1 = x1Queue.AllocTensor<T>();
        LocalTensor<T> x2 = x2Queue.AllocTensor<T>();
        DataCopyExtParams bytes{1, static_cast<uint32_t>(count * sizeof(T)), 0, 0, 0};
        DataCopyPad(x1, x1Gm[offset], bytes, DataCopyPadExtParams<T>{});
        DataCopyPad(x2, x2Gm[offset], bytes, DataCopyPadExtParams<T>{});
        x1Queue.EnQue(x1);
        x2Queue.EnQue(x2);
    }

    __aicore__ inline void Compute(uint32_t count)
    {
        LocalTensor<T> x1 = x1Queue.DeQue<T>();
        LocalTensor<T> x2 = x2Queue.DeQue<T>();
        LocalTensor<uint8_t> y = yQueue.AllocTensor<uint8_t>();
        LocalTensor<uint8_t> bits = bitsBuffer.Get<uint8_t>();
        LocalTensor<half> flags = flagsBuffer.Get<half>();
        CompareBits(bits, x1, x2, count);
        Select(flags, bits, onesBuffer.Get<half>(), static_cast<half>(0), SELMODE::VSEL_TENSOR_SCALAR_MODE, count);
        Cast(y, flags, RoundMode::CAST_RINT, count);
        yQueue.EnQue(y);
        x1Queue.FreeTensor(x1);
        x2Queue.FreeTensor(x2);
    }

    __aicore__ inline void CompareBits(const LocalTensor<uint8_t>& bits, const LocalTensor<T>& x1,
                                       const LocalTensor<T>& x2, uint32_t count)
    {
        // Compare computes whole repeats of 256 bytes; what the last one holds beyond count is not copied out.
        constexpr uint32_t repeat = 256 / sizeof(Compared);
        const uint32_t whole = (count + repeat - 1) / repeat * repeat;
        if constexpr (IS_WIDENED) {
            LocalTensor<Compared> wide1 = wide1Buffer.Get<Compared>();
            LocalTensor<Compared> wide2 = wide2Buffer.Get<Compared>();
            Cast(wide1, x1, RoundMode::CAST_NONE, count);
            Cast(wide2, x2, RoundMode::CAST_NONE, count);
            Compare(bits, wide1, wide2, CMPMODE::EQ, whole);
        } else {
            Compare(bits, x1.template ReinterpretCast<Compared>(), x2.template ReinterpretCast<Compared>(), CMPMODE::EQ,
                    whole);
        }
    }

    __aicore__ inline void CopyOut(uint32_t offset, uint32_t count)
    {
        LocalTensor<uint8_t> y = yQueue.DeQue<uint8_t>();
        DataCopyExtParams bytes{1, count, 0, 0, 0};
        DataCopyPad(yGm[offset], y, bytes);
        yQueue.FreeTensor(y);
    }

    TQue<TPosition::VECIN, BUFFER_NUM> x1Queue;
    TQue<TPosition::VECIN, BUFFER_NUM> x2Queue;
    TQue<TPosition::VECOUT, BUFFER_NUM> yQueue;
    TBuf<TPosition::VECCALC> wide1Buffer;
    TBuf<TPosition::VECCALC> wide2Buffer;
    TBuf<TPosition::VECCALC> bitsBuffer;
    TBuf<TPosition::VECCALC> onesBuffer;
    TBuf<TPosition::VECCALC> flagsBuffer;
    GlobalTensor<T> x1Gm;
    GlobalTensor<T> x2Gm;
    GlobalTensor<uint8_t> yGm;
    uint32_t length = 0;
    uint32_t tile = 0;
};

extern "C" __global__ __aicore__ void equal(GM_ADDR x1, GM_ADDR x2, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling)
{
    GET_TILING_DATA(tilingData, tiling);
    TPipe pipe;
    KernelEqual<DTYPE_X1> op;
    op.Init(x1, x2, y, tilingData.totalLength, tilingData.blockLength, tilingData.tileLength, &pipe);
    op.Process();
}
