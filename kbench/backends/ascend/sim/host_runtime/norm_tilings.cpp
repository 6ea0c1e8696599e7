// Sizes and tiling data of the normalisations over [B, S, H] and [A, R]. The minimum sizes are those that the kernel side
// checks.
#include <algorithm>

#include "adv_api/normalization/deepnorm_tiling.h"
#include "adv_api/normalization/layernorm_tiling.h"
#include "adv_api/normalization/normalize_tiling.h"
#include "adv_api/normalization/rmsnorm_tiling.h"
#include "adv_api/normalization/welfordfinalize_tiling.h"
#include "row_shapes.h"

namespace AscendC {

namespace {

using namespace kb::row_size;
using kbhost::complain;
using kbhost::dim;
using kbhost::fill_plain;
using kbhost::known_type;

constexpr uint32_t kMostRepeats = 255;

// The library logs a shape of more dims, and goes on with the first ones.
bool has_dims(const ge::Shape& shape, size_t count, uint32_t type_size, const char* api) {
    complain(shape.GetDimNum() == count, api, "expected a shape with another number of dims");
    return complain(shape.GetShapeSize() > 0 && shape.GetDimNum() >= count, api, "expected dims of at least 1") &&
           known_type(type_size, api);
}

// How [rows, h] is worked on in a space of `floats` floats: `buffers` of `one` elements each behind what `kept` floats hold.
struct Rounds {
    uint32_t all, one, buffers, kept;
};

// The fields that LayerNorm and DeepNorm share.
template <class Tiling>
void fill_bsh(Tiling& t, const ge::Shape& shape, uint32_t valid, uint32_t floats, const Rounds& r) {
    const uint32_t h = dim(shape, 2);
    const uint32_t rows = dim(shape, 0) * dim(shape, 1);
    const uint32_t stat = up(rows, 8);
    const uint32_t tail = r.all % r.one;
    t.set_bLength(dim(shape, 0));
    t.set_sLength(dim(shape, 1));
    t.set_hLength(h);
    t.set_originalHLength(valid);
    t.set_inputXSize(r.all);
    t.set_meanVarSize(rows);
    t.set_numberOfTmpBuf(r.buffers);
    t.set_meanTmpTensorPos(0);
    t.set_meanTmpTensorSize(stat);
    t.set_varianceTmpTensorPos(stat);
    t.set_varianceTmpTensorSize(stat);
    t.set_tmpBufSize(floats);
    t.set_oneTmpSize(r.one);
    t.set_firstTmpStartPos(r.kept);
    t.set_secondTmpStartPos(r.kept + r.one);
    t.set_thirdTmpStartPos(r.kept + 2 * r.one);
    t.set_loopRound(r.all / r.one);
    t.set_inputRoundSize(r.one);
    t.set_inputTailSize(tail);
    t.set_inputTailPos(r.all - tail);
    t.set_meanVarRoundSize(r.one / h);
    t.set_meanVarTailSize(tail / h);
    t.set_meanVarTailPos(rows - tail / h);
    t.set_bshCurLength(r.one);
    t.set_bsCurLength(r.one / h);
    t.set_lastDimValueBack(1.0f / static_cast<float>(valid));
}

Rounds rounds_of(const ge::Shape& shape, uint32_t floats, uint32_t type_size, bool reuse) {
    const uint32_t h = dim(shape, 2);
    const uint32_t rows = dim(shape, 0) * dim(shape, 1);
    Rounds r{rows * h, 0, reuse && type_size == 4 ? 2u : 3u, type_size == 4 ? 0u : 2 * up(rows, 8)};
    if (floats > r.kept) r.one = std::min((floats - r.kept) / r.buffers / h * h, r.all);
    return r;
}

void layer_norm_tiling(const ge::Shape& shape, uint32_t space, uint32_t type_size, bool reuse,
                       optiling::LayerNormTiling& tiling, const char* api) {
    if (!has_dims(shape, 4, type_size, api)) return;
    const Rounds r = rounds_of(shape, space / kFloat, type_size, reuse);
    if (r.one != 0) fill_bsh(tiling, shape, dim(shape, 3), space / kFloat, r);
}

// Rows and padded columns of [A, R].
struct Padded {
    uint32_t a, r;
};

Padded padded(const ge::Shape& shape, uint32_t type_size) {
    return {dim(shape, 0), up(dim(shape, 1), type_size == 0 ? 1 : kBlock / type_size)};
}

}  // namespace

// ---- LayerNorm, [B, S, H] -------------------------------------------------------------------------------------------

void GetLayerNormMaxMinTmpSize(const TensorShape& shape, const uint32_t type_size, const bool reuse, uint32_t& most,
                               uint32_t& least) {
    if (!has_dims(shape, 4, type_size, "GetLayerNormMaxMinTmpSize")) return;
    const uint32_t rows = dim(shape, 0) * dim(shape, 1);
    const bool two = reuse && type_size == 4;
    most = (two ? 2 : 3) * up(rows * dim(shape, 2) * kFloat, kBlock) + 2 * up(rows * kFloat, kBlock);
    least = layer_norm(rows, dim(shape, 2), two);
}

void GetLayerNormNDTilingInfo(const TensorShape& shape, const uint32_t space, const uint32_t type_size, const bool reuse,
                              optiling::LayerNormTiling& tiling) {
    layer_norm_tiling(shape, space, type_size, reuse, tiling, "GetLayerNormNDTilingInfo");
}

void GetLayerNormNDTilingInfo(const TensorShape& shape, const uint32_t space, const uint32_t type_size, const bool reuse,
                              AscendC::tiling::LayerNormTiling& tiling) {
    fill_plain<optiling::LayerNormTiling>(tiling,
                                          [&](auto& t) { GetLayerNormNDTilingInfo(shape, space, type_size, reuse, t); });
}

void GetLayerNormNDTillingInfo(const TensorShape& shape, const uint32_t space, const uint32_t type_size, const bool reuse,
                               optiling::LayerNormTiling& tiling) {
    layer_norm_tiling(shape, space, type_size, reuse, tiling, "GetLayerNormNDTillingInfo");
}

// ---- LayerNorm, [A, R]; Normalize -----------------------------------------------------------------------------------

void GetLayerNormMaxMinTmpSize(const TensorShape& shape, const uint32_t type_size, const bool, const bool,
                               const bool only_output, uint32_t& most, uint32_t& least) {
    const char* api = "GetLayerNormMaxMinTmpSize";
    if (!complain(!only_output, api, "isOnlyOutput: expected false") || !known_type(type_size, api)) return;
    const Padded p = padded(shape, type_size);
    most = layer_norm_rstd_most(p.a, p.r);
    least = layer_norm_rstd_least(p.a, p.r, type_size == 4);
}

void GetLayerNormNDTilingInfo(const TensorShape& shape, const uint32_t space, const uint32_t type_size, const bool,
                              const bool, optiling::LayerNormSeparateTiling& t) {
    if (!known_type(type_size, "GetLayerNormNDTilingInfo")) return;
    const Padded p = padded(shape, type_size);
    const uint32_t floats = space / kFloat;
    const uint32_t stat = up(p.a, 8);
    const uint32_t all = p.a * p.r;
    const uint32_t one = floats > stat ? std::min((floats - stat) / 2 / p.r * p.r, all) : 0;
    if (one == 0) return;
    const uint32_t tail = all % one;
    t.set_aLength(p.a);
    t.set_rLength(dim(shape, 1));
    t.set_inputXSize(all);
    t.set_meanVarSize(p.a);
    t.set_numberOfTmpBuf(2);
    t.set_varianceTmpTensorPos(0);
    t.set_varianceTmpTensorSize(stat);
    t.set_tmpBufSize(floats);
    t.set_oneTmpSize(one);
    t.set_firstTmpStartPos(stat);
    t.set_secondTmpStartPos(stat + one);
    t.set_loopRound(all / one);
    t.set_inputRoundSize(one);
    t.set_inputTailSize(tail);
    t.set_inputTailPos(all - tail);
    t.set_meanVarRoundSize(one / p.r);
    t.set_meanVarTailSize(tail / p.r);
    t.set_meanVarTailPos(p.a - tail / p.r);
    t.set_arCurLength(one);
    t.set_aCurLength(one / p.r);
    t.set_rValueBack(1.0f / static_cast<float>(dim(shape, 1)));
}

void GetLayerNormNDTilingInfo(const TensorShape& shape, const uint32_t space, const uint32_t type_size, const bool reuse,
                              const bool rstd, AscendC::tiling::LayerNormSeparateTiling& tiling) {
    fill_plain<optiling::LayerNormSeparateTiling>(
        tiling, [&](auto& t) { GetLayerNormNDTilingInfo(shape, space, type_size, reuse, rstd, t); });
}

void GetNormalizeMaxMinTmpSize(const TensorShape& shape, const uint32_t gamma_size, const uint32_t type_size, const bool,
                               const bool, const bool, uint32_t& most, uint32_t& least) {
    const Padded p = padded(shape, type_size);
    most = normalize_most(p.a, p.r);
    least = normalize_least(p.a, p.r, gamma_size == 4);
}

// ---- DeepNorm -------------------------------------------------------------------------------------------------------

bool GetDeepNormMaxMinTmpSize(const TensorShape& shape, const uint32_t type_size, const bool reuse, const bool basic,
                              uint32_t& most, uint32_t& least) {
    if (!has_dims(shape, 3, type_size, "GetDeepNormMaxMinTmpSize")) return false;
    const uint32_t rows = dim(shape, 0) * dim(shape, 1);
    const uint32_t h = dim(shape, 2);
    if (basic && (h == 0 || h % 64 != 0 || rows % 8 != 0)) return false;
    const bool two = reuse && type_size == 4;
    most = (two ? 2 : 3) * up(rows * h * kFloat, kBlock) + 2 * up(rows * kFloat, kBlock);
    least = layer_norm(rows, h, two);
    return true;
}

bool GetDeepNormTilingInfo(const TensorShape& shape, const TensorShape& before, const uint32_t space,
                           const uint32_t type_size, const bool reuse, const bool basic, optiling::DeepNormTiling& tiling) {
    uint32_t most = 0, least = 0;
    if (!GetDeepNormMaxMinTmpSize(shape, type_size, reuse, basic, most, least) || space < least) return false;
    const uint32_t h = dim(shape, 2);
    const uint32_t valid = dim(before, 2);
    const bool same = dim(shape, 0) == dim(before, 0) && dim(shape, 1) == dim(before, 1);
    if (!same || h * type_size % kBlock != 0 || valid == 0 || valid > h || (basic && valid != h) || h > kMostRepeats * 8) {
        return false;
    }
    Rounds r = rounds_of(shape, space / kFloat, type_size, reuse);
    if (basic && r.one / (kTile * h) > 0) r.one = r.one / (kTile * h) * (kTile * h);
    if (r.one == 0) return false;
    fill_bsh(tiling, shape, valid, space / kFloat, r);
    return true;
}

bool GetDeepNormTilingInfo(const TensorShape& shape, const TensorShape& before, const uint32_t space,
                           const uint32_t type_size, const bool reuse, const bool basic,
                           AscendC::tiling::DeepNormTiling& tiling) {
    return fill_plain<optiling::DeepNormTiling>(
        tiling, [&](auto& t) { return GetDeepNormTilingInfo(shape, before, space, type_size, reuse, basic, t); });
}

// ---- RmsNorm --------------------------------------------------------------------------------------------------------

namespace {

bool basic_rms_norm(const ge::Shape& shape) {
    const uint32_t h = dim(shape, 2);
    return h % 64 == 0 && dim(shape, 0) * dim(shape, 1) % 8 == 0 && h < 2048;
}

}  // namespace

bool GetRmsNormMaxMinTmpSize(const TensorShape& shape, const uint32_t type_size, uint32_t& most, uint32_t& least,
                             const bool basic) {
    if (!has_dims(shape, 3, type_size, "GetRmsNormMaxMinTmpSize") || (basic && !basic_rms_norm(shape))) return false;
    const uint32_t rows = dim(shape, 0) * dim(shape, 1);
    const uint32_t all = rows * dim(shape, 2);
    most = kFloat * (all * (type_size == 2 ? 2 : 1) + up(rows, kBlock / type_size));
    least = rms_norm_least(dim(shape, 2), type_size == 2);
    return true;
}

bool GetRmsNormTilingInfo(const TensorShape& shape, const TensorShape& before, const uint32_t space,
                          const uint32_t type_size, optiling::RmsNormTiling& t, const bool basic) {
    uint32_t most = 0, least = 0;
    if (before.GetDimNum() != 3 || !GetRmsNormMaxMinTmpSize(shape, type_size, most, least, basic)) return false;
    const uint32_t h = dim(shape, 2);
    const uint32_t valid = dim(before, 2);
    const bool same = dim(shape, 0) == dim(before, 0) && dim(shape, 1) == dim(before, 1);
    if (!same || valid == 0 || valid > h || h * type_size % kBlock != 0 || space < least) return false;
    const uint32_t all = dim(shape, 0) * dim(shape, 1) * h;
    const uint32_t buffers = type_size == 4 ? 1 : 2;
    uint32_t rows = 1;
    while (space / kFloat >= (rows + 1) * h * buffers + up(rows + 1, 8)) ++rows;
    rows = std::min(rows, all / h);
    if (basic) {
        rows = rows < kTile ? rows : rows / kTile * kTile;
    } else {
        rows = std::min(rows, kMostRepeats);
    }
    const uint32_t one = rows * h;
    const uint32_t tail = all % one;
    t.set_bLength(dim(shape, 0));
    t.set_sLength(dim(shape, 1));
    t.set_hLength(h);
    t.set_originalHLength(valid);
    t.set_reciprocalOfHLength(static_cast<float>(1.0 / static_cast<float>(valid)));
    t.set_mainBshLength(one);
    t.set_mainBsLength(rows);
    t.set_mainBsLengthAlign(up(rows, 8));
    t.set_loopRound(all / one);
    t.set_inputTailPos(all - tail);
    t.set_tailBshLength(tail);
    t.set_tailBsLength(tail / h);
    return true;
}

bool GetRmsNormTilingInfo(const TensorShape& shape, const TensorShape& before, const uint32_t space,
                          const uint32_t type_size, AscendC::tiling::RmsNormTiling& tiling, const bool basic) {
    return fill_plain<optiling::RmsNormTiling>(
        tiling, [&](auto& t) { return GetRmsNormTilingInfo(shape, before, space, type_size, t, basic); });
}

// ---- Welford --------------------------------------------------------------------------------------------------------

void GetWelfordUpdateMaxMinTmpSize(const TensorShape& shape, const uint32_t type_size, const uint32_t, const bool reuse,
                                   const bool, uint32_t& most, uint32_t& least) {
    if (!complain(shape.GetDimNum() == 2, "GetWelfordUpdateMaxMinTmpSize", "expected a shape of 2 dims")) return;
    least = welford_update_least(type_size, reuse);
    most = (dim(shape, 0) * dim(shape, 1) + kRepeat - 1) / kRepeat * least;
}

void GetWelfordFinalizeMaxMinTmpSize(const TensorShape& shape, const uint32_t, const bool, uint32_t& most, uint32_t& least) {
    const uint32_t length = dim(shape, 0);
    if (!complain(length > 0 && length % 8 == 0, "GetWelfordFinalizeMaxMinTmpSize", "expected a multiple of 32 bytes")) return;
    least = welford_finalize_least();
    most = length <= kRepeat ? least : 2 * (kRepeat + length) * kFloat;
}

}  // namespace AscendC
