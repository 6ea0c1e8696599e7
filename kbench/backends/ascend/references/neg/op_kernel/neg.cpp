// y = -x. bfloat16 goes through float, int8 through half; int32 wraps by itself, int8 is made to.
#include <type_traits>

#include "kernel_operator.h"

using namespace AscendC;

constexpr int32_t BUFFER_NUM = 2;

template <typename T>
class KernelNeg {
    static constexpr bool VIA_FLOAT = std::is_same_v<T, bfloat16_t>;
    static constexpr bool VIA_HALF = std::is_same_v<T, int8_t>;

public:
    __aicore__ inline KernelNeg() {}

    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, uint32_t totalLength, uint32_t blockLength, uint32_t tileLength,
                                TPipe* pipe)
    {
        const uint32_t begin = static_cast<uint32_t>(GetBlockIdx()) * blockLength;
        length = begin < totalLength ? totalLength - begin : 0;
        length = length < blockLength ? length : blockLength;
        tile = tileLength;
        xGm.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(x) + begin, length);
        yGm.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(y) + begin, length);
        pipe->InitBuffer(xQueue, BUFFER_NUM, tileLength * sizeof(T));
        pipe->InitBuffer(yQueue, BUFFER_NUM, tileLength * sizeof(T));
        if constexpr (VIA_FLOAT) {
            pipe->InitBuffer(wideBuffer, tileLength * sizeof(float));
        }
        if constexpr (VIA_HALF) {
            pipe->InitBuffer(wideBuffer, tileLength * sizeof(half));
            pipe->InitBuffer(excessBuffer, tileLength * sizeof(half));
        }
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
        LocalTensor<T> x = xQueue.AllocTensor<T>();
        DataCopyExtParams bytes{1, static_cast<uint32_t>(count * sizeof(T)), 0, 0, 0};
        DataCopyPad(x, xGm[offset], bytes, DataCopyPadExtParams<T>{});
        xQueue.EnQue(x);
    }

    __aicore__ inline void Compute(uint32_t count)
    {
        LocalTensor<T> x = xQueue.DeQue<T>();
        LocalTensor<T> y = yQueue.AllocTensor<T>();
        if constexpr (VIA_FLOAT) {
            LocalTensor<float> wide = wideBuffer.Get<float>();
            Cast(wide, x, RoundMode::CAST_NONE, count);
            Muls(wide, wide, -1.0f, count);
            Cast(y, wide, RoundMode::CAST_RINT, count);
        } else if constexpr (VIA_HALF) {
            NegateBytes(y, x, count);
        } else {
            Muls(y, x, static_cast<T>(-1), count);
        }
        yQueue.EnQue(y);
        xQueue.FreeTensor(x);
    }

    // -(-128) is -128 in eight bits, but the cast back to int8 saturates: subtract 256 where the half exceeds 127.
    __aicore__ inline void NegateBytes(const LocalTensor<int8_t>& y, const LocalTensor<int8_t>& x, uint32_t count)
    {
        LocalTensor<half> wide = wideBuffer.Get<half>();
        LocalTensor<half> excess = excessBuffer.Get<half>();
        Cast(wide, x, RoundMode::CAST_NONE, count);
        Muls(wide, wide, static_cast<half>(-1), count);
        Adds(excess, wide, static_cast<half>(-127), count);
        Relu(excess, excess, count);
        Muls(excess, excess, static_cast<half>(256), count);
        Sub(wide, wide, excess, count);
        Cast(y, wide, RoundMode::CAST_RINT, count);
    }

    __aicore__ inline void CopyOut(uint32_t offset, uint32_t count)
    {
        LocalTensor<T> y = yQueue.DeQue<T>();
        DataCopyExtParams bytes{1, static_cast<uint32_t>(count * sizeof(T)), 0, 0, 0};
        DataCopyPad(yGm[offset], y, bytes);
        yQueue.FreeTensor(y);
    }

    TQue<TPosition::VECIN, BUFFER_NUM> xQueue;
    TQue<TPosition::VECOUT, BUFFER_NUM> yQueue;
    TBuf<TPosition::VECCALC> wideBuffer;
    TBuf<TPosition::VECCALC> excessBuffer;
    GlobalTensor<T> xGm;
    GlobalTensor<T> yGm;
    uint32_t length = 0;
    uint32_t tile = 0;
};

extern "C" __global__ __aicore__ void neg(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling)
{
    GET_TILING_DATA(tilingData, tiling);
    TPipe pipe;
    KernelNeg<DTYPE_X> op;
    op.Init(x, y, tilingData.totalLength, tilingData.blockLength, tilingData.tileLength, &pipe);
    op.Process();
}
