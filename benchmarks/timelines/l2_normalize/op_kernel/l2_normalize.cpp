// y = x / sqrt(sum of x^2). Each block sums the squares of its slice, writes its part to the workspace, and after a
// barrier adds all parts and scales its slice.
#include "kernel_operator.h"

using namespace AscendC;

constexpr int32_t BUFFER_NUM = 2;
constexpr uint32_t PART = 8;  // floats of a block's part: one 32-byte block, so that no two share one
constexpr uint32_t REPEAT = 64;

class KernelL2Normalize {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, GM_ADDR parts, uint32_t blockLength, uint32_t tileLength,
                                TPipe* pipe)
    {
        length = blockLength;
        tile = tileLength;
        blocks = static_cast<uint32_t>(GetBlockNum());
        const uint32_t begin = static_cast<uint32_t>(GetBlockIdx()) * blockLength;
        xGm.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(x) + begin, length);
        yGm.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(y) + begin, length);
        partsGm.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(parts), blocks * PART);
        pipe->InitBuffer(xQueue, BUFFER_NUM, tile * sizeof(float));
        pipe->InitBuffer(yQueue, BUFFER_NUM, tile * sizeof(float));
        pipe->InitBuffer(partQueue, 1, PART * sizeof(float));
        pipe->InitBuffer(partsQueue, 1, blocks * PART * sizeof(float));
        pipe->InitBuffer(sumBuffer, tile * sizeof(float));
        pipe->InitBuffer(squareBuffer, tile * sizeof(float));
        pipe->InitBuffer(reduceBuffer, tile / REPEAT * sizeof(float));
    }

    __aicore__ inline void Process()
    {
        Duplicate(sumBuffer.Get<float>(), 0.0f, tile);
        for (uint32_t offset = 0; offset < length; offset += tile) {
            CopyIn(offset);
            Square();
        }
        WritePart();
        SyncAll();
        const float scale = 1.0f / Norm();
        for (uint32_t offset = 0; offset < length; offset += tile) {
            CopyIn(offset);
            Scale(scale);
            CopyOut(offset);
        }
    }

private:
    __aicore__ inline void CopyIn(uint32_t offset)
    {
        LocalTensor<float> x = xQueue.AllocTensor<float>();
        DataCopy(x, xGm[offset], tile);
        xQueue.EnQue(x);
    }

    __aicore__ inline void Square()
    {
        LocalTensor<float> x = xQueue.DeQue<float>();
        LocalTensor<float> square = squareBuffer.Get<float>();
        LocalTensor<float> sum = sumBuffer.Get<float>();
        Mul(square, x, x, tile);
        Add(sum, sum, square, tile);
        xQueue.FreeTensor(x);
    }

    __aicore__ inline void WritePart()
    {
        LocalTensor<float> part = partQueue.AllocTensor<float>();
        Duplicate(part, 0.0f, PART);
        ReduceSum(part, sumBuffer.Get<float>(), reduceBuffer.Get<float>(), static_cast<int32_t>(tile));
        partQueue.EnQue(part);
        part = partQueue.DeQue<float>();
        DataCopy(partsGm[static_cast<uint32_t>(GetBlockIdx()) * PART], part, PART);
        partQueue.FreeTensor(part);
    }

    __aicore__ inline float Norm()
    {
        LocalTensor<float> parts = partsQueue.AllocTensor<float>();
        DataCopy(parts, partsGm, blocks * PART);
        partsQueue.EnQue(parts);
        parts = partsQueue.DeQue<float>();
        LocalTensor<float> total = sumBuffer.Get<float>();
        ReduceSum(total, parts, reduceBuffer.Get<float>(), static_cast<int32_t>(blocks * PART));
        Sqrt(total, total, PART);
        partsQueue.FreeTensor(parts);
        return total.GetValue(0);
    }

    __aicore__ inline void Scale(float scale)
    {
        LocalTensor<float> x = xQueue.DeQue<float>();
        LocalTensor<float> y = yQueue.AllocTensor<float>();
        Muls(y, x, scale, tile);
        yQueue.EnQue(y);
        xQueue.FreeTensor(x);
    }

    __aicore__ inline void CopyOut(uint32_t offset)
    {
        LocalTensor<float> y = yQueue.DeQue<float>();
        DataCopy(yGm[offset], y, tile);
        yQueue.FreeTensor(y);
    }

    TQue<TPosition::VECIN, BUFFER_NUM> xQueue;
    TQue<TPosition::VECOUT, BUFFER_NUM> yQueue;
    TQue<TPosition::VECOUT, 1> partQueue;
    TQue<TPosition::VECIN, 1> partsQueue;
    TBuf<TPosition::VECCALC> sumBuffer;
    TBuf<TPosition::VECCALC> squareBuffer;
    TBuf<TPosition::VECCALC> reduceBuffer;
    GlobalTensor<float> xGm;
    GlobalTensor<float> yGm;
    GlobalTensor<float> partsGm;
    uint32_t length = 0;
    uint32_t tile = 0;
    uint32_t blocks = 0;
};

extern "C" __global__ __aicore__ void l2_normalize(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling)
{
    GET_TILING_DATA(tilingData, tiling);
    TPipe pipe;
    KernelL2Normalize op;
    op.Init(x, y, GetUserWorkspace(workspace), tilingData.blockLength, tilingData.tileLength, &pipe);
    op.Process();
}
