// t = sigmoid(t1 * x1); s = t where t < t2, else 2 t; out = s * x2 * t3, with x2 repeated for every row of x1.
//
// Each block walks its slice of the flattened x1 in tiles that do not cross a row, so that a tile meets a stretch of
// x2. Everything is computed in float and rounded once.
#include "kernel_operator.h"

using namespace AscendC;

constexpr int32_t BUFFER_NUM = 2;
constexpr uint32_t FLOATS_PER_REPEAT = 64;

struct MulSigmoidFactors {
    float t1;
    float t2;
    float t3;
};

class KernelMulSigmoid {
public:
    __aicore__ inline KernelMulSigmoid() {}

    __aicore__ inline void Init(GM_ADDR x1, GM_ADDR x2, GM_ADDR out, uint32_t totalLength, uint32_t blockLength,
                                uint32_t tileLength, uint32_t rowLength, TPipe* pipe)
    {
        begin = static_cast<uint32_t>(GetBlockIdx()) * blockLength;
        length = begin < totalLength ? totalLength - begin : 0;
        length = length < blockLength ? length : blockLength;
        tile = tileLength;
        row = rowLength;
        x1Gm.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(x1) + begin, length);
        x2Gm.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(x2), rowLength);
        outGm.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(out) + begin, length);
        pipe->InitBuffer(x1Queue, BUFFER_NUM, tileLength * sizeof(half));
        pipe->InitBuffer(x2Queue, BUFFER_NUM, tileLength * sizeof(half));
        pipe->InitBuffer(outQueue, BUFFER_NUM, tileLength * sizeof(half));
        pipe->InitBuffer(sigmoidBuffer, tileLength * sizeof(float));
        pipe->InitBuffer(doubledBuffer, tileLength * sizeof(float));
        pipe->InitBuffer(onesBuffer, tileLength * sizeof(float));
        pipe->InitBuffer(factorBuffer, tileLength * sizeof(float));
        pipe->InitBuffer(belowBuffer, tileLength / 8);
        Duplicate(onesBuffer.Get<float>(), 1.0f, tileLength);
    }

    __aicore__ inline void Process(const MulSigmoidFactors& factors)
    {
        uint32_t offset = 0;
        while (offset < length) {
            const uint32_t column = (begin + offset) % row;
            uint32_t count = length - offset < tile ? length - offset : tile;
            count = count < row - column ? count : row - column;
            CopyIn(offset, column, count);
            Compute(factors, count);
            CopyOut(offset, count);
            offset += count;
        }
    }

private:
    __aicore__ inline void CopyIn(uint32_t offset, uint32_t column, uint32_t count)
    {
        LocalTensor<half> x1 = x1Queue.AllocTensor<half>();
        LocalTensor<half> x2 = x2Queue.AllocTensor<half>();
        DataCopyExtParams bytes{1, static_cast<uint32_t>(count * sizeof(half)), 0, 0, 0};
        DataCopyPad(x1, x1Gm[offset], bytes, DataCopyPadExtParams<half>{});
        DataCopyPad(x2, x2Gm[column], bytes, DataCopyPadExtParams<half>{});
        x1Queue.EnQue(x1);
        x2Queue.EnQue(x2);
    }

    __aicore__ inline void Compute(const MulSigmoidFactors& factors, uint32_t count)
    {
        LocalTensor<half> x1 = x1Queue.DeQue<half>();
        LocalTensor<half> x2 = x2Queue.DeQue<half>();
        LocalTensor<half> out = outQueue.AllocTensor<half>();
        LocalTensor<float> s = sigmoidBuffer.Get<float>();
        LocalTensor<float> factor = factorBuffer.Get<float>();
        Cast(s, x1, RoundMode::CAST_NONE, count);
        Sigmoid(s, factors.t1, count);
        DoubleFrom(s, factors.t2, count);
        Cast(factor, x2, RoundMode::CAST_NONE, count);
        Mul(s, s, factor, count);
        Muls(s, s, factors.t3, count);
        Cast(out, s, RoundMode::CAST_RINT, count);
        outQueue.EnQue(out);
        x1Queue.FreeTensor(x1);
        x2Queue.FreeTensor(x2);
    }

    // s = 1 / (1 + exp(-scale * s))
    __aicore__ inline void Sigmoid(const LocalTensor<float>& s, float scale, uint32_t count)
    {
        Muls(s, s, -scale, count);
        Exp(s, s, count);
        Adds(s, s, 1.0f, count);
        Div(s, onesBuffer.Get<float>(), s, count);
    }

    // s = s where s < threshold, else 2 s
    __aicore__ inline void DoubleFrom(const LocalTensor<float>& s, float threshold, uint32_t count)
    {
        LocalTensor<float> doubled = doubledBuffer.Get<float>();
        LocalTensor<uint8_t> below = belowBuffer.Get<uint8_t>();
        // The comparison computes whole repeats; its bits beyond count are not used.
        const uint32_t whole = (count + FLOATS_PER_REPEAT - 1) / FLOATS_PER_REPEAT * FLOATS_PER_REPEAT;
        CompareScalar(below, s, threshold, CMPMODE::LT, whole);
        Muls(doubled, s, 2.0f, count);
        Select(s, below, s, doubled, SELMODE::VSEL_TENSOR_TENSOR_MODE, count);
    }

    __aicore__ inline void CopyOut(uint32_t offset, uint32_t count)
    {
        LocalTensor<half> out = outQueue.DeQue<half>();
        DataCopyExtParams bytes{1, static_cast<uint32_t>(count * sizeof(half)), 0, 0, 0};
        DataCopyPad(outGm[offset], out, bytes);
        outQueue.FreeTensor(out);
    }

    TQue<TPosition::VECIN, BUFFER_NUM> x1Queue;
    TQue<TPosition::VECIN, BUFFER_NUM> x2Queue;
    TQue<TPosition::VECOUT, BUFFER_NUM> outQueue;
    TBuf<TPosition::VECCALC> sigmoidBuffer;
    TBuf<TPosition::VECCALC> doubledBuffer;
    TBuf<TPosition::VECCALC> onesBuffer;
    TBuf<TPosition::VECCALC> factorBuffer;
    TBuf<TPosition::VECCALC> belowBuffer;
    GlobalTensor<half> x1Gm;
    GlobalTensor<half> x2Gm;
    GlobalTensor<half> outGm;
    uint32_t begin = 0;
    uint32_t length = 0;
    uint32_t tile = 0;
    uint32_t row = 1;
};

extern "C" __global__ __aicore__ void mul_sigmoid(GM_ADDR x1, GM_ADDR x2, GM_ADDR out, GM_ADDR workspace,
                                                  GM_ADDR tiling)
{
    GET_TILING_DATA(tilingData, tiling);
    TPipe pipe;
    KernelMulSigmoid op;
    op.Init(x1, x2, out, tilingData.totalLength, tilingData.blockLength, tilingData.tileLength,
            tilingData.rowLength, &pipe);
    op.Process({tilingData.t1, tilingData.t2, tilingData.t3});
}
