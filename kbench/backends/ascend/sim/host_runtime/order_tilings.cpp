// Temporary buffers and tiling data of sorting, padding, transposing, quantising and sequences. Shapes and types that an
// operation cannot take leave what they would set as it was.
#include "order_tilings.h"

#include "../sizes/quant_sizes.h"
#include "../sizes/select_sizes.h"
#include "../sizes/tilings.h"
#include "../sizes/trans_data.h"
#include "adv_api/filter/dropout_tiling.h"
#include "adv_api/index/arithprogression_tiling.h"
#include "adv_api/math/cumsum_tiling.h"
#include "adv_api/pad/pad_tiling.h"
#include "adv_api/quantization/ascend_antiquant_tiling.h"
#include "adv_api/quantization/ascend_dequant_tiling.h"
#include "adv_api/quantization/ascend_quant_tiling.h"
#include "adv_api/sort/sort_tiling_intf.h"
#include "adv_api/transpose/confusion_transpose_tiling.h"
#include "adv_api/transpose/transdata_tiling.h"

namespace AscendC {

namespace sizes = kb::sizes;

namespace {

uint32_t dim(const TensorShape& shape, size_t i) {
    return static_cast<uint32_t>(shape.GetDim(i));
}

uint32_t elements(const TensorShape& shape) {
    return static_cast<uint32_t>(shape.GetShapeSize());
}

bool half_or_float(uint32_t type_bytes) {
    return type_bytes == 2 || type_bytes == 4;
}

}  // namespace

// ---- sorting --------------------------------------------------------------------------------------------------------

uint32_t GetConcatTmpSize(const platform_ascendc::PlatformAscendC&, uint32_t, uint32_t) {
    return 0;
}

uint32_t GetSortTmpSize(const platform_ascendc::PlatformAscendC&, uint32_t count, uint32_t type_bytes) {
    return half_or_float(type_bytes) ? 8 * count : 0;
}

void GetSortMaxMinTmpSize(const TensorShape&, TensorDataType, TensorDataType, bool, const SortConfig&, uint32_t&, uint32_t&) {}

bool GetTopKMaxMinTmpSize(const platform_ascendc::PlatformAscendC&, int32_t inner, int32_t rows, bool, bool has_index,
                          enum TopKMode mode, bool largest, uint32_t type_bytes, uint32_t& max, uint32_t& min) {
    max = min = sizes::top_k({inner, rows, 0, type_bytes, has_index, mode == TopKMode::TOPK_NSMALL, largest});
    return true;
}

bool GetTopKMaxMinTmpSize(int32_t, int32_t, int32_t, bool, bool, enum TopKMode, bool, TensorDataType, const TopKConfig&, uint32_t&,
                          uint32_t&) {
    return false;
}

bool TopKTilingFunc(const platform_ascendc::PlatformAscendC&, int32_t inner, int32_t rows, int32_t k, uint32_t type_bytes,
                    bool has_index, enum TopKMode mode, bool largest, AscendC::tiling::TopkTiling& tiling) {
    if (!half_or_float(type_bytes)) {
        return false;
    }
    tiling = sizes::top_k_tiling<tiling::TopkTiling>(
        {inner, rows, k, type_bytes, has_index, mode == TopKMode::TOPK_NSMALL, largest});
    return true;
}

bool TopKTilingFunc(const platform_ascendc::PlatformAscendC& platform, int32_t inner, int32_t rows, int32_t k, uint32_t type_bytes,
                    bool has_index, enum TopKMode mode, bool largest, optiling::TopkTiling& tiling) {
    tiling::TopkTiling plain;
    const bool done = TopKTilingFunc(platform, inner, rows, k, type_bytes, has_index, mode, largest, plain);
    if (done) {
        kbhost::set_all(tiling, plain);
    }
    return done;
}

// ---- padding --------------------------------------------------------------------------------------------------------

void GetPadMaxMinTmpSize(const TensorShape& shape, uint32_t type_bytes, uint32_t& max, uint32_t& min) {
    if (shape.GetDimNum() == 2 && half_or_float(type_bytes)) {
        const sizes::Range range = sizes::pad(elements(shape));
        max = range.max;
        min = range.min;
    }
}

void PadTilingFunc(const TensorShape shape, const TensorShape valid, uint32_t buffer, uint32_t type_bytes,
                   AscendC::tiling::PadTiling& tiling) {
    if (shape.GetDimNum() == 2 && valid.GetDimNum() == 2 && half_or_float(type_bytes)) {
        tiling = sizes::pad_tiling<tiling::PadTiling>({dim(shape, 0), dim(shape, 1), dim(valid, 1), buffer, type_bytes});
    }
}

void PadTilingFunc(const TensorShape shape, const TensorShape valid, uint32_t buffer, uint32_t type_bytes,
                   optiling::PadTiling& tiling) {
    tiling::PadTiling plain;
    PadTilingFunc(shape, valid, buffer, type_bytes, plain);
    kbhost::set_all(tiling, plain);
}

void GetUnPadMaxMinTmpSize(const platform_ascendc::PlatformAscendC&, const TensorShape&, uint32_t, uint32_t& max, uint32_t& min) {
    max = min = 0;
}

void UnPadTilingFunc(const TensorShape shape, uint32_t buffer, uint32_t type_bytes, AscendC::tiling::UnPadTiling& tiling) {
    if (shape.GetDimNum() == 2 && half_or_float(type_bytes)) {
        tiling = sizes::unpad_tiling<tiling::UnPadTiling>({dim(shape, 0), dim(shape, 1), dim(shape, 1), buffer, type_bytes});
    }
}

void UnPadTilingFunc(const TensorShape shape, uint32_t buffer, uint32_t type_bytes, optiling::UnPadTiling& tiling) {
    tiling::UnPadTiling plain;
    UnPadTilingFunc(shape, buffer, type_bytes, plain);
    kbhost::set_all(tiling, plain);
}

// ---- transposing ----------------------------------------------------------------------------------------------------

namespace {

// Four axes, or two for the transposition of a matrix.
bool turn_shape(const TensorShape& shape, uint32_t type, uint32_t buffer, uint32_t type_bytes, sizes::TurnShape& out) {
    const bool square = type == static_cast<uint32_t>(sizes::Turn::nd2nd_only);
    if (type > static_cast<uint32_t>(sizes::Turn::nd2nd_only) || !half_or_float(type_bytes) ||
        shape.GetDimNum() != (square ? 2u : 4u)) {
        return false;
    }
    out = {{0, 0, 0, 0}, buffer, type_bytes};
    for (size_t i = 0; i < shape.GetDimNum(); ++i) {
        out.axis[i] = dim(shape, i);
    }
    return true;
}

}  // namespace

void GetTransposeMaxMinTmpSize(const TensorShape& shape, uint32_t type_bytes, uint32_t type, uint32_t& max, uint32_t& min) {
    sizes::TurnShape s;
    if (turn_shape(shape, type, 0, type_bytes, s)) {
        const sizes::Range range = sizes::turn(static_cast<sizes::Turn>(type), s);
        max = range.max;
        min = range.min;
    }
}

void GetConfusionTransposeMaxMinTmpSize(const TensorShape& shape, uint32_t type_bytes, uint32_t type, uint32_t& max,
                                        uint32_t& min) {
    GetTransposeMaxMinTmpSize(shape, type_bytes, type, max, min);
}

void GetTransposeTilingInfo(const TensorShape& shape, uint32_t buffer, uint32_t type_bytes, uint32_t type,
                            AscendC::tiling::ConfusionTransposeTiling& tiling) {
    static_assert(sizeof(tiling::ConfusionTransposeTiling) == 18 * sizeof(uint32_t));
    sizes::TurnShape s;
    if (turn_shape(shape, type, buffer, type_bytes, s)) {
        uint32_t params[18] = {};
        sizes::set_turn(params, static_cast<sizes::Turn>(type), s);
        __builtin_memcpy(&tiling, params, sizeof params);
    }
}

void GetTransposeTilingInfo(const TensorShape& shape, uint32_t buffer, uint32_t type_bytes, uint32_t type,
                            optiling::ConfusionTransposeTiling& tiling) {
    tiling::ConfusionTransposeTiling plain;
    GetTransposeTilingInfo(shape, buffer, type_bytes, type, plain);
    kbhost::set_all(tiling, plain);
}

void GetConfusionTransposeTilingInfo(const TensorShape& shape, uint32_t buffer, uint32_t type_bytes, uint32_t type,
                                     optiling::ConfusionTransposeTiling& tiling) {
    GetTransposeTilingInfo(shape, buffer, type_bytes, type, tiling);
}

void GetConfusionTransposeTilingInfo(const TensorShape& shape, uint32_t buffer, uint32_t type_bytes, uint32_t type,
                                     AscendC::tiling::ConfusionTransposeTiling& tiling) {
    GetTransposeTilingInfo(shape, buffer, type_bytes, type, tiling);
}

void GetConfusionTransposeOnlyTilingInfo(const TensorShape& shape, uint32_t buffer, uint32_t type_bytes,
                                         optiling::ConfusionTransposeTiling& tiling) {
    GetTransposeTilingInfo(shape, buffer, type_bytes, static_cast<uint32_t>(sizes::Turn::nd2nd_only), tiling);
}

void GetConfusionTransposeOnlyTilingInfo(const TensorShape& shape, uint32_t buffer, uint32_t type_bytes,
                                         AscendC::tiling::ConfusionTransposeTiling& tiling) {
    GetTransposeTilingInfo(shape, buffer, type_bytes, static_cast<uint32_t>(sizes::Turn::nd2nd_only), tiling);
}

// ---- sequences and dropout ------------------------------------------------------------------------------------------

void GetCumSumMaxMinTmpSize(const TensorShape& shape, uint32_t type_bytes, bool last_axis, bool, uint32_t& max, uint32_t& min) {
    if (shape.GetDimNum() == 2 && half_or_float(type_bytes) && shape.GetDim(1) > 0 && dim(shape, 1) * type_bytes % 32 == 0) {
        const sizes::Range range = sizes::running_sum(dim(shape, 0), dim(shape, 1), type_bytes, last_axis);
        max = range.max;
        min = range.min;
    }
}

void GetArangeMaxMinTmpSize(uint32_t& max, uint32_t& min) {
    max = min = 0;
}

void GetArithProgressionMaxMinTmpSize(uint32_t& max, uint32_t& min) {
    GetArangeMaxMinTmpSize(max, min);
}

uint32_t GetDropOutMaxTmpSize(const TensorShape& shape, uint32_t, bool) {
    return sizes::drop_out(elements(shape)).max;
}

uint32_t GetDropOutMinTmpSize(const TensorShape& shape, uint32_t, bool) {
    return sizes::drop_out(elements(shape)).min;
}

void GetDropOutMaxMinTmpSize(const TensorShape& shape, uint32_t type_bytes, bool reuse, uint32_t& max, uint32_t& min) {
    max = GetDropOutMaxTmpSize(shape, type_bytes, reuse);
    min = GetDropOutMinTmpSize(shape, type_bytes, reuse);
}

// ---- quantising -----------------------------------------------------------------------------------------------------

void GetAscendQuantMaxMinTmpSize(const TensorShape& shape, uint32_t, uint32_t& max, uint32_t& min) {
    if (shape.GetShapeSize() > 0) {
        const sizes::Range range = sizes::quant(elements(shape));
        max = range.max;
        min = range.min;
    }
}

void GetAscendQuantTmpBufferFactorSize(uint32_t& live_nodes, uint32_t& extra) {
    live_nodes = 2;
    extra = 0;
}

void GetAscendDequantMaxMinTmpSize(const TensorShape& shape, uint32_t, uint32_t& max, uint32_t& min) {
    const size_t dims = shape.GetDimNum();
    if ((dims == 1 || dims == 2) && shape.GetShapeSize() > 0) {
        const sizes::Range range = sizes::dequant(dims == 2 ? dim(shape, 0) : 1, dim(shape, dims - 1));
        max = range.max;
        min = range.min;
    }
}

void GetAscendDequantTmpBufferFactorSize(const TensorShape& shape, uint32_t& live_nodes, uint32_t& extra) {
    const size_t dims = shape.GetDimNum();
    const bool known = dims == 1 || dims == 2;
    live_nodes = dims == 2 ? 1 : known ? 2 : 0;
    extra = known ? 8 + 64 + (dims == 2 ? dim(shape, 1) : 0) : 0;
}

namespace {

sizes::AntiQuant anti_quant(const TensorShape& src, const TensorShape& scale, bool transposed, TensorDataType to) {
    uint32_t scales = 1;
    for (size_t i = 0; i < scale.GetDimNum(); ++i) {
        scales *= dim(scale, i);
    }
    return {elements(src), scales, dim(src, 0), transposed, to == ge::DT_FLOAT16};
}

}  // namespace

uint32_t GetAscendAntiQuantMaxTmpSize(const TensorShape& src, const TensorShape& scale, bool transposed, TensorDataType,
                                      TensorDataType to) {
    return sizes::anti_quant(anti_quant(src, scale, transposed, to)).max;
}

uint32_t GetAscendAntiQuantMinTmpSize(const TensorShape& src, const TensorShape& scale, bool transposed, TensorDataType,
                                      TensorDataType to) {
    return sizes::anti_quant(anti_quant(src, scale, transposed, to)).min;
}

void GetAscendAntiQuantMaxMinTmpSize(const TensorShape& src, const TensorShape& scale, bool transposed, TensorDataType from,
                                     TensorDataType to, uint32_t& max, uint32_t& min) {
    max = GetAscendAntiQuantMaxTmpSize(src, scale, transposed, from, to);
    min = GetAscendAntiQuantMinTmpSize(src, scale, transposed, from, to);
}

// A buffer for each element where one scale serves all; else only the buffer of fixed size.
void GetAscendAntiQuantTmpBufferFactorSize(const TensorShape& src, const TensorShape& scale, bool transposed, TensorDataType,
                                           TensorDataType to, uint32_t& live_nodes, uint32_t& extra) {
    const sizes::AntiQuant q = anti_quant(src, scale, transposed, to);
    live_nodes = !q.to_half && q.scales == 1 ? 1 : 0;
    extra = q.to_half || q.scales == 1 ? 0 : sizes::anti_quant(q).min;
}

// ---- formats --------------------------------------------------------------------------------------------------------

namespace {

sizes::TransDataWay way_of(const TransDataConfig& config) {
    const auto is = [&](DataFormat from, DataFormat to) { return config.srcFormat == from && config.dstFormat == to; };
    return is(DataFormat::NCDHW, DataFormat::NDC1HWC0)       ? sizes::TransDataWay::to_6hd
           : is(DataFormat::NDC1HWC0, DataFormat::NCDHW)     ? sizes::TransDataWay::from_6hd
           : is(DataFormat::NCDHW, DataFormat::FRACTAL_Z_3D) ? sizes::TransDataWay::to_fractal
           : is(DataFormat::FRACTAL_Z_3D, DataFormat::NCDHW) ? sizes::TransDataWay::from_fractal
                                                             : sizes::TransDataWay::none;
}

}  // namespace

bool GetTransDataMaxMinTmpSize(const platform_ascendc::PlatformAscendC&, const TensorShape& src, const TensorShape& dst,
                               const TensorDataType type, const TransDataConfig& config, uint32_t& max, uint32_t& min) {
    const bool two_bytes = type == ge::DT_FLOAT16 || type == ge::DT_BF16 || type == ge::DT_UINT16 || type == ge::DT_INT16;
    const sizes::TransDataWay way = way_of(config);
    const bool plain_first = config.srcFormat == DataFormat::NCDHW;
    const TensorShape& plain = plain_first ? src : dst;
    const TensorShape& grouped = plain_first ? dst : src;
    if (!two_bytes || way == sizes::TransDataWay::none || plain.GetDimNum() != 5 || grouped.GetDimNum() > 7) {
        return false;
    }
    const sizes::TransData t{way, dim(plain, 0), dim(plain, 1), dim(plain, 2), dim(plain, 3), dim(plain, 4)};
    int64_t dims[7] = {};
    for (size_t i = 0; i < grouped.GetDimNum(); ++i) {
        dims[i] = grouped.GetDim(i);
    }
    if (!sizes::trans_data_fits(t, static_cast<int>(grouped.GetDimNum()), dims)) {
        return false;
    }
    max = min = sizes::trans_data(t);
    return true;
}

}  // namespace AscendC
