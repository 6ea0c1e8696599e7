// Runs a list of the advanced library's operations on rows. A step is 24 words of int64; each loads a 48 KiB image of the
// unified buffer, calls one operation on it, and stores the image.
#include "kernel_operator.h"
#include "adv_api/activation/softmax.h"
#include "adv_api/filter/dropout.h"
#include "adv_api/index/arithprogression.h"
#include "adv_api/math/cumsum.h"
#include "adv_api/normalization/layernorm.h"
#include "adv_api/normalization/rmsnorm.h"
#include "adv_api/pad/broadcast.h"
#include "adv_api/quantization/ascend_dequant.h"
#include "adv_api/quantization/ascend_quant.h"
#include "adv_api/reduce/mean.h"
#include "adv_api/reduce/reduce.h"
#include "adv_api/reduce/sum.h"
#include "adv_api/select/selectwithbytesmask.h"

using namespace AscendC;

namespace {

constexpr uint32_t kImage = 48 * 1024;

enum Op : int64_t {
    SUM, MEAN, MEAN_WIDE, REDUCE_SUM, REDUCE_MAX, REDUCE_MIN, REDUCE_PROD, REDUCE_MEAN, REDUCE_ANY, REDUCE_ALL, CUMSUM_ROWS,
    CUMSUM_COLUMNS, BROADCAST_ROWS, BROADCAST_COLUMNS, QUANT, ARANGE, DROPOUT_BYTES, DROPOUT_BITS, SELECT_SCALAR_LAST,
    SELECT_SCALAR_FIRST, SOFTMAX, DEQUANT_ROW, DEQUANT_SCALAR, RMSNORM, LAYERNORM,
};

struct Step {
    int64_t op, half, tmpGiven, columns, dst, src0, src1, tmp, tmpBytes, a, b, c, first, second, dst1, dst2;
    int64_t dstBytes, src0Bytes, src1Bytes, spare[5];
};
static_assert(sizeof(Step) == 24 * 8, "a step is 24 words");

LocalTensor<uint8_t> image;

constexpr CumSumConfig kRows{false, false, true, CumSumAlgorithm::CUMSUM_ALGORITHM_LINEBYLINE};
constexpr CumSumConfig kColumns{true, false, true, CumSumAlgorithm::CUMSUM_ALGORITHM_LINEBYLINE};

template <class T>
__aicore__ LocalTensor<T> At(int64_t offset, int64_t bytes)
{
    LocalTensor<uint8_t> all = image;
    LocalTensor<uint8_t> part = all[static_cast<uint32_t>(offset)];
    LocalTensor<T> typed = part.ReinterpretCast<T>();
    typed.SetSize(static_cast<uint32_t>(bytes / sizeof(T)));
    return typed;
}

template <class T>
__aicore__ T As(int64_t bits)
{
    T value;
    __builtin_memcpy(&value, &bits, sizeof(T));
    return value;
}

#define MAYBE_TMP(Call, ...) s.tmpGiven ? Call(d, a, tmp, __VA_ARGS__) : Call(d, a, __VA_ARGS__)
#define REDUCTION(Name)                                              \
    if (s.columns) {                                                 \
        MAYBE_TMP((Name<T, Pattern::Reduce::AR>), shape, true);      \
    } else {                                                         \
        MAYBE_TMP((Name<T, Pattern::Reduce::RA>), shape, true);      \
    }                                                                \
    break

template <class T>
__aicore__ void Run(const Step& s)
{
    LocalTensor<T> d = At<T>(s.dst, s.dstBytes), a = At<T>(s.src0, s.src0Bytes), b = At<T>(s.src1, s.src1Bytes);
    LocalTensor<uint8_t> tmp = At<uint8_t>(s.tmp, s.tmpBytes), mask = At<uint8_t>(s.src1, s.src1Bytes);
    const uint32_t outer = (uint32_t)s.a, inner = (uint32_t)s.b, n = (uint32_t)s.c;
    const uint32_t shape[2] = {outer, n};
    const SumParams sum{outer, inner, n};
    const MeanParams means{outer, inner, n};
    switch (s.op) {
        case SUM: MAYBE_TMP(Sum, sum); break;
        case MEAN: MAYBE_TMP(Mean<T>, means); break;
        case REDUCE_MAX: REDUCTION(ReduceMax);
        case REDUCE_MIN: REDUCTION(ReduceMin);
        case CUMSUM_ROWS: case CUMSUM_COLUMNS: {
            LocalTensor<T> last = At<T>(s.dst1, s.b * sizeof(T));
            const CumSumInfo info{outer, inner};
            if (s.op == CUMSUM_ROWS) {
                s.tmpGiven ? CumSum<T, kRows>(d, last, a, tmp, info) : CumSum<T, kRows>(d, last, a, info);
            } else {
                s.tmpGiven ? CumSum<T, kColumns>(d, last, a, tmp, info) : CumSum<T, kColumns>(d, last, a, info);
            }
        } break;
        case BROADCAST_ROWS: {
            const uint32_t to[2] = {outer, n}, from[2] = {1, n};
            s.tmpGiven ? Broadcast<T, 2, 0>(d, a, to, from, tmp) : Broadcast<T, 2, 0>(d, a, to, from);
        } break;
        case BROADCAST_COLUMNS: {
            const uint32_t to[2] = {outer, n}, from[2] = {outer, 1};
            s.tmpGiven ? Broadcast<T, 2, 1>(d, a, to, from, tmp) : Broadcast<T, 2, 1>(d, a, to, from);
        } break;
        case QUANT: {
            LocalTensor<int8_t> q = At<int8_t>(s.dst, s.dstBytes);
            const float scale = As<float>(s.first), offset = As<float>(s.second);
            s.tmpGiven ? AscendQuant<T>(q, a, tmp, scale, offset, n) : AscendQuant<T>(q, a, scale, offset, n);
        } break;
        case ARANGE: Arange<T>(d, As<T>(s.first), As<T>(s.second), (int32_t)n); break;
        case DROPOUT_BYTES: case DROPOUT_BITS: {
            DropOutShapeInfo info;
            info.firstAxis = outer;
            info.srcLastAxis = n;
            info.maskLastAxis = inner;
            const float keep = As<float>(s.first);
            if (s.op == DROPOUT_BYTES) {
                s.tmpGiven ? DropOut<T, false, 2>(d, a, mask, tmp, keep, info) : DropOut<T, false, 2>(d, a, mask, keep, info);
            } else {
                s.tmpGiven ? DropOut<T, false, 3>(d, a, mask, tmp, keep, info) : DropOut<T, false, 3>(d, a, mask, keep, info);
            }
        } break;
        case SELECT_SCALAR_LAST: case SELECT_SCALAR_FIRST: {
            SelectWithBytesMaskShapeInfo info;
            info.firstAxis = outer;
            info.srcLastAxis = n;
            info.maskLastAxis = inner;
            if (s.op == SELECT_SCALAR_LAST) {
                Select<T, uint8_t>(d, a, As<T>(s.first), mask, tmp, info);
            } else {
                Select<T, uint8_t>(d, As<T>(s.first), a, mask, tmp, info);
            }
        } break;
        case DEQUANT_ROW: case DEQUANT_SCALAR: {
            LocalTensor<int32_t> whole = At<int32_t>(s.src0, s.src0Bytes);
            LocalTensor<float> scales = At<float>(s.src1, s.src1Bytes);
            const DequantParams params{outer, inner, n};
            const float scale = As<float>(s.first);
            using To = std::conditional_t<sizeof(T) == 2, bfloat16_t, float>;  // half takes scales of another type
            LocalTensor<To> q = At<To>(s.dst, s.dstBytes);
            if (s.op == DEQUANT_ROW) {
                s.tmpGiven ? AscendDequant(q, whole, scales, tmp, params) : AscendDequant(q, whole, scales, params);
            } else {
                s.tmpGiven ? AscendDequant(q, whole, scale, tmp, params) : AscendDequant(q, whole, scale, params);
            }
        } break;
        case RMSNORM: {
            RmsNormTiling tiling;
            tiling.bLength = 1;
            tiling.sLength = tiling.mainBsLength = tiling.mainBsLengthAlign = outer;
            tiling.hLength = inner;
            tiling.originalHLength = n;
            tiling.reciprocalOfHLength = 1.0f / static_cast<float>(n);
            tiling.mainBshLength = outer * inner;
            tiling.loopRound = 1;
            LocalTensor<T> gamma = At<T>(s.src1, s.b * sizeof(T));
            s.tmpGiven ? RmsNorm<T>(d, a, gamma, tmp, As<T>(s.first), tiling) : RmsNorm<T>(d, a, gamma, As<T>(s.first), tiling);
        } break;
        case LAYERNORM: {
            LayerNormTiling tiling;
            tiling.bLength = 1;
            tiling.sLength = tiling.meanVarSize = tiling.meanVarRoundSize = tiling.bsCurLength = outer;
            tiling.hLength = inner;
            tiling.originalHLength = n;
            tiling.inputXSize = tiling.inputRoundSize = tiling.bshCurLength = outer * inner;
            tiling.loopRound = 1;
            tiling.lastDimValueBack = 1.0f / static_cast<float>(n);
            LocalTensor<T> gamma = At<T>(s.src1, s.b * sizeof(T)), beta = At<T>(s.src1 + 2048, s.b * sizeof(T));
            LocalTensor<T> mean = At<T>(s.dst1, (outer * sizeof(T) + 31) / 32 * 32);
            LocalTensor<T> variance = At<T>(s.dst2, (outer * sizeof(T) + 31) / 32 * 32);
            const T epsilon = As<T>(s.first);
            s.tmpGiven ? LayerNorm<T>(d, mean, variance, a, gamma, beta, tmp, epsilon, tiling)
                       : LayerNorm<T>(d, mean, variance, a, gamma, beta, epsilon, tiling);
        } break;
        case SOFTMAX: {
            const uint32_t block = 32 / sizeof(T);
            SoftMaxTiling tiling;
            tiling.srcM = tiling.splitM = tiling.outMaxM = tiling.reduceM = outer;
            tiling.srcK = tiling.splitK = inner;
            tiling.srcSize = tiling.splitSize = outer * inner;
            tiling.outMaxK = tiling.reduceK = block;
            tiling.outMaxSize = tiling.reduceSize = outer * block;
            tiling.rangeM = 1;
            tiling.tailM = tiling.tailSplitSize = tiling.tailReduceSize = 0;
            const SoftMaxShapeInfo info{outer, inner, outer, n};
            LocalTensor<T> total = At<T>(s.dst1, outer * 32), best = At<T>(s.dst2, outer * 32);
            s.tmpGiven ? SoftMax<T>(d, total, best, a, tmp, tiling, info) : SoftMax<T>(d, total, best, a, tiling, info);
        } break;
    }
    if constexpr (sizeof(T) == 2) {
        if (s.op == MEAN_WIDE) {
            s.tmpGiven ? Mean<T, float>(d, a, tmp, means) : Mean<T, float>(d, a, means);
        }
    } else {
        switch (s.op) {
            case REDUCE_SUM: REDUCTION(ReduceSum);
            case REDUCE_PROD: REDUCTION(ReduceProd);
            case REDUCE_MEAN: REDUCTION(ReduceMean);
            case REDUCE_ANY: REDUCTION(ReduceAny);
            case REDUCE_ALL: REDUCTION(ReduceAll);
        }
    }
}

}  // namespace

extern "C" __global__ __aicore__ void library_rows(GM_ADDR steps, GM_ADDR in, GM_ADDR out)
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
        list[i].half ? Run<half>(list[i]) : Run<float>(list[i]);
        PipeBarrier<PIPE_ALL>();
        DataCopy(to[static_cast<uint64_t>(i) * kImage], image, kImage);
        PipeBarrier<PIPE_ALL>();
    }
}
