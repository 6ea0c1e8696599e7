// z = x + y. Each block walks its slice in tiles.
#include "kernel_operator.h"

using namespace AscendC;

constexpr int32_t BUFFER_NUM = 2;

template <typename T>
class KernelAddCustom {
public:
    __aicore__ inline KernelAddCustom() {}

    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t totalLength, uint32_t blockLength,
                                uint32_t tileLength, TPipe* pipe)
    {
        const uint32_t begin = static_cast<uint32_t>(GetBlockIdx()) * blockLength;
        length = begin < totalLength ? totalLength - begin : 0;
        length = length < blockLength ? length : blockLength;
        tile = tileLength;
        xGm.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(x) + begin, length);
        yGm.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(y) + begin, length);
        zGm.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(z) + begin, length);
        pipe->InitBuffer(xQueue, BUFFER_NUM, tileLength * sizeof(T));
        pipe->InitBuffer(yQueue, BUFFER_NUM, tileLength * sizeof(T));
        pipe->InitBuffer(zQueue, BUFFER_NUM, tileLength * sizeof(T));
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
        LocalTensor<T> y = yQueue.AllocTensor<T>();
        DataCopyExtParams bytes{1, static_cast<uint32_t>(count * sizeof(T)), 0, 0, 0};
        DataCopyPad(x, xGm[offset], bytes, DataCopyPadExtParams<T>{});
        DataCopyPad(y, yGm[offset], bytes, DataCopyPadExtParams<T>{});
        xQueue.EnQue(x);
        yQueue.EnQue(y);
    }

    __aicore__ inline void Compute(uint32_t count)
    {
        LocalTensor<T> x = xQueue.DeQue<T>();
        LocalTensor<T> y = yQueue.DeQue<T>();
        LocalTensor<T> z = zQueue.AllocTensor<T>();
        Add(z, x, y, count);
        zQueue.EnQue(z);
        xQueue.FreeTensor(x);
        yQueue.FreeTensor(y);
    }

    __aicore__ inline void CopyOut(uint32_t offset, uint32_t count)
    {
        LocalTensor<T> z = zQueue.DeQue<T>();
        DataCopyExtParams bytes{1, static_cast<uint32_t>(count * sizeof(T)), 0, 0, 0};
        DataCopyPad(zGm[offset], z, bytes);
        zQueue.FreeTensor(z);
    }

    TQue<TPosition::VECIN, BUFFER_NUM> xQueue;
    TQue<TPosition::VECIN, BUFFER_NUM> yQueue;
    TQue<TPosition::VECOUT, BUFFER_NUM> zQueue;
    GlobalTensor<T> xGm;
    GlobalTensor<T> yGm;
    GlobalTensor<T> zGm;
    uint32_t length = 0;
    uint32_t tile = 0;
};

extern "C" __global__ __aicore__ void add_custom(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR workspace, GM_ADDR tiling)
{
    GET_TILING_DATA(tilingData, tiling);
    TPipe pipe;
    KernelAddCustom<DTYPE_X> op;
    op.Init(x, y, z, tilingData.totalLength, tilingData.blockLength, tilingData.tileLength, &pipe);
    op.Process();
}
