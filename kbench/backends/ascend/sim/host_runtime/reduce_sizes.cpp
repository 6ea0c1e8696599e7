// Temporary buffers of the reductions.
#include "../sizes/reduce_sizes.h"

#include "adv_api/reduce/mean_tiling.h"
#include "adv_api/reduce/reduce_tiling.h"
#include "adv_api/reduce/reduce_xor_sum_tiling.h"
#include "adv_api/reduce/sum_tiling.h"

namespace AscendC {

namespace sizes = kb::sizes;

void GetSumMaxMinTmpSize(uint32_t n, uint32_t type_bytes, bool, uint32_t& max, uint32_t& min) {
    if (n > 0 && type_bytes > 0 && type_bytes <= sizes::kBlock) {
        max = min = sizes::sum(n, type_bytes);
    }
}

void GetMeanMaxMinTmpSize(uint32_t n, uint32_t type_bytes, uint32_t work_bytes, bool, uint32_t& max, uint32_t& min) {
    const bool known = (type_bytes == 2 && work_bytes == 2) || ((type_bytes == 2 || type_bytes == 4) && work_bytes == 4);
    if (n > 0 && known) {
        max = min = sizes::mean(n, type_bytes, work_bytes);
    }
}

void GetMeanTmpBufferFactorSize(uint32_t, uint32_t& live_nodes, uint32_t& extra) {
    live_nodes = 1;
    extra = 0;
}

namespace {

// Bytes of an element of the types that the reductions take; 0 for others.
uint32_t reduced_bytes(TensorDataType type, sizes::Reduce op) {
    const bool extreme = op == sizes::Reduce::Max || op == sizes::Reduce::Min;
    const bool logical = op == sizes::Reduce::All || op == sizes::Reduce::Any;
    if (type == ge::DT_FLOAT) {
        return 4;
    }
    return extreme && type == ge::DT_FLOAT16 ? 2 : logical && type == ge::DT_UINT8 ? 1 : 0;
}

// Unknown types and shapes leave both sizes as they were.
void reduce_size(sizes::Reduce op, const TensorShape& shape, TensorDataType type, ReducePattern pattern, bool reuse,
                 uint32_t& max, uint32_t& min) {
    const uint32_t bytes = reduced_bytes(type, op);
    const bool known = pattern == ReducePattern::AR || pattern == ReducePattern::RA;
    if (bytes == 0 || !known || shape.GetDimNum() != 2 || shape.GetShapeSize() <= 0) {
        return;
    }
    const sizes::ReduceShape s{static_cast<uint32_t>(shape.GetDim(0)), static_cast<uint32_t>(shape.GetDim(1)),
                               pattern == ReducePattern::AR, reuse};
    max = min = sizes::reduce(op, s, bytes);
}

}  // namespace

void GetReduceSumMaxMinTmpSize(const TensorShape& shape, TensorDataType type, ReducePattern pattern, bool, bool reuse,
                               uint32_t& max, uint32_t& min) {
    reduce_size(sizes::Reduce::Sum, shape, type, pattern, reuse, max, min);
}

void GetReduceMeanMaxMinTmpSize(const TensorShape& shape, TensorDataType type, ReducePattern pattern, bool, bool reuse,
                                uint32_t& max, uint32_t& min) {
    reduce_size(sizes::Reduce::Mean, shape, type, pattern, reuse, max, min);
}

void GetReduceMaxMaxMinTmpSize(const TensorShape& shape, TensorDataType type, ReducePattern pattern, bool, bool reuse,
                               uint32_t& max, uint32_t& min) {
    reduce_size(sizes::Reduce::Max, shape, type, pattern, reuse, max, min);
}

void GetReduceMinMaxMinTmpSize(const TensorShape& shape, TensorDataType type, ReducePattern pattern, bool, bool reuse,
                               uint32_t& max, uint32_t& min) {
    reduce_size(sizes::Reduce::Min, shape, type, pattern, reuse, max, min);
}

void GetReduceProdMaxMinTmpSize(const TensorShape& shape, TensorDataType type, ReducePattern pattern, bool, bool reuse,
                                uint32_t& max, uint32_t& min) {
    reduce_size(sizes::Reduce::Prod, shape, type, pattern, reuse, max, min);
}

void GetReduceAllMaxMinTmpSize(const TensorShape& shape, TensorDataType type, ReducePattern pattern, bool, bool reuse,
                               uint32_t& max, uint32_t& min) {
    reduce_size(sizes::Reduce::All, shape, type, pattern, reuse, max, min);
}

void GetReduceAnyMaxMinTmpSize(const TensorShape& shape, TensorDataType type, ReducePattern pattern, bool, bool reuse,
                               uint32_t& max, uint32_t& min) {
    reduce_size(sizes::Reduce::Any, shape, type, pattern, reuse, max, min);
}

void GetReduceXorSumMaxMinTmpSize(const TensorShape& shape, uint32_t type_bytes, bool reuse, uint32_t& max, uint32_t& min) {
    if (shape.GetShapeSize() > 0 && type_bytes == 2) {
        max = min = sizes::xor_sum(static_cast<uint32_t>(shape.GetShapeSize()), reuse);
    }
}

}  // namespace AscendC
