// Temporary buffers of the elementwise library operations: the kernel side's own table.
#include "../include/kb_adv_sizes.h"

#include "tiling/tiling_api.h"

namespace AscendC {

using kb::AdvOp;
using kb::AdvTmp;

namespace {

uint32_t elements(const ge::Shape& shape) {
    return static_cast<uint32_t>(shape.GetShapeSize());
}

void give(const AdvTmp& tmp, uint32_t& max, uint32_t& min) {
    max = tmp.max;
    min = tmp.min;
}

void give_factor(AdvOp op, uint32_t type_bytes, uint32_t& buffers, uint32_t& extra) {
    const kb::AdvFactor factor = kb::adv_factor(op);
    buffers = type_bytes == 4 ? factor.single : factor.half;
    extra = 0;
}

// The documented way to write a scalar: one dimension, of one element.
bool is_tensor(const ge::Shape& shape) {
    return shape.GetDimNum() != 1 || shape.GetDim(0) != 1;
}

}  // namespace

#define KB_SIZES(Name)                                                                                                    \
    void Get##Name##MaxMinTmpSize(const ge::Shape& shape, uint32_t type_bytes, bool reuse_source, uint32_t& max,          \
                                  uint32_t& min) {                                                                        \
        give(kb::adv_tmp(AdvOp::Name, elements(shape), type_bytes, reuse_source), max, min);                              \
    }
#define KB_FACTOR(Name)                                                                                                   \
    void Get##Name##TmpBufferFactorSize(uint32_t type_bytes, uint32_t& buffers, uint32_t& extra) {                        \
        give_factor(AdvOp::Name, type_bytes, buffers, extra);                                                             \
    }
#define KB_SIZES_AND_FACTOR(Name) KB_SIZES(Name) KB_FACTOR(Name)

KB_SIZES_AND_FACTOR(Acos)
KB_SIZES_AND_FACTOR(Acosh)
KB_SIZES_AND_FACTOR(Asin)
KB_SIZES_AND_FACTOR(Asinh)
KB_SIZES_AND_FACTOR(Atan)
KB_SIZES_AND_FACTOR(Atanh)
KB_SIZES_AND_FACTOR(Ceil)
KB_SIZES_AND_FACTOR(Cos)
KB_SIZES_AND_FACTOR(Cosh)
KB_SIZES_AND_FACTOR(Digamma)
KB_SIZES_AND_FACTOR(Erf)
KB_SIZES_AND_FACTOR(Erfc)
KB_SIZES_AND_FACTOR(Floor)
KB_SIZES_AND_FACTOR(Fmod)
KB_SIZES_AND_FACTOR(Frac)
KB_SIZES_AND_FACTOR(GeGLU)
KB_SIZES_AND_FACTOR(Log)
KB_SIZES_AND_FACTOR(Log10)
KB_SIZES(Log2)
KB_SIZES_AND_FACTOR(Sign)
KB_SIZES_AND_FACTOR(Sin)
KB_SIZES_AND_FACTOR(Sinh)
KB_SIZES_AND_FACTOR(Tan)
KB_SIZES_AND_FACTOR(Tanh)
KB_SIZES_AND_FACTOR(Trunc)
KB_SIZES_AND_FACTOR(Xor)
KB_SIZES(Axpy)
KB_SIZES(Lgamma)
KB_SIZES(ReGlu)
KB_SIZES(Sigmoid)
KB_FACTOR(SwiGLU)

#undef KB_SIZES_AND_FACTOR
#undef KB_FACTOR
#undef KB_SIZES

// Factors that differ from the sizes' own, as documented.
void GetAxpyTmpBufferFactorSize(uint32_t type_bytes, uint32_t& buffers, uint32_t& extra) {
    buffers = type_bytes == 4 ? 1 : 4;
    extra = 0;
}
void GetLgammaTmpBufferFactorSize(uint32_t type_bytes, uint32_t& buffers, uint32_t& extra) {
    buffers = type_bytes == 4 ? 8 : 13;
    extra = 0;
}
void GetLog2TmpBufferFactorSize(uint32_t type_bytes, uint32_t& buffers, uint32_t& extra) {
    buffers = type_bytes == 4 ? 0 : 2;
    extra = 0;
}

void GetClampMaxMinTmpSize(const ge::Shape& shape, uint32_t type_bytes, bool reuse_source, uint32_t& max, uint32_t& min) {
    give(kb::adv_tmp(AdvOp::ClampMax, elements(shape), type_bytes, reuse_source), max, min);
}
void GetClampTmpBufferFactorSize(uint32_t, uint32_t& buffers, uint32_t& extra) {
    buffers = 1;
    extra = 0;
}

bool GetExpMaxMinTmpSize(const ge::Shape& shape, uint32_t type_bytes, bool reuse_source, uint32_t& max, uint32_t& min) {
    give(kb::adv_tmp(AdvOp::Exp, elements(shape), type_bytes, reuse_source), max, min);
    return true;
}
void GetExpTmpBufferFactorSize(uint32_t type_bytes, uint32_t& buffers, uint32_t& extra) {
    buffers = type_bytes == 4 ? 3 : 8;
    extra = 0;
}

void GetRoundMaxMinTmpSize(const platform_ascendc::PlatformAscendC&, const ge::Shape& shape, uint32_t type_bytes,
                           bool reuse_source, uint32_t& max, uint32_t& min) {
    give(kb::adv_tmp(AdvOp::Round, elements(shape), type_bytes, reuse_source), max, min);
}
void GetRoundTmpBufferFactorSize(const platform_ascendc::PlatformAscendC&, uint32_t type_bytes, uint32_t& buffers,
                                 uint32_t& extra) {
    give_factor(AdvOp::Round, type_bytes, buffers, extra);
}

void GetPowerMaxMinTmpSize(const ge::Shape& base, const ge::Shape& exponent, bool is_int, uint32_t type_bytes, bool,
                           uint32_t& max, uint32_t& min) {
    const bool scalar = !is_tensor(base) || !is_tensor(exponent);
    const ge::Shape& shape = is_tensor(base) ? base : exponent;
    give(kb::power_tmp(scalar, is_int, elements(shape), type_bytes), max, min);
}
void GetPowerTmpBufferFactorSize(bool base_is_tensor, bool exponent_is_tensor, bool is_int, uint32_t type_bytes,
                                 uint32_t& buffers, uint32_t& extra) {
    const bool scalar = !base_is_tensor || !exponent_is_tensor;
    extra = is_int ? 0 : 256;
    buffers = is_int ? (scalar ? 7 : 6) : (type_bytes == 4 ? (scalar ? 5 : 4) : 14);
}

uint32_t GetGeluMaxTmpSize(const ge::Shape& shape, uint32_t type_bytes) {
    return kb::adv_tmp(AdvOp::Gelu, elements(shape), type_bytes, false).max;
}
uint32_t GetGeluMinTmpSize(const ge::Shape& shape, uint32_t type_bytes) {
    return kb::adv_tmp(AdvOp::Gelu, elements(shape), type_bytes, false).min;
}
void GetGeluMaxMinTmpSize(const ge::Shape& shape, uint32_t type_bytes, uint32_t& max, uint32_t& min) {
    give(kb::adv_tmp(AdvOp::Gelu, elements(shape), type_bytes, false), max, min);
}

void GetSiluTmpSize(const ge::Shape&, uint32_t, bool, uint32_t& max, uint32_t& min) {
    max = min = 0;
}
void GetSwishTmpSize(const ge::Shape&, uint32_t, bool, uint32_t& max, uint32_t& min) {
    max = min = 0;
}
void GetSwiGLUMaxMinTmpSize(const ge::Shape& shape, uint32_t type_bytes, uint32_t& max, uint32_t& min, bool reuse_source) {
    give(kb::adv_tmp(AdvOp::SwiGLU, elements(shape), type_bytes, reuse_source), max, min);
}

}  // namespace AscendC
