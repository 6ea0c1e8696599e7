// Sizes and tiling data of the softmax family. The formulas of the sizes are those that the kernel side checks.
#include <algorithm>

#include "adv_api/activation/logsoftmax_tiling.h"
#include "adv_api/activation/softmax_tiling.h"
#include "row_shapes.h"

namespace AscendC {

namespace {

using namespace kb::row_size;
using kbhost::Rows;
using kbhost::complain;
using kbhost::fill_plain;
using kbhost::known_type;
using kbhost::rows_of;

constexpr uint32_t kMostElements = kRepeat * 256;  // of a basic block: its instructions repeat at most 255 times

uint32_t block_of(uint32_t type_size) {
    return kBlock / type_size;
}

// Rows of one round: as many as fit, a multiple of `unit` unless all fit.
uint32_t fitting(uint32_t work, uint32_t row, uint32_t m, uint32_t unit) {
    const uint32_t rows = std::min(work / row, m);
    return rows < m && rows > unit ? rows / unit * unit : rows;
}

// A shape of basic blocks is split into equal rounds.
uint32_t equal_rounds(uint32_t rows, Rows shape) {
    if (rows <= kTile || shape.m % kTile != 0 || shape.k % kRepeat != 0) return rows;
    rows = rows / kTile * kTile;
    while (shape.m % rows != 0) rows -= kTile;
    while (rows * shape.k >= kMostElements) rows /= 2;
    return rows;
}

template <class Tiling>
void fill(Tiling& t, Rows shape, uint32_t block, uint32_t rows) {
    t.set_srcM(shape.m);
    t.set_srcK(shape.k);
    t.set_srcSize(shape.m * shape.k);
    t.set_outMaxM(shape.m);
    t.set_outMaxK(block);
    t.set_outMaxSize(shape.m * block);
    t.set_splitM(rows);
    t.set_splitK(shape.k);
    t.set_splitSize(rows * shape.k);
    t.set_reduceM(rows);
    t.set_reduceK(block);
    t.set_reduceSize(rows * block);
    const uint32_t tail = rows == 0 ? 0 : shape.m % rows;
    if (rows != 0) t.set_rangeM(shape.m / rows);
    t.set_tailM(tail);
    t.set_tailSplitSize(tail * shape.k);
    t.set_tailReduceSize(tail * block);
}

// The tiling of an operation that needs `row` bytes for each row.
template <class Tiling>
void fill_rounds(Tiling& tiling, Rows shape, uint32_t type_size, uint32_t space, uint32_t row) {
    const uint32_t rows = fitting(space / kFloat, row / kFloat, shape.m, kTile);
    fill(tiling, shape, block_of(type_size), equal_rounds(rows, shape));
}

Rows checked(const ge::Shape& shape, uint32_t type_size, const char* api) {
    return known_type(type_size, api) ? rows_of(shape, type_size, api) : Rows{};
}

uint32_t softmax_size(const ge::Shape& shape, uint32_t type_size, bool most, const char* api) {
    const Rows rows = checked(shape, type_size, api);
    return rows ? (most ? rows.m : 1) * softmax_row(rows.k, block_of(type_size)) : 0;
}

uint32_t flash_size(const ge::Shape& shape, uint32_t type_size, bool update, bool most, const char* api) {
    const Rows rows = checked(shape, type_size, api);
    return rows ? (most ? rows.m : 1) * flash_row(rows.k, block_of(type_size), update) : 0;
}

uint32_t grad_size(const ge::Shape& shape, uint32_t type_size, bool front, bool most, const char* api) {
    const Rows rows = checked(shape, type_size, api);
    return rows ? (most ? rows.m : 1) * grad_row(rows.k, block_of(type_size), type_size == 2, front) : 0;
}

bool is_basic(uint32_t k, uint32_t tail, uint32_t type_size) {
    return type_size != 0 && tail == 0 && k >= 256 / type_size && k < 2048 && k % kRepeat == 0;
}

}  // namespace

// ---- SoftMax, LogSoftMax --------------------------------------------------------------------------------------------

uint32_t GetSoftMaxMaxTmpSize(const TensorShape& shape, const uint32_t type_size, const bool) {
    return softmax_size(shape, type_size, true, "GetSoftMaxMaxTmpSize");
}

uint32_t GetSoftMaxMinTmpSize(const TensorShape& shape, const uint32_t type_size, const bool) {
    return softmax_size(shape, type_size, false, "GetSoftMaxMinTmpSize");
}

void SoftMaxTilingFunc(const TensorShape& shape, const uint32_t type_size, const uint32_t space,
                       optiling::SoftMaxTiling& tiling) {
    const Rows rows = checked(shape, type_size, "SoftMaxTilingFunc");
    if (rows) fill_rounds(tiling, rows, type_size, space, softmax_row(rows.k, block_of(type_size)));
}

void SoftMaxTilingFunc(const TensorShape& shape, const uint32_t type_size, const uint32_t space,
                       AscendC::tiling::SoftMaxTiling& tiling) {
    fill_plain<optiling::SoftMaxTiling>(tiling, [&](auto& t) { SoftMaxTilingFunc(shape, type_size, space, t); });
}

uint32_t GetLogSoftMaxMaxTmpSize(const TensorShape shape, const uint32_t type_size, const bool) {
    return softmax_size(shape, type_size, true, "GetLogSoftMaxMaxTmpSize");
}

uint32_t GetLogSoftMaxMinTmpSize(const TensorShape shape, const uint32_t type_size, const bool) {
    return softmax_size(shape, type_size, false, "GetLogSoftMaxMinTmpSize");
}

void LogSoftMaxTilingFunc(const TensorShape shape, const uint32_t type_size, const uint32_t space,
                          optiling::LogSoftMaxTiling& tiling) {
    const Rows rows = checked(shape, type_size, "LogSoftMaxTilingFunc");
    if (rows) fill_rounds(tiling, rows, type_size, space, softmax_row(rows.k, block_of(type_size)));
}

void LogSoftMaxTilingFunc(const TensorShape shape, const uint32_t type_size, const uint32_t space,
                          AscendC::tiling::LogSoftMaxTiling& tiling) {
    fill_plain<optiling::LogSoftMaxTiling>(tiling, [&](auto& t) { LogSoftMaxTilingFunc(shape, type_size, space, t); });
}

// ---- SoftmaxFlash, SoftmaxGrad --------------------------------------------------------------------------------------

uint32_t GetSoftMaxFlashMaxTmpSize(const TensorShape& shape, const uint32_t type_size, const bool update, const bool) {
    return flash_size(shape, type_size, update, true, "GetSoftMaxFlashMaxTmpSize");
}

uint32_t GetSoftMaxFlashMinTmpSize(const TensorShape& shape, const uint32_t type_size, const bool update, const bool) {
    return flash_size(shape, type_size, update, false, "GetSoftMaxFlashMinTmpSize");
}

void SoftMaxFlashTilingFunc(const TensorShape& shape, const uint32_t type_size, const uint32_t space,
                            optiling::SoftMaxTiling& tiling, const bool update) {
    const Rows rows = checked(shape, type_size, "SoftMaxFlashTilingFunc");
    if (rows) fill_rounds(tiling, rows, type_size, space, flash_row(rows.k, block_of(type_size), update));
}

void SoftMaxFlashTilingFunc(const TensorShape& shape, const uint32_t type_size, const uint32_t space,
                            AscendC::tiling::SoftMaxTiling& tiling, const bool update) {
    fill_plain<optiling::SoftMaxTiling>(tiling, [&](auto& t) { SoftMaxFlashTilingFunc(shape, type_size, space, t, update); });
}

uint32_t GetSoftMaxGradMaxTmpSize(const TensorShape& shape, const uint32_t type_size, const bool front, const bool) {
    return grad_size(shape, type_size, front, true, "GetSoftMaxGradMaxTmpSize");
}

uint32_t GetSoftMaxGradMinTmpSize(const TensorShape& shape, const uint32_t type_size, const bool front, const bool) {
    return grad_size(shape, type_size, front, false, "GetSoftMaxGradMinTmpSize");
}

void SoftMaxGradTilingFunc(const TensorShape& shape, const uint32_t type_size, const uint32_t space,
                           optiling::SoftMaxTiling& tiling, const bool front) {
    const Rows rows = checked(shape, type_size, "SoftMaxGradTilingFunc");
    if (rows) fill_rounds(tiling, rows, type_size, space, grad_row(rows.k, block_of(type_size), type_size == 2, front));
}

void SoftMaxGradTilingFunc(const TensorShape& shape, const uint32_t type_size, const uint32_t space,
                           AscendC::tiling::SoftMaxTiling& tiling, const bool front) {
    fill_plain<optiling::SoftMaxTiling>(tiling, [&](auto& t) { SoftMaxGradTilingFunc(shape, type_size, space, t, front); });
}

// ---- SoftmaxFlashV2 -------------------------------------------------------------------------------------------------

uint32_t GetSoftMaxFlashV2MaxTmpSize(const TensorShape& shape, const uint32_t src_size, const uint32_t stat_size, const bool,
                                     const bool basic, const bool) {
    const char* api = "GetSoftMaxFlashV2MaxTmpSize";
    Rows rows = known_type(stat_size, api) ? checked(shape, src_size, api) : Rows{};
    if (!rows) return 0;
    const bool tiles = basic && rows.k % kRepeat == 0 && rows.m % kTile == 0;
    while (tiles && rows.m * rows.k >= kMostElements) rows.m /= 2;
    return rows.m * flash_v2_row(rows.k, block_of(stat_size), src_size == 2, tiles);
}

uint32_t GetSoftMaxFlashV2MinTmpSize(const TensorShape& shape, const uint32_t src_size, const uint32_t stat_size, const bool,
                                     const bool basic, const bool one_value) {
    const char* api = "GetSoftMaxFlashV2MinTmpSize";
    const Rows rows = known_type(stat_size, api) ? checked(shape, src_size, api) : Rows{};
    return rows ? flash_v2_least(rows.m, rows.k, block_of(stat_size), src_size == 2, basic, !one_value) : 0;
}

void SoftMaxFlashV2TilingFunc(const TensorShape& shape, const uint32_t src_size, const uint32_t stat_size,
                              const uint32_t space, optiling::SoftMaxTiling& tiling, const bool, const bool basic,
                              const bool one_value) {
    const char* api = "SoftMaxFlashV2TilingFunc";
    const Rows shape_rows = known_type(stat_size, api) ? checked(shape, src_size, api) : Rows{};
    if (!shape_rows) return;
    const bool tiles = basic && shape_rows.k % kRepeat == 0 && shape_rows.m % kTile == 0;
    const uint32_t row = flash_v2_row(shape_rows.k, block_of(stat_size), src_size == 2, tiles) / kFloat;
    const uint32_t unit = one_value && src_size == 2 ? 2 * kTile : kTile;
    uint32_t rows = std::min(space / kFloat / row, shape_rows.m);
    if (tiles) rows = equal_rounds(rows, shape_rows);
    if (rows < shape_rows.m && rows > unit) rows = rows / unit * unit;
    fill(tiling, shape_rows, block_of(stat_size), rows);
    if (one_value && rows != 0 && rows < shape_rows.m) {
        complain(rows % block_of(src_size) == 0, api,
                 "without broadcast, rounds have to be whole blocks of 32 bytes: expected another localWorkSpaceSize");
    }
}

void SoftMaxFlashV2TilingFunc(const TensorShape& shape, const uint32_t src_size, const uint32_t stat_size,
                              const uint32_t space, AscendC::tiling::SoftMaxTiling& tiling, const bool update,
                              const bool basic, const bool one_value) {
    fill_plain<optiling::SoftMaxTiling>(tiling, [&](auto& t) {
        SoftMaxFlashV2TilingFunc(shape, src_size, stat_size, space, t, update, basic, one_value);
    });
}

// ---- SoftmaxFlashV3 -------------------------------------------------------------------------------------------------

void GetSoftMaxFlashV3MaxMinTmpSize(const TensorShape& shape, const uint32_t src_size, const uint32_t stat_size,
                                    uint32_t& most, uint32_t& least, const bool, const bool) {
    const char* api = "GetSoftMaxFlashV3MaxMinTmpSize";
    if (!complain(src_size == 2 && stat_size == 4, api, "expected data of 2 bytes and statistics of 4")) return;
    const Rows rows = rows_of(shape, src_size, api);
    if (!rows) return;
    least = flash_v3_row(rows.k, block_of(stat_size));
    most = rows.m * least;
}

void SoftMaxFlashV3TilingFunc(const TensorShape& shape, const uint32_t src_size, const uint32_t stat_size,
                              const uint32_t space, optiling::SoftMaxTiling& tiling, const bool, const bool) {
    const char* api = "SoftMaxFlashV3TilingFunc";
    if (!complain(src_size == 2 && stat_size == 4, api, "expected data of 2 bytes and statistics of 4")) return;
    const Rows rows = rows_of(shape, src_size, api);
    if (!rows) return;
    const uint32_t row = flash_v3_row(rows.k, block_of(stat_size));
    fill(tiling, rows, block_of(stat_size), fitting(space / kFloat, row / kFloat, rows.m, kTile));
}

void SoftMaxFlashV3TilingFunc(const TensorShape& shape, const uint32_t src_size, const uint32_t stat_size,
                              const uint32_t space, AscendC::tiling::SoftMaxTiling& tiling, const bool update,
                              const bool basic) {
    fill_plain<optiling::SoftMaxTiling>(
        tiling, [&](auto& t) { SoftMaxFlashV3TilingFunc(shape, src_size, stat_size, space, t, update, basic); });
}

bool IsBasicBlockInSoftMax(optiling::SoftMaxTiling& tiling, const uint32_t type_size) {
    return is_basic(tiling.get_srcK(), tiling.get_tailM(), type_size);
}

bool IsBasicBlockInSoftMax(AscendC::tiling::SoftMaxTiling& tiling, const uint32_t type_size) {
    return is_basic(tiling.srcK, tiling.tailM, type_size);
}

}  // namespace AscendC
