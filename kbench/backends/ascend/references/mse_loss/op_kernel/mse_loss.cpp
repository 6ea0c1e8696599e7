// d = (predict - label)^2; y = d (tiling key 1), or the sum of d times a scale (tiling key 2), all computed in float.
//
// A reduced sum is the same on every run: each block adds its tiles lane by lane and reduces the lanes once, writes its
// part to the workspace, and after a barrier the first block adds the parts in order.
#include <type_traits>

#include "kernel_operator.h"

using namespace AscendC;

constexpr int32_t BUFFER_NUM = 2;
constexpr uint32_t PARTIAL_FLOATS = 8;  // a block's part takes one 32-byte block, so that no two share one
constexpr uint32_t FLOATS_PER_REPEAT = 64;

struct MseLossShape {
    uint32_t totalLength;
    uint32_t blockLength;
    uint32_t tileLength;
};

template <typename T, bool REDUCED>
class KernelMseLoss {
    static constexpr bool VIA_FLOAT = !std::is_same_v<T, float>;

public:
    __aicore__ inline KernelMseLoss() {}

    __aicore__ inline void Init(GM_ADDR predict, GM_ADDR label, GM_ADDR y, GM_ADDR userWorkspace,
                                const MseLossShape& shape, TPipe* pipe)
    {
        const uint32_t begin = static_cast<uint32_t>(GetBlockIdx()) * shape.blockLength;
        length = begin < shape.totalLength ? shape.totalLength - begin : 0;
        length = length < shape.blockLength ? length : shape.blockLength;
        tile = shape.tileLength;
        predictGm.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(predict) + begin, length);
        labelGm.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(label) + begin, length);
        pipe->InitBuffer(predictQueue, BUFFER_NUM, tile * sizeof(T));
        pipe->InitBuffer(labelQueue, BUFFER_NUM, tile * sizeof(T));
        if constexpr (VIA_FLOAT) {
            pipe->InitBuffer(widePredictBuffer, tile * sizeof(float));
            pipe->InitBuffer(wideLabelBuffer, tile * sizeof(float));
        }
        if constexpr (REDUCED) {
            yGm.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(y), 1);
            partialGm.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(userWorkspace), PartialFloats());
            pipe->InitBuffer(sumBuffer, tile * sizeof(float));
            pipe->InitBuffer(partialQueue, 1, PARTIAL_FLOATS * sizeof(float));
            pipe->InitBuffer(partsQueue, 1, PartialFloats() * sizeof(float));
            pipe->InitBuffer(reduceBuffer, tile / FLOATS_PER_REPEAT * sizeof(float));
            pipe->InitBuffer(yQueue, 1, PARTIAL_FLOATS * sizeof(float));
        } else {
            yGm.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(y) + begin, length);
            pipe->InitBuffer(yQueue, BUFFER_NUM, tile * sizeof(T));
        }
    }

    __aicore__ inline void Process(float scale)
    {
        if constexpr (REDUCED) {
            Duplicate(sumBuffer.Get<float>(), 0.0f, tile);
        }
        for (uint32_t offset = 0; offset < length; offset += tile) {
            const uint32_t count = length - offset < tile ? length - offset : tile;
            CopyIn(offset, count);
            Compute(offset, count);
        }
        if constexpr (REDUCED) {
            WritePartial();
            SyncAll();
            if (GetBlockIdx() == 0) {
                AddPartials(scale);
            }
        }
    }

private:
    __aicore__ inline void CopyIn(uint32_t offset, uint32_t count)
    {
        LocalTensor<T> predict = predictQueue.template AllocTensor<T>();
        LocalTensor<T> label = labelQueue.template AllocTensor<T>();
        DataCopyExtParams bytes{1, static_cast<uint32_t>(count * sizeof(T)), 0, 0, 0};
        DataCopyPad(predict, predictGm[offset], bytes, DataCopyPadExtParams<T>{});
        DataCopyPad(label, labelGm[offset], bytes, DataCopyPadExtParams<T>{});
        predictQueue.EnQue(predict);
        labelQueue.EnQue(label);
    }

    __aicore__ inline void Compute(uint32_t offset, uint32_t count)
    {
        LocalTensor<T> predict = predictQueue.template DeQue<T>();
        LocalTensor<T> label = labelQueue.template DeQue<T>();
        if constexpr (VIA_FLOAT) {
            LocalTensor<float> widePredict = widePredictBuffer.Get<float>();
            LocalTensor<float> wideLabel = wideLabelBuffer.Get<float>();
            Cast(widePredict, predict, RoundMode::CAST_NONE, count);
            Cast(wideLabel, label, RoundMode::CAST_NONE, count);
            Consume(widePredict, wideLabel, offset, count);
        } else {
            Consume(predict, label, offset, count);
        }
        predictQueue.FreeTensor(predict);
        labelQueue.FreeTensor(label);
    }

    // Squares the difference, in place of the prediction, and adds it to the running sum or writes it out.
    __aicore__ inline void Consume(const LocalTensor<float>& predict, const LocalTensor<float>& label, uint32_t offset,
                                   uint32_t count)
    {
        Sub(predict, predict, label, count);
        Mul(predict, predict, predict, count);
        if constexpr (REDUCED) {
            LocalTensor<float> sum = sumBuffer.Get<float>();
            Add(sum, sum, predict, count);
        } else {
            LocalTensor<T> y = yQueue.template AllocTensor<T>();
            if constexpr (VIA_FLOAT) {
                Cast(y, predict, RoundMode::CAST_RINT, count);
            } else {
                Adds(y, predict, 0.0f, count);
            }
            yQueue.EnQue(y);
            CopyOut(offset, count);
        }
    }

    __aicore__ inline void CopyOut(uint32_t offset, uint32_t count)
    {
        LocalTensor<T> y = yQueue.template DeQue<T>();
        DataCopyExtParams bytes{1, static_cast<uint32_t>(count * sizeof(T)), 0, 0, 0};
        DataCopyPad(yGm[offset], y, bytes);
        yQueue.FreeTensor(y);
    }

    __aicore__ inline uint32_t PartialFloats()
    {
        return static_cast<uint32_t>(GetBlockNum()) * PARTIAL_FLOATS;
    }

    __aicore__ inline void WritePartial()
    {
        LocalTensor<float> sum = sumBuffer.Get<float>();
        LocalTensor<float> partial = partialQueue.template AllocTensor<float>();
        Duplicate(partial, 0.0f, PARTIAL_FLOATS);
        ReduceSum(partial, sum, reduceBuffer.Get<float>(), static_cast<int32_t>(tile));
        partialQueue.EnQue(partial);
        partial = partialQueue.template DeQue<float>();
        DataCopy(partialGm[static_cast<uint32_t>(GetBlockIdx()) * PARTIAL_FLOATS], partial, PARTIAL_FLOATS);
        partialQueue.FreeTensor(partial);
    }

    __aicore__ inline void AddPartials(float scale)
    {
        LocalTensor<float> parts = partsQueue.template AllocTensor<float>();
        DataCopy(parts, partialGm, PartialFloats());
        partsQueue.EnQue(parts);
        parts = partsQueue.template DeQue<float>();
        LocalTensor<float> total = sumBuffer.Get<float>();
        ReduceSum(total, parts, reduceBuffer.Get<float>(), static_cast<int32_t>(PartialFloats()));
        Muls(total, total, scale, 1);
        LocalTensor<T> y = yQueue.template AllocTensor<T>();
        if constexpr (VIA_FLOAT) {
            Cast(y, total, RoundMode::CAST_RINT, 1);
        } else {
            Adds(y, total, 0.0f, 1);
        }
        yQueue.EnQue(y);
        CopyOut(0, 1);
        partsQueue.FreeTensor(parts);
    }

    TQue<TPosition::VECIN, BUFFER_NUM> predictQueue;
    TQue<TPosition::VECIN, BUFFER_NUM> labelQueue;
    TQue<TPosition::VECIN, 1> partsQueue;
    TQue<TPosition::VECOUT, BUFFER_NUM> yQueue;
    TQue<TPosition::VECOUT, 1> partialQueue;
    TBuf<TPosition::VECCALC> widePredictBuffer;
    TBuf<TPosition::VECCALC> wideLabelBuffer;
    TBuf<TPosition::VECCALC> sumBuffer;
    TBuf<TPosition::VECCALC> reduceBuffer;
    GlobalTensor<T> predictGm;
    GlobalTensor<T> labelGm;
    GlobalTensor<T> yGm;
    GlobalTensor<float> partialGm;
    uint32_t length = 0;
    uint32_t tile = 0;
};

extern "C" __global__ __aicore__ void mse_loss(GM_ADDR predict, GM_ADDR label, GM_ADDR y, GM_ADDR workspace,
                                               GM_ADDR tiling)
{
    GET_TILING_DATA(tilingData, tiling);
    const MseLossShape shape{tilingData.totalLength, tilingData.blockLength, tilingData.tileLength};
    TPipe pipe;
    if (TILING_KEY_IS(1)) {
        KernelMseLoss<DTYPE_Y, false> op;
        op.Init(predict, label, y, nullptr, shape, &pipe);
        op.Process(tilingData.scale);
    } else if (TILING_KEY_IS(2)) {
        KernelMseLoss<DTYPE_Y, true> op;
        op.Init(predict, label, y, GetUserWorkspace(workspace), shape, &pipe);
        op.Process(tilingData.scale);
    }
}
