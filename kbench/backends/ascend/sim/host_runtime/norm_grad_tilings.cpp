// Sizes and tiling data of BatchNorm, GroupNorm and the backward passes of LayerNorm.
#include <algorithm>

#include "adv_api/normalization/batchnorm_tiling.h"
#include "adv_api/normalization/groupnorm_tiling.h"
#include "adv_api/normalization/layernorm_grad_beta_tiling.h"
#include "adv_api/normalization/layernorm_grad_tiling.h"
#include "row_shapes.h"

namespace AscendC {

namespace {

using namespace kb::row_size;
using kbhost::complain;
using kbhost::dim;
using kbhost::fill_plain;
using kbhost::known_type;

bool has_dims(const ge::Shape& shape, uint32_t type_size, const char* api) {
    complain(shape.GetDimNum() == 4, api, "expected a shape of 4 dims");  // the library goes on with the first four
    return complain(shape.GetShapeSize() > 0 && shape.GetDimNum() >= 4, api, "expected 4 dims, each at least 1") &&
           known_type(type_size, api);
}

bool basic_batch_norm(const ge::Shape& shape, uint32_t batch) {
    return dim(shape, 1) * dim(shape, 2) % 64 == 0 && batch % 8 == 0;
}

}  // namespace

// ---- BatchNorm ------------------------------------------------------------------------------------------------------

bool GetBatchNormMaxMinTmpSize(const TensorShape& shape, const TensorShape& before, const uint32_t type_size, const bool,
                               uint32_t& most, uint32_t& least, const bool basic) {
    const uint32_t batch = dim(before, 0);
    const uint32_t columns = dim(shape, 1) * dim(shape, 2);
    if (basic && !basic_batch_norm(shape, batch)) return false;
    most = 3 * up(batch * columns * kFloat, kBlock) + 2 * up(columns * kFloat, kBlock);
    least = batch_norm_least(batch, columns, type_size == 2, basic);
    return true;
}

bool GetBatchNormNDTilingInfo(const TensorShape& shape, const TensorShape& before, const uint32_t space,
                              const uint32_t type_size, const bool reuse, optiling::BatchNormTiling& t, const bool basic) {
    uint32_t most = 0, least = 0;
    if (shape.GetDimNum() != 3 || before.GetDimNum() != 3) return false;
    const uint32_t batch = dim(before, 0);
    const uint32_t columns = dim(shape, 1) * dim(shape, 2);
    if (columns * type_size % kBlock != 0) return false;
    if (!GetBatchNormMaxMinTmpSize(shape, before, type_size, reuse, most, least, basic) || space < least) return false;
    const uint32_t all = batch * columns;
    const uint32_t stat = up(columns, 8);
    const uint32_t kept = type_size == 4 ? 0 : 2 * stat;
    const uint32_t unit = batch * (type_size == 4 ? 8 : 16);
    uint32_t one = std::min((space / kFloat - kept) / 3 / unit * unit, all);
    if (one == 0) return false;
    uint32_t width = one / batch;
    if (basic && width % 64 != 0) {
        width = width / 64 * 64;
        one = width * batch;
    }
    const uint32_t tail = all % one;
    t.set_originalBLength(batch);
    t.set_meanVarSize(columns);
    t.set_meanTmpTensorPos(0);
    t.set_varianceTmpTensorPos(stat);
    t.set_tmpBufSize(space / kFloat);
    t.set_oneTmpSize(one);
    t.set_firstTmpStartPos(kept);
    t.set_secondTmpStartPos(kept + one);
    t.set_thirdTmpStartPos(kept + 2 * one);
    t.set_loopRound(all / one);
    t.set_inputTailSize(tail);
    t.set_inputTailPos((all - tail) / batch);
    t.set_meanVarTailSize(tail / batch);
    t.set_meanVarTailPos(columns - tail / batch);
    t.set_bshCurLength(one);
    t.set_shCurLength(width);
    t.set_firstDimValueBack(1.0f / static_cast<float>(batch));
    t.set_castHalfRepStride(4);
    t.set_shCurLengthBlockNum(width / 8);
    t.set_castHalfOutRepStride(columns / 16);
    return true;
}

bool GetBatchNormNDTilingInfo(const TensorShape& shape, const TensorShape& before, const uint32_t space,
                              const uint32_t type_size, const bool reuse, AscendC::tiling::BatchNormTiling& tiling,
                              const bool basic) {
    return fill_plain<optiling::BatchNormTiling>(
        tiling, [&](auto& t) { return GetBatchNormNDTilingInfo(shape, before, space, type_size, reuse, t, basic); });
}

// ---- GroupNorm ------------------------------------------------------------------------------------------------------

namespace {

// The most groups of small ones that one round of reductions takes: 255 repeats, in eights.
uint32_t most_small_groups(uint32_t length) {
    uint32_t lanes = std::min(length, kRepeat);
    while (lanes != 0 && length % lanes != 0) lanes -= 8;
    return lanes == 0 ? 0 : 255 / (length / lanes) / 8 * 8;
}

bool is_small(uint32_t channel, uint32_t length) {
    uint32_t repeats = 8;
    while (length / 8 % repeats != 0) --repeats;
    return channel <= kRepeat && length <= kRepeat * repeats;
}

}  // namespace

void GetGroupNormMaxMinTmpSize(const TensorShape& shape, const uint32_t type_size, const bool reuse, const uint32_t groups,
                               uint32_t& most, uint32_t& least) {
    const char* api = "GetGroupNormMaxMinTmpSize";
    if (!has_dims(shape, type_size, api) || !complain(groups > 0, api, "groupNum: expected at least 1")) return;
    const uint32_t channel = up(dim(shape, 2) * dim(shape, 3), kBlock / type_size);
    const bool two = reuse && type_size == 4;
    most = group_norm(dim(shape, 0) * groups, dim(shape, 0) * dim(shape, 1), channel, two);
    least = group_norm(dim(shape, 0) * groups, dim(shape, 1) / groups, channel, two);
}

void GetGroupNormNDTilingInfo(const TensorShape& shape, const uint32_t space, const uint32_t type_size, const bool reuse,
                              const uint32_t groups, optiling::GroupNormTiling& t) {
    const char* api = "GetGroupNormNDTilingInfo";
    if (!has_dims(shape, type_size, api) || !complain(groups > 0, api, "groupNum: expected at least 1")) return;
    const uint32_t n = dim(shape, 0), c = dim(shape, 1), hw = dim(shape, 2) * dim(shape, 3), d = c / groups;
    const uint32_t channel = up(hw, kBlock / type_size);
    const uint32_t length = d * channel;
    if (!complain(length != 0, api, "expected at least one channel a group")) return;
    const uint32_t all = n * c * channel;
    const uint32_t stat = up(n * groups, 8);
    const uint32_t kept = type_size == 4 ? 0 : 2 * stat;
    const uint32_t buffers = reuse && type_size == 4 ? 2 : 3;
    const uint32_t floats = space / kBlock * kBlock / kFloat;
    uint32_t rows = floats > kept ? (floats - kept) / buffers / length : 0;
    const bool small = is_small(channel, length);
    if (small) rows = std::min(rows, most_small_groups(length));
    if (type_size == 2 && rows * length < c) return;
    uint32_t one = rows * length;
    if (one > all) {
        rows = n * groups;
        one = all;
    }
    if (!complain(one != 0, api, "the temporary space holds no group")) return;
    const uint32_t tail = all % one;
    t.set_n(n);
    t.set_c(c);
    t.set_hw(hw);
    t.set_g(groups);
    t.set_d(d);
    t.set_hwAlignSize(channel);
    t.set_dhwAlignSize(length);
    t.set_inputXSize(all);
    t.set_meanVarSize(n * groups);
    t.set_numberOfTmpBuf(buffers);
    t.set_meanTmpTensorPos(0);
    t.set_meanTmpTensorSize(stat);
    t.set_varianceTmpTensorPos(stat);
    t.set_varianceTmpTensorSize(stat);
    t.set_tmpBufSize(floats);
    t.set_oneTmpSize(one);
    t.set_firstTmpStartPos(kept);
    t.set_secondTmpStartPos(kept + one);
    t.set_thirdTmpStartPos(kept + 2 * one);
    t.set_loopRound(all / one);
    t.set_inputRoundSize(one);
    t.set_inputTailSize(tail);
    t.set_inputTailPos(all - tail);
    t.set_meanVarRoundSize(one / length);
    t.set_meanVarTailSize(tail / length);
    t.set_meanVarTailPos(n * groups - tail / length);
    t.set_bshCurLength(one);
    t.set_bsCurLength(rows);
    t.set_factor(1.0f / static_cast<float>(d * hw));
    t.set_smallShape(small);
}

void GetGroupNormNDTilingInfo(const TensorShape& shape, const uint32_t space, const uint32_t type_size, const bool reuse,
                              const uint32_t groups, AscendC::tiling::GroupNormTiling& tiling) {
    fill_plain<optiling::GroupNormTiling>(
        tiling, [&](auto& t) { GetGroupNormNDTilingInfo(shape, space, type_size, reuse, groups, t); });
}

// ---- LayerNormGrad --------------------------------------------------------------------------------------------------

void GetLayerNormGradMaxMinTmpSize(const TensorShape& shape, const uint32_t type_size, const bool reuse, uint32_t& most,
                                   uint32_t& least) {
    if (!has_dims(shape, type_size, "GetLayerNormGradMaxMinTmpSize")) return;
    const uint32_t h = dim(shape, 2);
    const uint32_t all = dim(shape, 0) * dim(shape, 1) * h;
    const uint32_t unit = layer_norm_grad_buffers(type_size, reuse) * type_size;
    most = unit * std::max(all, h * h);
    least = unit * std::min(all, h * h);
}

void GetLayerNormGradNDTilingInfo(const TensorShape shape, const uint32_t space, const uint32_t type_size, const bool reuse,
                                  optiling::LayerNormGradTiling& t) {
    const char* api = "GetLayerNormGradNDTilingInfo";
    if (!has_dims(shape, type_size, api)) return;
    const uint32_t h = dim(shape, 2);
    const uint32_t all = dim(shape, 0) * dim(shape, 1) * h;
    const uint32_t fitting = space / kFloat / layer_norm_grad_buffers(type_size, reuse) / h;
    if (!complain(fitting > 0, api, "stackBufferSize is not enough for a row")) return;
    const uint32_t rows = up(fitting, kBlock / type_size);
    const uint32_t one = rows * h;
    const bool own = !(reuse && type_size == 4);  // x1 and x2 do not lie in the sources
    const uint32_t x3 = (own ? 5 : 3) * one;
    const uint32_t tmp = type_size == 2 ? x3 + one : 0;
    t.set_stackBufferSize(space);
    t.set_bLength(dim(shape, 0));
    t.set_sLength(dim(shape, 1));
    t.set_hLength(h);
    t.set_originalHLength(dim(shape, 3));
    t.set_oneCalSize(one);
    t.set_nohCalSize(rows);
    t.set_loopNum(all / one);
    t.set_tailSize(all % one);
    t.set_nohTailSize(all % one / h);
    t.set_tmpTensorBSHPos(0);
    t.set_tmpTensorBSHSize(one);
    t.set_pdVarTensorPos(one);
    t.set_pdVarTensorSize(one);
    t.set_pdMeanTensorPos(2 * one);
    t.set_pdMeanTensorSize(one);
    t.set_x1TensorPos(own ? 3 * one : 0);
    t.set_x1TensorSize(one);
    t.set_x2TensorPos(own ? 4 * one : 0);
    t.set_x2TensorSize(one);
    t.set_x3TensorPos(x3);
    t.set_x3TensorSize(one);
    t.set_tmpTensorPos(tmp);
    t.set_tmpTensorSize(one);
    t.set_tmpTensor1Pos(type_size == 2 ? tmp + one : 0);
    t.set_tmpTensor1Size(one);
    t.set_tmpTensor2Pos(type_size == 2 ? tmp + 2 * one : 0);
    t.set_tmpTensor2Size(one);
    t.set_lastDimValueBack(__builtin_bit_cast(uint32_t, 1.0f / static_cast<float>(dim(shape, 3))));
    t.set_lastDimValueBackMulTwo(__builtin_bit_cast(uint32_t, 2.0f / static_cast<float>(dim(shape, 3))));
}

void GetLayerNormGradNDTilingInfo(const TensorShape shape, const uint32_t space, const uint32_t type_size, const bool reuse,
                                  AscendC::tiling::LayerNormGradTiling& tiling) {
    fill_plain<optiling::LayerNormGradTiling>(
        tiling, [&](auto& t) { GetLayerNormGradNDTilingInfo(shape, space, type_size, reuse, t); });
}

// ---- LayerNormGradBeta ----------------------------------------------------------------------------------------------

void GetLayerNormGradBetaMaxMinTmpSize(const TensorShape& shape, const uint32_t type_size, const bool, uint32_t& most,
                                       uint32_t& least) {
    if (!has_dims(shape, type_size, "GetLayerNormGradBetaMaxMinTmpSize")) return;
    most = layer_norm_grad_beta(dim(shape, 0) * dim(shape, 1) * dim(shape, 2), type_size == 2);
    least = layer_norm_grad_beta(dim(shape, 2), type_size == 2);
}

void GetLayerNormGradBetaNDTilingInfo(const TensorShape shape, const uint32_t space, const uint32_t type_size, const bool,
                                      optiling::LayerNormGradBetaTiling& t) {
    const char* api = "GetLayerNormGradBetaNDTilingInfo";
    if (!has_dims(shape, type_size, api)) return;
    const uint32_t h = dim(shape, 2);
    const uint32_t rows = dim(shape, 0) * dim(shape, 1);
    const uint32_t floats = space / kFloat;
    const bool is_half = type_size == 2;
    if (!complain(floats >= 2 * h, api, "stackBufferSize is not enough")) return;
    const uint32_t one = std::min((is_half ? (floats - 2 * h) / 2 : floats) / h * h, rows * h);
    if (!complain(one != 0, api, "stackBufferSize is not enough for a row")) return;
    const uint32_t tail = rows * h % one;
    t.set_stackBufferSize(floats);
    t.set_bLength(dim(shape, 0));
    t.set_sLength(dim(shape, 1));
    t.set_hLength(h);
    t.set_originalHLength(dim(shape, 3));
    t.set_bshLength(rows * h);
    t.set_bsLength(rows);
    t.set_oneCalSize(one);
    t.set_numberOfTmpBuf(is_half ? 2 : 1);
    t.set_loopRound(rows * h / one);
    t.set_inputTailSize(tail);
    t.set_inputTailPos(rows * h - tail);
    t.set_bsTailSize(tail / h);
    t.set_bshCurLength(one);
    t.set_bsCurLength(one / h);
    t.set_gammaTempTensorPos(0);
    t.set_betaTempTensorPos(is_half ? h : 0);
    t.set_inputDyTmpTensorPos(is_half ? 2 * h : 0);
    t.set_resForGammaTmpTensorPos(is_half ? 2 * h + one : 0);
}

void GetLayerNormGradBetaNDTilingInfo(const TensorShape shape, const uint32_t space, const uint32_t type_size,
                                      const bool reuse, AscendC::tiling::LayerNormGradBetaTiling& tiling) {
    fill_plain<optiling::LayerNormGradBetaTiling>(
        tiling, [&](auto& t) { GetLayerNormGradBetaNDTilingInfo(shape, space, type_size, reuse, t); });
}

}  // namespace AscendC
