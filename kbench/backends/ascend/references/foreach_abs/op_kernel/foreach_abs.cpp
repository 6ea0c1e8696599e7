// y[i] = |x[i]| for a list of tensors. The tensors are taken as one long row; each block gets a stretch of it, which
// may begin and end inside a tensor, and walks it in tiles. bfloat16 has no vector arithmetic and goes through float.
#include <type_traits>

#include "kernel_operator.h"

using namespace AscendC;

constexpr int32_t BUFFER_NUM = 2;

template <typename T>
class KernelForeachAbs {
    static constexpr bool VIA_FLOAT = std::is_same_v<T, bfloat16_t>;

public:
    __aicore__ inline KernelForeachAbs() {}

    __aicore__ inline void Init(uint32_t blockLength, uint32_t tileLength, TPipe* pipe)
    {
        begin = static_cast<uint32_t>(GetBlockIdx()) * blockLength;
        end = begin + blockLength;
        tile = tileLength;
        pipe->InitBuffer(xQueue, BUFFER_NUM, tileLength * sizeof(T));
        pipe->InitBuffer(yQueue, BUFFER_NUM, tileLength * sizeof(T));
        if constexpr (VIA_FLOAT) {
            pipe->InitBuffer(wideBuffer, tileLength * sizeof(float));
        }
    }

    __aicore__ inline void Process(GM_ADDR x, GM_ADDR y, const uint32_t* lengths, uint32_t tensorNum)
    {
        ListTensorDesc xList(reinterpret_cast<__gm__ void*>(x));
        ListTensorDesc yList(reinterpret_cast<__gm__ void*>(y));
        uint32_t start = 0;  // of the tensor, in the long row
        for (uint32_t i = 0; i < tensorNum && start < end; ++i) {
            const uint32_t stop = start + lengths[i];
            if (stop > begin) {
                xGm.SetGlobalBuffer(xList.GetDataPtr<T>(i), lengths[i]);
                yGm.SetGlobalBuffer(yList.GetDataPtr<T>(i), lengths[i]);
                ProcessPart(begin > start ? begin - start : 0, (end < stop ? end : stop) - start);
            }
            start = stop;
        }
    }

private:
    // Elements from `first` up to `last` of the tensor at hand.
    __aicore__ inline void ProcessPart(uint32_t first, uint32_t last)
    {
        for (uint32_t offset = first; offset < last; offset += tile) {
            const uint32_t count = last - offset < tile ? last - offset : tile;
            CopyIn(offset, count);
            Compute(count);
            CopyOut(offset, count);
        }
    }

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
            Abs(wide, wide, count);
            Cast(y, wide, RoundMode::CAST_RINT, count);
        } else {
            Abs(y, x, count);
        }
        yQueue.EnQue(y);
        xQueue.FreeTensor(x);
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
    GlobalTensor<T> xGm;
    GlobalTensor<T> yGm;
    uint32_t begin = 0;
    uint32_t end = 0;
    uint32_t tile = 0;
};

extern "C" __global__ __aicore__ void foreach_abs(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling)
{
    GET_TILING_DATA(tilingData, tiling);
    TPipe pipe;
    KernelForeachAbs<DTYPE_X> op;
    op.Init(tilingData.blockLength, tilingData.tileLength, &pipe);
    op.Process(x, y, tilingData.lengths, tilingData.tensorNum);
}
